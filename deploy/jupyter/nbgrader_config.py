"""Where nbgrader finds the course, for students and instructors; and a collect that looks who sent what."""

import os
import pwd
import secrets
from pathlib import Path

from jupyter_core.paths import jupyter_runtime_dir
from nbgrader.exchange.default import ExchangeCollect

c = get_config()  # type: ignore[name-defined]  # noqa: F821  # nbgrader brings it

c.CourseDirectory.course_id = os.environ.get("COURSE_ID", "shared-and-scaled")
c.Exchange.root = os.environ.get("NBGRADER_EXCHANGE", "/srv/nbgrader/exchange")
# As in jupyter_server_config.py: nobody listens while it grades. The kernel works in another folder than
# nbgrader, so that the place of the sockets must be a full path.
c.KernelManager.transport = "ipc"
c.KernelManager.ip = str(Path(jupyter_runtime_dir()) / f"nbgrader-{secrets.token_hex(4)}")


class CollectFromOwners(ExchangeCollect):
    """nbgrader's own, except that what cannot be honest work of its owner is renamed and left.

    Everybody can write into the inbound folder, and the newest submission in a name wins: a folder named
    after another student and dated into the future would replace that student's work (nbgrader warns, and
    takes it). And the instructor's account would follow a link that leads from a submission to the solutions.
    """

    def init_src(self) -> None:
        """Put aside, then let nbgrader find what is left."""
        inbound = Path(self.root) / self.coursedir.course_id / "inbound"
        for path in sorted(inbound.glob("*+*+*")):
            if fault := fault_of(path):
                # In the same folder, because another's folder cannot be moved to a different one; without a
                # plus, so that nbgrader passes it by; and random, so that its owner cannot name it back.
                aside = path.with_name(f"refused {path.name.replace('+', ' ')} {secrets.token_hex(8)}")
                path.rename(aside)
                self.log.error("Not collected: %s %s; it is now %s", path.name, fault, aside.name)
        super().init_src()


def fault_of(path: Path) -> str:
    """Why this submission is not to be collected; empty if nothing speaks against it."""
    try:
        owner = pwd.getpwuid(path.lstat().st_uid).pw_name
    except KeyError:
        owner = ""  # an account that is no longer
    if path.name.rsplit("+", 3)[0] != owner:
        return f"is owned by {owner!r}"
    if path.is_symlink():
        return "is a link"
    for folder, folders, files in os.walk(path):
        for name in [".", *folders, *files]:
            inside = Path(folder, name)
            if inside.is_symlink():
                return f"holds a link, {name}"
            if not os.access(inside, os.R_OK | (os.X_OK if inside.is_dir() else 0)):
                return f"holds {name}, which cannot be read"
    return "" if os.access(path, os.R_OK | os.X_OK) else "cannot be read"


c.ExchangeFactory.collect = CollectFromOwners
