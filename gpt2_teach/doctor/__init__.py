"""Whether this machine can run the chapters, and what to do where it cannot: `python -m gpt2_teach.doctor`.

`software` looks at Python and the packages, `machine` at memory and disk, `trained` at where the trained
GPT-2 would come from; `findings` is what they say. None imports what may be missing before it has been found,
and what may hang or crash runs in a process of its own.
"""
