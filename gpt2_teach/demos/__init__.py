"""What the book's sliders show: measured numbers in, a drawing function for `explore` out.

Such a function returns a figure and says in words what it shows. The figures have fixed axes and as many
artists at one position as at another, and are laid out by hand, since a slider answers no faster than its
figure is drawn.
"""

from gpt2_teach.demos.initial_values import tensor_values as tensor_values
from gpt2_teach.demos.sharing import gradient_rows as gradient_rows
from gpt2_teach.demos.sharing import kept_matrix as kept_matrix
from gpt2_teach.demos.stream import stream_of_depth as stream_of_depth
from gpt2_teach.demos.stream import stream_of_width as stream_of_width
from gpt2_teach.demos.walk import walk_of_correlation as walk_of_correlation
from gpt2_teach.demos.walk import walk_of_steps as walk_of_steps
