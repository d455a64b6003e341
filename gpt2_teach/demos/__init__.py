"""The book's demos, one module per chapter: each function takes measurements and returns a drawing function.

`explore` calls the drawing function with the reader's choices and gets a figure and a sentence about it.
The figures have the same axes and artists for every choice, and are laid out by hand, so that they are
drawn quickly.
"""

from gpt2_teach.demos.initialization import tensor_values as tensor_values
from gpt2_teach.demos.sharing import gradient_rows as gradient_rows
from gpt2_teach.demos.sharing import own_token as own_token
from gpt2_teach.demos.stream import stream_of_depth as stream_of_depth
from gpt2_teach.demos.stream import stream_of_width as stream_of_width
from gpt2_teach.demos.walk import walk_of_correlation as walk_of_correlation
from gpt2_teach.demos.walk import walk_of_steps as walk_of_steps
