"""Jupyter's configuration for every server: jupyterhub_config.py adds this folder to JUPYTER_CONFIG_PATH."""

c = get_config()  # type: ignore[name-defined]  # noqa: F821  # defined by Jupyter

# By default a kernel writes its output to a TCP port, where any account can listen. A socket in the owner's
# folder is closed to others.
c.KernelManager.transport = "ipc"
