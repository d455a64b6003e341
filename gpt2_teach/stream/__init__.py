"""The residual stream at initialization: measured in a model, predicted, and swept over depths; gradients."""

from gpt2_teach.stream.depth_sweep import Sweep as Sweep
from gpt2_teach.stream.depth_sweep import sweep_depths as sweep_depths
from gpt2_teach.stream.gradients import parameter_gradients as parameter_gradients
from gpt2_teach.stream.measurement import Stream as Stream
from gpt2_teach.stream.measurement import measure_stream as measure_stream
from gpt2_teach.stream.prediction import StreamPrediction as StreamPrediction
from gpt2_teach.stream.prediction import predict_stream as predict_stream
