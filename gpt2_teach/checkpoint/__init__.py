"""The real GPT-2 where it can be had, and an honest stand-in where it cannot.

`load` is what a notebook calls; `weights` moves a checkpoint into our `GPT`. `files` reads the Hub's format
from a folder, `hub` has it fetched, and `fetch` does the fetching, in a process of its own, while
`progress` shows how far it is. `ahead` fetches before pages are made. Nothing is imported here, so that the
fetching process starts at once.
"""
