"""JupyterHub's configuration for one machine with an account for everybody; see deploy/README.md.

It reads these environment variables; the tests in tests/deploy start a hub with this file:

    COURSE_ID          nbgrader's name for the course, a folder of the exchange (default: shared-and-scaled)
    NBGRADER_EXCHANGE  the exchange made by deploy/exchange.py (default: nbgrader's own)
    COURSE_STUDENTS    the unix group whose members may log in (default: COURSE_ID)
    COURSE_STAFF       the unix group whose members may log in and grade (default: COURSE_ID-staff)
    COURSE_SOCKETS     folder for kernels' sockets, with a folder for each user (default: /run/jupyterhub)
    CONFIGPROXY_AUTH_TOKEN    secret shared by the hub and its proxy
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
MEMORY = 3_000_000_000  # bytes per process: chapters 1 to 4 peak at 1.33 GB and were tested under this limit
PROCESSES = 512  # processes and threads per account: a server with four kernels has about 120
THREADS = 2  # compute threads per kernel

for setting, group in (("COURSE_STUDENTS", STUDENTS), ("COURSE_STAFF", STAFF)):
    try:
        grp.getgrnam(group)
    except KeyError:
        raise SystemExit(f"{setting}={group!r}: unknown unix group; run `groupadd {group}`") from None

SOCKETS.mkdir(parents=True, exist_ok=True)

c = get_config()  # type: ignore[name-defined]  # noqa: F821  # defined by JupyterHub

# ---- who may log in ------------------------------------------------------------------------------------

# Add a line here to choose another authenticator. JupyterHub's default, PAM, uses this machine's logins.
# Every user needs an account on this machine.
c.LocalAuthenticator.allowed_groups = {STUDENTS, STAFF}  # without this JupyterHub admits nobody

# ---- one server per user, under the user's own account --------------------------------------------------

c.JupyterHub.spawner_class = "jupyterhub.spawner.LocalProcessSpawner"
# LocalProcessSpawner does not enforce mem_limit and cpu_limit. The limits of prlimit apply to the server and
# all its child processes, so that a tensor that is too large raises an error in its cell.
c.Spawner.cmd = [
    "prlimit",
    f"--data={MEMORY}",
    f"--nproc={PROCESSES}",
    "--core=0",
    f"{sys.prefix}/bin/jupyterhub-singleuser",  # from this environment, not from PATH
]
c.Spawner.default_url = "/lab"  # has nbgrader's Assignment List
c.Spawner.start_timeout = 180  # seconds; at the beginning of a class a hundred servers start at once
c.Spawner.http_timeout = 180  # seconds until its first answer
c.JupyterHub.concurrent_spawn_limit = 20  # the others wait, with a message


def configuration(spawner):  # type: ignore[no-untyped-def]
    """Return the folders of configuration for a user's server, by precedence."""
    folders = [HERE / "jupyter"]
    account = pwd.getpwnam(spawner.user.name)
    if grp.getgrnam(STAFF).gr_gid not in os.getgrouplist(account.pw_name, account.pw_gid):
        folders.insert(0, HERE / "jupyter-students")  # no formgrader, no Create Assignment
    return os.pathsep.join(map(str, folders))


c.Spawner.environment = {
    "COURSE_ID": COURSE,
    "NBGRADER_EXCHANGE": EXCHANGE,
    "JUPYTER_CONFIG_PATH": configuration,
    # A socket's path can have at most 107 characters; Jupyter's default path in a home can be longer.
    "JUPYTER_RUNTIME_DIR": lambda spawner: str(SOCKETS / spawner.user.name),
    "JUPYTER_PREFER_ENV_PATH": "1",  # ignore kernels installed in a user's home
    "PATH": f"{sys.prefix}/bin:/usr/local/bin:/usr/bin:/bin",  # for nbgrader and nbgitpuller's git
    # By default each kernel uses as many threads as there are cores, which stalls a full class.
    "OMP_NUM_THREADS": str(THREADS),
    "OPENBLAS_NUM_THREADS": str(THREADS),
}


def prepare_account(spawner):  # type: ignore[no-untyped-def]
    """Close the user's home to others and make the folder for the user's sockets."""
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


c.Spawner.pre_spawn_hook = prepare_account

# ---- the hub can be restarted while people work --------------------------------------------------------

c.JupyterHub.cleanup_servers = False  # servers keep running while the hub is down
c.ConfigurableHTTPProxy.should_start = False  # a separate service, so that notebooks stay connected
c.ConfigurableHTTPProxy.api_url = "http://127.0.0.1:8001"
c.JupyterHub.bind_url = "http://127.0.0.1:8000"  # local only: a web server in front of it provides TLS
c.JupyterHub.hub_bind_url = "http://127.0.0.1:8081"

# ---- idle servers are stopped --------------------------------------------------------------------------

c.JupyterHub.services = [
    {
        "name": "idle-culler",
        "command": [
            sys.executable,
            "-m",
            "jupyterhub_idle_culler",
            "--timeout=3600",  # seconds without activity
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
