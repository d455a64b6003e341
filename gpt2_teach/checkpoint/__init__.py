"""Load the trained GPT-2, or a clearly labelled stand-in if it is not available.

| module | contents |
| --- | --- |
| `load` | `load_gpt2`, which notebooks call |
| `stand_in` | the randomly initialized model used if the trained one cannot be loaded, and its label |
| `convert_weights` | conversion of Hugging Face's weights to our `GPT` |
| `model_source` | which folder or Hub model to load |
| `folder_format` | reading a folder's `config.json` and safetensors files |
| `hub_timeouts` | the time limits after which the Hub is considered unreachable |
| `download_process`, `events` | the child process that downloads, and the events that it reports |
| `cache` | the layout of Hugging Face's cache, and integrity checks |
| `errors` | exceptions, and the messages for errors of the Hub |
| `progress_bar` | the progress display |
| `prefetch`, `availability` | commands: download GPT-2 before pages are built; check without downloading |

This file imports nothing, so that the child process starts quickly.
"""
