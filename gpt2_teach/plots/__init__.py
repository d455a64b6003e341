"""The figures of the book: data in, `Figure` out, one module a chapter, one style for all."""

from gpt2_teach.plots.walk import std_by_correlation as std_by_correlation
from gpt2_teach.plots.walk import std_by_steps as std_by_steps
from gpt2_teach.plots.walk import std_estimates as std_estimates
from gpt2_teach.plots.walk import walk_fans as walk_fans
from gpt2_teach.plots.walk import walk_histograms as walk_histograms
