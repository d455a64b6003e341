"""For the server of every person on the hub: JUPYTER_CONFIG_PATH, set by jupyterhub_config.py, leads here."""

c = get_config()  # type: ignore[name-defined]  # noqa: F821  # Jupyter brings it

# A kernel's output otherwise goes to a TCP port of this machine, where any account may listen. A socket in a
# folder of the owner's is closed to others.
c.KernelManager.transport = "ipc"
