"""Check whether this machine can run the chapters, and suggest fixes: `python -m gpt2_teach.doctor`.

`software` checks Python and the packages, `memory_and_disk` the machine, and `trained_model` whether the
trained GPT-2 is available; `findings` contains shared helpers. No module imports a package before checking
that it is installed, and whatever may hang or crash runs in a child process.
"""
