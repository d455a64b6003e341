"""nbgrader's configuration on the hub: course, exchange, and a collect that rejects forged submissions."""

import os
import pwd
import secrets
from pathlib import Path

from jupyter_core.paths import jupyter_runtime_dir
from nbgrader.exchange.default import ExchangeCollect

c = get_config()  # type: ignore[name-defined]  # noqa: F821  # defined by nbgrader

c.CourseDirectory.course_id = os.environ.get("COURSE_ID", "shared-and-scaled")
c.Exchange.root = os.environ.get("NBGRADER_EXCHANGE", "/srv/nbgrader/exchange")
# As in jupyter_server_config.py: no other account can listen while nbgrader grades. The path is absolute
# because the kernel runs in another folder than nbgrader.
c.KernelManager.transport = "ipc"
c.KernelManager.ip = str(Path(jupyter_runtime_dir()) / f"nbgrader-{secrets.token_hex(4)}")


class CollectFromOwners(ExchangeCollect):
    """nbgrader's collect, except that forged submissions are renamed and not collected.

    Everybody can write into the inbound folder, and the newest submission under a name wins: a folder named
    after another student with a future date would replace that student's work (nbgrader warns and collects
    it). And the instructor's account would follow a link from a submission to the solutions.
    """

    def init_src(self) -> None:
        """Rename forged submissions, then let nbgrader search the rest."""
        inbound = Path(self.root) / self.coursedir.course_id / "inbound"
        for path in sorted(inbound.glob("*+*+*")):
            if fault := fault_of(path):
                # In the same folder, since another account's folder cannot be moved; without a plus, so that
                # nbgrader ignores it; and with a random name, so that its owner cannot rename it back.
                refused = path.with_name(f"refused {path.name.replace('+', ' ')} {secrets.token_hex(8)}")
                path.rename(refused)
                self.log.error("Not collected: %s %s; renamed to %s", path.name, fault, refused.name)
        super().init_src()


def fault_of(path: Path) -> str:
    """Return why a submission must not be collected; empty if it can be."""
    try:
        owner = pwd.getpwuid(path.lstat().st_uid).pw_name
    except KeyError:
        owner = ""  # the account no longer exists
    if path.name.rsplit("+", 3)[0] != owner:
        return f"is owned by {owner!r}"
    if path.is_symlink():
        return "is a link"
    for folder, folders, files in os.walk(path):
        for name in [".", *folders, *files]:
            inside = Path(folder, name)
            if inside.is_symlink():
                return f"contains a link, {name}"
            if not os.access(inside, os.R_OK | (os.X_OK if inside.is_dir() else 0)):
                return f"contains {name}, which cannot be read"
    return "" if os.access(path, os.R_OK | os.X_OK) else "cannot be read"


c.ExchangeFactory.collect = CollectFromOwners
