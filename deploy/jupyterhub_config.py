"""JupyterHub for one machine on which all have unix accounts; deploy/README.md says how it is set up.

It reads these environment variables, and the test of tests/deploy starts a hub with this very file:

    COURSE_ID          nbgrader's name of the course, a folder of the exchange (default: shared-and-scaled)
    NBGRADER_EXCHANGE  the exchange that deploy/exchange.py has made (default: nbgrader's own place)
    COURSE_STUDENTS    the unix group whose members may log in (default: COURSE_ID)
    COURSE_STAFF       the unix group whose members may log in and grade (default: COURSE_ID-staff)
    COURSE_SOCKETS     where kernels' sockets lie, a folder a person (default: /run/jupyterhub)
    CONFIGPROXY_AUTH_TOKEN    the secret that the hub and its proxy share
"""

import grp
import os
import pwd
import stat
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
COURSE = os.environ.get("COURSE_ID", "shared-and-scaled")
EXCHANGE = os.environ.get("NBGRADER_EXCHANGE", "/srv/nbgrader/exchange")
STUDENTS = os.environ.get("COURSE_STUDENTS", COURSE)
STAFF = os.environ.get("COURSE_STAFF", f"{COURSE}-staff")
SOCKETS = Path(os.environ.get("COURSE_SOCKETS", "/run/jupyterhub"))
MEMORY = 3_000_000_000  # bytes a process: chapters 1 to 4 peak at 1.33 GB and were run under this limit
PROCESSES = 512  # processes and threads an account: a server with four kernels has about 120
THREADS = 2  # threads that one kernel computes with

for setting, group in (("COURSE_STUDENTS", STUDENTS), ("COURSE_STAFF", STAFF)):
    try:
        grp.getgrnam(group)
    except KeyError:
        raise SystemExit(
            f"{setting}={group!r}: no unix group has that name; make it with `groupadd {group}`"
        ) from None

SOCKETS.mkdir(parents=True, exist_ok=True)

c = get_config()  # type: ignore[name-defined]  # noqa: F821  # JupyterHub brings it

# ---- who may log in ------------------------------------------------------------------------------------

# The authenticator is the department's to choose. JupyterHub's own choice, which stands here unless another
# line is added, asks PAM: whatever lets people log in on this machine. All who come in need an account here.
c.LocalAuthenticator.allowed_groups = {STUDENTS, STAFF}  # without it JupyterHub lets nobody in

# ---- one server a person, under that person's own account ----------------------------------------------

c.JupyterHub.spawner_class = "jupyterhub.spawner.LocalProcessSpawner"
# LocalProcessSpawner does not enforce mem_limit and cpu_limit. Linux does: prlimit hands these limits down to
# the server and to all that it starts, so that too large a tensor is an error in the cell that asked for it.
c.Spawner.cmd = [
    "prlimit",
    f"--data={MEMORY}",
    f"--nproc={PROCESSES}",
    "--core=0",
    f"{sys.prefix}/bin/jupyterhub-singleuser",  # this environment's, whatever PATH says
]
c.Spawner.default_url = "/lab"  # where nbgrader's Assignment List is
c.Spawner.start_timeout = 180  # seconds: when a class begins, a hundred servers start at once
c.Spawner.http_timeout = 180  # the same, for its first answer
c.JupyterHub.concurrent_spawn_limit = 20  # the others wait their turn, and are told so


def configuration(spawner):  # type: ignore[no-untyped-def]
    """Where this person's server looks for its configuration, first found first."""
    folders = [HERE / "jupyter"]
    account = pwd.getpwnam(spawner.user.name)
    if grp.getgrnam(STAFF).gr_gid not in os.getgrouplist(account.pw_name, account.pw_gid):
        folders.insert(0, HERE / "jupyter-students")  # no formgrader, no tools that write assignments
    return os.pathsep.join(map(str, folders))


c.Spawner.environment = {
    "COURSE_ID": COURSE,
    "NBGRADER_EXCHANGE": EXCHANGE,
    "JUPYTER_CONFIG_PATH": configuration,
    # A socket's path has at most 107 characters, which a home and Jupyter's own place in it may exceed.
    "JUPYTER_RUNTIME_DIR": lambda spawner: str(SOCKETS / spawner.user.name),
    "JUPYTER_PREFER_ENV_PATH": "1",  # a kernel left in somebody's home does not stand in for the book's
    "PATH": f"{sys.prefix}/bin:/usr/local/bin:/usr/bin:/bin",  # nbgrader in a terminal, git for nbgitpuller
    # Else each kernel takes as many threads as there are cores, and a full class brings all to a halt.
    "OMP_NUM_THREADS": str(THREADS),
    "OPENBLAS_NUM_THREADS": str(THREADS),
}


def prepare(spawner):  # type: ignore[no-untyped-def]
    """Close the home to others, and make the folder for this person's sockets."""
    account = pwd.getpwnam(spawner.user.name)
    # Debian's useradd makes homes that everybody can read.
    home = os.open(account.pw_dir, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW)
    try:
        os.fchmod(home, stat.S_IMODE(os.fstat(home).st_mode) & 0o700)
    finally:
        os.close(home)
    sockets = SOCKETS / account.pw_name
    sockets.mkdir(mode=0o700, exist_ok=True)
    os.chown(sockets, account.pw_uid, account.pw_gid)


c.Spawner.pre_spawn_hook = prepare

# ---- the hub can be restarted while people work --------------------------------------------------------

c.JupyterHub.cleanup_servers = False  # servers stay when the hub stops, and it finds them again
c.ConfigurableHTTPProxy.should_start = (
    False  # the proxy is a service of its own: open notebooks stay connected
)
c.ConfigurableHTTPProxy.api_url = "http://127.0.0.1:8001"
c.JupyterHub.bind_url = "http://127.0.0.1:8000"  # this machine only: TLS is the web server's in front of it
c.JupyterHub.hub_bind_url = "http://127.0.0.1:8081"

# ---- what nobody uses is stopped -----------------------------------------------------------------------

c.JupyterHub.services = [
    {
        "name": "idle-culler",
        "command": [
            sys.executable,
            "-m",
            "jupyterhub_idle_culler",
            "--timeout=3600",  # an hour without any activity
            "--cull-every=300",
        ],
    }
]
c.JupyterHub.load_roles = [
    {
        "name": "idle-culler",
        "scopes": ["list:users", "read:users:activity", "read:servers", "delete:servers"],
        "services": ["idle-culler"],
    }
]
