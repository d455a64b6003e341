"""The figures of the book, one module per chapter: each function takes data and returns a `Figure`."""

from gpt2_teach.plots.anatomy import gpt2_anatomy as gpt2_anatomy
from gpt2_teach.plots.initialization import std_by_layer as std_by_layer
from gpt2_teach.plots.initialization import values_by_layer as values_by_layer
from gpt2_teach.plots.sharing import alignment_by_step as alignment_by_step
from gpt2_teach.plots.sharing import one_matrix_two_uses as one_matrix_two_uses
from gpt2_teach.plots.sharing import shares_by_size as shares_by_size
from gpt2_teach.plots.stream import gradient_by_block as gradient_by_block
from gpt2_teach.plots.stream import stream_by_addition as stream_by_addition
from gpt2_teach.plots.stream import stream_by_depth as stream_by_depth
from gpt2_teach.plots.stream import stream_by_width as stream_by_width
from gpt2_teach.plots.stream import update_shares as update_shares
from gpt2_teach.plots.walk import right_angles as right_angles
from gpt2_teach.plots.walk import std_by_steps as std_by_steps
from gpt2_teach.plots.walk import std_estimates as std_estimates
from gpt2_teach.plots.walk import walk_fans as walk_fans
