"""Tests of the built pages, and of a notebook in JupyterLab, in a real browser."""
