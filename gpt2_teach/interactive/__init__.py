"""A slider over a drawing function: `explore`, with a kernel and without."""
