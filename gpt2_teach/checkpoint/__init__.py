"""Load the trained GPT-2, or a clearly labelled stand-in if it is not available.

| module | contents |
| --- | --- |
| `load` | `load_gpt2`, which notebooks call |
| `stand_in` | the randomly initialized model used if the trained one cannot be loaded, and its label |
| `convert_weights` | conversion of Hugging Face's weights to our `GPT` |
| `model_source` | which folder or Hub model to load, and the files that it consists of |
| `download`, `fetch` | the download from the Hub, with time limits, and the child process that it runs in |
| `errors` | the two kinds of failure |
"""
