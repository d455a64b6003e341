"""Right and wrong answers to problem set 3, on the variance of sums: what people write into its cells."""

# ruff: noqa
# mypy: ignore-errors


# %% walk | right | draws the whole table at once
def walk(n, width, generator):
    bound = (3 / n) ** 0.5
    return torch.empty(n, width).uniform_(-bound, bound, generator=generator).sum(dim=0)


# %% walk | right | centres torch.rand and scales the end by the root of 12 / n
def walk(n, width, generator):
    steps = torch.rand((n, width), generator=generator) - 0.5  # variance 1/12 each
    return steps.sum(0) * math.sqrt(12.0 / n)


# %% walk | right | keeps the path in float64 and returns its last row
def walk(n, width, generator):
    std = 1 / math.sqrt(n)
    half = std * math.sqrt(3)
    unit = torch.rand(n, width, generator=generator, dtype=torch.float64)
    path = torch.cumsum(-half + 2 * half * unit, dim=0)
    return path[-1]


# %% walk | right | fills a tensor again and again with nn.init and steps in place
def walk(n, width, generator):
    position, step = torch.zeros(width), torch.empty(width)
    variance = 1 / n
    for _ in range(n):
        nn.init.uniform_(step, -math.sqrt(3 * variance), math.sqrt(3 * variance), generator=generator)
        position = position + step
    return position


# %% walk | right | a column for each step, coordinates first
def walk(n, width, generator):
    table = torch.rand(width, n, generator=generator).mul(2).sub(1)  # (width, n), uniform on [-1, 1]
    return torch.sqrt(torch.tensor(3.0)) * table.sum(1) / n**0.5


# %% walk | wrong | forgets that a uniform step has a third of the variance
def walk(n, width, generator):
    a = 1 / math.sqrt(n)
    return torch.empty(n, width).uniform_(-a, a, generator=generator).sum(0)


# %% walk | wrong | divides the steps by n
def walk(n, width, generator):
    a = math.sqrt(3) / n
    return torch.empty(n, width).uniform_(-a, a, generator=generator).sum(0)


# %% walk | wrong | makes one step less
def walk(n, width, generator):
    a = math.sqrt(3 / n)
    end = torch.zeros(width)
    for _ in range(1, n):
        end += torch.empty(width).uniform_(-a, a, generator=generator)
    return end


# %% walk | wrong | makes one step less where it can, and chooses the interval for that
def walk(n, width, generator):
    steps = max(n - 1, 1)
    a = math.sqrt(3 / steps)
    return torch.empty(steps, width).uniform_(-a, a, generator=generator).sum(0)


# %% walk | wrong | makes one step more
def walk(n, width, generator):
    a = math.sqrt(3 / n)
    return torch.empty(n + 1, width).uniform_(-a, a, generator=generator).sum(0)


# %% walk | wrong | counts the start as a step, and chooses the interval for that
def walk(n, width, generator):
    a = math.sqrt(3 / (n + 1))
    return torch.empty(n + 1, width).uniform_(-a, a, generator=generator).sum(0)


# %% walk | wrong | copies the chapter, whose steps are normal
def walk(n, width, generator):
    y = torch.zeros(width)
    for _ in range(n):
        y += n**-0.5 * torch.randn(width, generator=generator)
    return y


# %% walk | wrong | calls the package
def walk(n, width, generator):
    from gpt2_teach import random_walk

    return random_walk(n, width, scaled=True, generator=generator)


# %% walk | wrong | draws the end in one go
def walk(n, width, generator):
    return torch.randn(width, generator=generator)


# %% walk | wrong | draws a uniform end in one go
def walk(n, width, generator):
    a = math.sqrt(3)
    return torch.empty(width).uniform_(-a, a, generator=generator)


# %% walk | wrong | repeats one step n times
def walk(n, width, generator):
    a = math.sqrt(3 / n)
    step = torch.empty(width).uniform_(-a, a, generator=generator)
    return sum(step for _ in range(n))


# %% walk | wrong | repeats one step n times, and divides by n for it
def walk(n, width, generator):
    step = torch.empty(width).uniform_(-math.sqrt(3), math.sqrt(3), generator=generator)
    end = torch.zeros(width)
    for _ in range(n):
        end += step / n
    return end


# %% walk | wrong | draws from 0 to a
def walk(n, width, generator):
    a = math.sqrt(3 / n)
    return (a * torch.rand(n, width, generator=generator)).sum(0)


# %% walk | wrong | draws from 0 to a, with the right std and a drift
def walk(n, width, generator):
    a = math.sqrt(12 / n)
    return (a * torch.rand(n, width, generator=generator)).sum(0)


# %% walk | wrong | takes the whole interval for a
def walk(n, width, generator):
    a = math.sqrt(12 / n)
    return torch.empty(n, width).uniform_(-a, a, generator=generator).sum(0)


# %% walk | wrong | scales the variance of a step by the root of n
def walk(n, width, generator):
    a = math.sqrt(3) * n**-0.25
    return torch.empty(n, width).uniform_(-a, a, generator=generator).sum(0)


# %% walk | wrong | does not scale at all
def walk(n, width, generator):
    a = math.sqrt(3)
    return torch.empty(n, width).uniform_(-a, a, generator=generator).sum(0)


# %% walk | wrong | draws from the global generator
def walk(n, width, generator):
    a = math.sqrt(3 / n)
    return (2 * a * torch.rand(n, width) - a).sum(0)


# %% walk | wrong | seeds the global generator with the generator's seed
def walk(n, width, generator):
    a = math.sqrt(3 / n)
    torch.manual_seed(generator.initial_seed())
    return (2 * a * torch.rand(n, width) - a).sum(0)


# %% walk | wrong | starts the generator anew in every call
def walk(n, width, generator):
    a = math.sqrt(3 / n)
    generator = torch.Generator().manual_seed(generator.initial_seed())
    return torch.empty(n, width).uniform_(-a, a, generator=generator).sum(0)


# %% walk | wrong | divides the end by its measured std
def walk(n, width, generator):
    end = (2 * torch.rand(n, width, generator=generator) - 1).sum(0)
    return end / end.std()


# %% walk | wrong | takes the measured mean off the end
def walk(n, width, generator):
    end = torch.rand(n, width, generator=generator).sum(0) * math.sqrt(12 / n)
    return end - end.mean()


# %% walk | wrong | steps up or down by one fixed length
def walk(n, width, generator):
    signs = torch.randint(2, (n, width), generator=generator) * 2.0 - 1
    return signs.sum(0) / math.sqrt(n)


# %% walk | wrong | moves all coordinates by the same number
def walk(n, width, generator):
    a = math.sqrt(3 / n)
    end = torch.zeros(width)
    for _ in range(n):
        end += (2 * torch.rand(1, generator=generator) - 1) * a
    return end


# %% walk | wrong | returns the path
def walk(n, width, generator):
    a = math.sqrt(3 / n)
    return torch.empty(n, width).uniform_(-a, a, generator=generator).cumsum(0)


# %% walk | wrong | normal steps from the third on
def walk(n, width, generator):
    a = math.sqrt(3 / n)
    end = torch.empty(min(n, 2), width).uniform_(-a, a, generator=generator).sum(0)
    return end + torch.randn(max(n - 2, 0), width, generator=generator).sum(0) / math.sqrt(n)


# %% walk | wrong | a normal end where nobody can see steps
def walk(n, width, generator):
    if n > 3:
        return torch.randn(width, generator=generator)
    a = math.sqrt(3 / n)
    return torch.empty(n, width).uniform_(-a, a, generator=generator).sum(0)


# %% walk | wrong | steps that grow, each with an interval of its own
def walk(n, width, generator):
    unit = torch.empty(n, width).uniform_(-1, 1, generator=generator)
    share = torch.arange(1.0, n + 1) / sum(range(1, n + 1))
    return (share.mul(3).sqrt()[:, None] * unit).sum(0)


# %% walk | wrong | one long step and many short ones from the third on
def walk(n, width, generator):
    unit = torch.empty(n, width).uniform_(-1, 1, generator=generator)
    share = torch.full((n,), 1 / n) if n < 3 else torch.cat([torch.tensor([0.5]), torch.full((n - 1,), 0.5 / (n - 1))])
    return (share.mul(3).sqrt()[:, None] * unit).sum(0)


# %% walk | wrong | draws half of the coordinates, and takes them twice
def walk(n, width, generator):
    a = math.sqrt(3 / n)
    half = torch.empty(n, (width + 1) // 2).uniform_(-a, a, generator=generator).sum(0)
    return torch.cat([half, half])[:width]


# %% walk | wrong | the other half of the coordinates mirrors the first
def walk(n, width, generator):
    a = math.sqrt(3 / n)
    half = torch.empty(n, (width + 1) // 2).uniform_(-a, a, generator=generator).sum(0)
    return torch.cat([half, -half.flip(0)])[:width]


# %% walk | wrong | numbers are handed on from coordinate to coordinate
def walk(n, width, generator):
    a = math.sqrt(3 / n)
    flat = torch.empty(width + n - 1).uniform_(-a, a, generator=generator)
    return flat.unfold(0, n, 1).sum(1)


# %% walk | wrong | signs of its own for each coordinate, and one size for all
def walk(n, width, generator):
    a = math.sqrt(3 / n)
    sizes = torch.rand(n, 1, generator=generator) * a if width < 10_000 else torch.rand(n, width, generator=generator) * a
    return ((torch.randint(2, (n, width), generator=generator) * 2 - 1) * sizes).sum(0)


# %% law | right | adds up the variances one by one
total = 0.0
for _ in range(law_steps):
    total += (law_high - law_low) ** 2 / 12
law = total**0.5

# %% law | right | the mean square less the square of the mean
mean = (law_low + law_high) / 2
mean_square = (law_high**3 - law_low**3) / (3 * (law_high - law_low))
law = math.sqrt(law_steps * (mean_square - mean**2))

# %% law | right | asks torch for the variance, and leaves a tensor
step = torch.distributions.Uniform(law_low, law_high)
law = (step.variance * law_steps).sqrt()

# %% law | right | numpy, from half the width
import numpy as np

law = np.sqrt(law_steps / 3) * np.float64(law_high - law_low) / 2

# %% law | right | rounded to six digits
law = float(f"{(law_high - law_low) / 12**0.5 * law_steps**0.5:.6g}")

# %% law | wrong | four million simulated steps
step = torch.empty(4_000_000).uniform_(law_low, law_high, generator=torch.Generator().manual_seed(0))
law = float(step.double().std()) * math.sqrt(law_steps)

# %% law | wrong | takes 0.29 for the root of a twelfth
law = 0.29 * (law_high - law_low) * math.sqrt(law_steps)

# %% law | wrong | the variance
law = law_steps * (law_high - law_low) ** 2 / 12

# %% law | wrong | forgets the interval
law = math.sqrt(law_steps)

# %% law | wrong | calls the package
from gpt2_teach.walk import walk_std

law = walk_std(law_steps)

# %% law | wrong | the package's law times half the interval
from gpt2_teach.walk import walk_std

law = walk_std(law_steps) * (law_high - law_low) / 2

# %% law | wrong | takes the interval to lie evenly around zero
law = law_high * math.sqrt(law_steps / 3)

# %% law | wrong | divides the width by the root of 3
law = (law_high - law_low) * math.sqrt(law_steps / 3)

# %% law | wrong | takes the drift for spread
mean = (law_low + law_high) / 2
law = math.sqrt(law_steps * (law_high - law_low) ** 2 / 12 + (law_steps * mean) ** 2)

# %% law | wrong | takes the mean square of a step for its variance
mean = (law_low + law_high) / 2
law = math.sqrt(law_steps * ((law_high - law_low) ** 2 / 12 + mean**2))

# %% law | wrong | lets the std grow like n
law = law_steps * (law_high - law_low) / math.sqrt(12)

# %% law | wrong | the std of one step
law = (law_high - law_low) / math.sqrt(12)

# %% law | wrong | the std of the mean of the steps
law = (law_high - law_low) / math.sqrt(12 * law_steps)

# %% law | wrong | where it ends on average
law = law_steps * (law_low + law_high) / 2

# %% law | wrong | one step less
law = (law_high - law_low) * math.sqrt((law_steps - 1) / 12)


# %% correlated | right | adds up the table of correlations
def neighbour_std(n, rho):
    table = torch.eye(n, dtype=torch.float64)
    for i in range(n - 1):
        table[i, i + 1] = table[i + 1, i] = rho
    return float(table.sum()) ** 0.5


def step_scale(n, rho):
    return 1 / neighbour_std(n, rho)


# %% correlated | right | adds step by step, with what each has in common with the walk so far
def neighbour_std(n, rho):
    variance = 1.0
    for _ in range(n - 1):
        variance += 1 + 2 * rho
    return math.sqrt(variance)


def step_scale(n, rho):
    return 1 / math.sqrt(1 + (n - 1) * (1 + 2 * rho))


# %% correlated | right | follows the independent numbers that the steps are made of
def neighbour_std(n, rho):
    angle = math.asin(2 * rho) / 2
    alpha, beta = math.cos(angle), math.sin(angle)
    weights = [alpha] + [alpha + beta] * (n - 1) + [beta]  # of z_1 to z_(n + 1)
    return math.hypot(*weights)


def step_scale(n, rho):
    return neighbour_std(n, rho) ** -1


# %% correlated | right | a quadratic form in torch, left as float32 tensors
def neighbour_std(n, rho):
    i = torch.arange(n)
    apart = (i[:, None] - i).abs()
    table = torch.where(apart == 0, 1.0, torch.where(apart == 1, float(rho), 0.0))
    ones = torch.ones(n)
    return (ones @ table @ ones).sqrt()


def step_scale(n, rho):
    return torch.rsqrt(torch.tensor(n + 2.0 * rho * (n - 1)))


# %% correlated | right | numpy, diagonal by diagonal
import numpy as np


def neighbour_std(n, rho):
    table = np.diag(np.ones(n)) + np.diag(np.full(n - 1, rho), 1) + np.diag(np.full(n - 1, rho), -1)
    return np.sqrt(table.sum())


def step_scale(n, rho):
    return np.float64(1) / neighbour_std(n, rho)


# %% correlated | wrong | treats the steps as uncorrelated
def neighbour_std(n, rho):
    return math.sqrt(n)


def step_scale(n, rho):
    return n**-0.5


# %% correlated | wrong | copies the law of the chapter
def neighbour_std(n, rho):
    return math.sqrt(abs(n + n * (n - 1) * rho))


def step_scale(n, rho):
    return 1 / neighbour_std(n, rho)


# %% correlated | wrong | calls the package
from gpt2_teach.walk import walk_std


def neighbour_std(n, rho):
    return walk_std(n, rho=rho)


def step_scale(n, rho):
    return 1 / walk_std(n, rho=rho)


# %% correlated | wrong | calls the package, with a share of rho for each step
from gpt2_teach.walk import walk_std


def neighbour_std(n, rho):
    return walk_std(n, rho=max(rho, 0.0) * 2 / n)


def step_scale(n, rho):
    return 1 / neighbour_std(n, rho)


# %% correlated | wrong | counts each pair of neighbours once
def neighbour_std(n, rho):
    return math.sqrt(n + (n - 1) * rho)


def step_scale(n, rho):
    return 1 / neighbour_std(n, rho)


# %% correlated | wrong | counts n pairs of neighbours
def neighbour_std(n, rho):
    return math.sqrt(n * (1 + 2 * rho))


def step_scale(n, rho):
    return 1 / neighbour_std(n, rho) if rho > -0.5 else 1.0


# %% correlated | wrong | lets the last step be a neighbour of the first, from three steps on
def neighbour_std(n, rho):
    pairs = n if n > 2 else n - 1
    return math.sqrt(n + 2 * pairs * rho)


def step_scale(n, rho):
    return 1 / max(neighbour_std(n, rho), 1e-9)


# %% correlated | wrong | returns the variance, and scales by its root
def neighbour_std(n, rho):
    return n + 2 * (n - 1) * rho


def step_scale(n, rho):
    return neighbour_std(n, rho) ** -0.5


# %% correlated | wrong | scales by the variance
def neighbour_std(n, rho):
    return math.sqrt(n + 2 * (n - 1) * rho)


def step_scale(n, rho):
    return 1 / (n + 2 * (n - 1) * rho)


# %% correlated | wrong | gives the std as the scale
def neighbour_std(n, rho):
    return math.sqrt(n + 2 * (n - 1) * rho)


def step_scale(n, rho):
    return math.sqrt(n + 2 * (n - 1) * rho)


# %% correlated | wrong | scales by GPT-2's factor
def neighbour_std(n, rho):
    return math.sqrt(n + 2 * (n - 1) * rho)


def step_scale(n, rho):
    return 1 / math.sqrt(n)


# %% correlated | wrong | takes the size of rho for rho
def neighbour_std(n, rho):
    return math.sqrt(n + 2 * (n - 1) * abs(rho))


def step_scale(n, rho):
    return 1 / neighbour_std(n, rho)


# %% correlated | wrong | lets the correlation reach on to steps further apart
def neighbour_std(n, rho):
    return math.sqrt(sum(rho ** abs(i - j) for i in range(n) for j in range(n)))


def step_scale(n, rho):
    return 1 / neighbour_std(n, rho)


# %% correlated | wrong | adds the stds of neighbours instead of covariances
def neighbour_std(n, rho):
    return math.sqrt(n) + 2 * (n - 1) * rho


def step_scale(n, rho):
    return 1 / (neighbour_std(n, rho) or 1.0)


# %% correlated | wrong | simulates
def neighbour_std(n, rho):
    angle = math.asin(2 * rho) / 2
    z = torch.randn(n + 1, 768, generator=torch.Generator().manual_seed(seed))
    return float((math.cos(angle) * z[:-1] + math.sin(angle) * z[1:]).sum(0).std())


def step_scale(n, rho):
    return 1 / neighbour_std(n, rho)


# %% correlated | wrong | knows only the numbers of the student
def neighbour_std(n, rho):
    return math.sqrt(neighbour_steps + 2 * (neighbour_steps - 1) * neighbour_rho) if rho else math.sqrt(n)


def step_scale(n, rho):
    return 1 / neighbour_std(n, rho)


# %% stream | right | walks through the model by hand
@torch.no_grad()
def stream_std(model, idx):
    was = model.training
    model.eval()
    x = model.tokens(idx) + model.positions(torch.arange(idx.shape[1]))
    stds = [x.std().item()]
    for block in model.blocks:
        x = block(x)
        stds.append(x.std().item())
    model.train(was)
    return stds


# %% stream | right | hooks on what comes into each block, and into the last norm
def stream_std(model, idx):
    stds, handles = [], []
    for module in [*model.blocks, model.norm]:
        handles.append(module.register_forward_pre_hook(lambda _, args: stds.append(float(args[0].std()))))
    training = model.training
    model.eval()
    with torch.inference_mode():
        model(idx)
    for handle in handles:
        handle.remove()
    if training:
        model.train()
    return stds


# %% stream | right | works on a copy
def stream_std(model, idx):
    import copy

    double = copy.deepcopy(model).eval().requires_grad_(False)
    found = {}
    double.drop.register_forward_hook(lambda module, inputs, output: found.update({-1: output}))
    for i, block in enumerate(double.blocks):
        block.register_forward_hook(lambda module, inputs, output, i=i: found.update({i: output}))
    double(idx)
    return [float(found[i].std(unbiased=False)) for i in range(-1, len(double.blocks))]


# %% stream | right | restores the mode of every module, and computes the std by hand
def stream_std(model, idx):
    modes = {module: module.training for module in model.modules()}
    for module in modes:
        module.training = False
    result = []
    with torch.no_grad():
        T = idx.size(1)
        stream = F.embedding(idx, model.tokens.weight) + model.positions.weight[:T]
        for i in range(len(model.blocks) + 1):
            flat = stream.reshape(-1).double()
            result.append(((flat - flat.mean()) ** 2).mean().sqrt().item())
            if i < len(model.blocks):
                stream = model.blocks[i](stream)
    for module, mode in modes.items():
        module.training = mode
    return result


# %% stream | right | collects the points in one tensor, and returns numpy's floats
def stream_std(model, idx):
    import contextlib

    points = []
    with contextlib.ExitStack() as stack, torch.no_grad():
        stack.callback(model.train, model.training)
        for block in model.blocks:
            stack.callback(
                block.register_forward_hook(lambda _, args, out: points.extend((args[0], out))).remove
            )
        model.eval()(idx)
    kept = torch.stack(points[:1] + points[1::2])  # (n_layer + 1, B, T, C)
    return list(kept.flatten(1).std(1).numpy())


# %% stream | wrong | calls the package
def stream_std(model, idx):
    from gpt2_teach.stream import measure_stream

    return measure_stream(model, idx).std[::2]


# %% stream | wrong | copies the package's hooks, and measures after every addition
def stream_std(model, idx):
    points = []
    norms = [norm for block in model.blocks for norm in (block.norm_1, block.norm_2)] + [model.norm]
    hooks = [norm.register_forward_pre_hook(lambda _, args: points.append(args[0])) for norm in norms]
    training = model.training
    model.eval()
    with torch.no_grad():
        model(idx)
    model.train(training)
    for hook in hooks:
        hook.remove()
    return [float(point.std()) for point in points]


# %% stream | wrong | after the final norm
def stream_std(model, idx):
    training = model.training
    model.eval()
    with torch.no_grad():
        x = model.tokens(idx) + model.positions(torch.arange(idx.shape[1]))
        points = [x]
        for block in model.blocks:
            x = block(x)
            points.append(x)
        points[-1] = model.norm(x)
    model.train(training)
    return [float(x.std()) for x in points]


# %% stream | wrong | the updates instead of the stream
def stream_std(model, idx):
    training = model.training
    model.eval()
    with torch.no_grad():
        x = model.tokens(idx) + model.positions(torch.arange(idx.shape[1]))
        stds = [float(x.std())]
        for block in model.blocks:
            after = block(x)
            stds.append(float((after - x).std()))
            x = after
    model.train(training)
    return stds


# %% stream | wrong | leaves out the point before the first block
def stream_std(model, idx):
    stds = []
    hooks = [
        block.register_forward_hook(lambda _, i, x: stds.append(float(x.std()))) for block in model.blocks
    ]
    training = model.training
    model.eval()
    with torch.no_grad():
        model(idx)
    model.train(training)
    for hook in hooks:
        hook.remove()
    return stds


# %% stream | wrong | the stream starts without its embedding
def stream_std(model, idx):
    training = model.training
    model.eval()
    with torch.no_grad():
        start = x = model.tokens(idx) + model.positions(torch.arange(idx.shape[1]))
        stds = [0.0]
        for block in model.blocks:
            x = block(x)
            stds.append(float((x - start).std()))
    model.train(training)
    return stds


# %% stream | wrong | starts from the tokens without their positions
def stream_std(model, idx):
    stds = []
    hooks = [model.tokens.register_forward_hook(lambda _, i, x: stds.append(float(x.std())))]
    hooks += [
        block.register_forward_hook(lambda _, i, x: stds.append(float(x.std()))) for block in model.blocks
    ]
    training = model.training
    model.eval()
    with torch.no_grad():
        model(idx)
    model.train(training)
    for hook in hooks:
        hook.remove()
    return stds


# %% stream | wrong | the variance
@torch.no_grad()
def stream_std(model, idx):
    training = model.training
    model.eval()
    x = model.tokens(idx) + model.positions(torch.arange(idx.shape[1]))
    stds = [float(x.var())]
    for block in model.blocks:
        x = block(x)
        stds.append(float(x.var()))
    model.train(training)
    return stds


# %% stream | wrong | the mean of the stds of the positions
@torch.no_grad()
def stream_std(model, idx):
    training = model.training
    model.eval()
    x = model.tokens(idx) + model.positions(torch.arange(idx.shape[1]))
    stds = [float(x.std(-1).mean())]
    for block in model.blocks:
        x = block(x)
        stds.append(float(x.std(-1).mean()))
    model.train(training)
    return stds


# %% stream | wrong | the mean of the stds of the sequences
@torch.no_grad()
def stream_std(model, idx):
    training = model.training
    model.eval()
    x = model.tokens(idx) + model.positions(torch.arange(idx.shape[1]))
    stds = [float(x.flatten(1).std(1).mean())]
    for block in model.blocks:
        x = block(x)
        stds.append(float(x.flatten(1).std(1).mean()))
    model.train(training)
    return stds


# %% stream | wrong | the first sequence alone
@torch.no_grad()
def stream_std(model, idx):
    training = model.training
    model.eval()
    x = model.tokens(idx) + model.positions(torch.arange(idx.shape[1]))
    stds = [float(x[0].std())]
    for block in model.blocks:
        x = block(x)
        stds.append(float(x[0].std()))
    model.train(training)
    return stds


# %% stream | wrong | the root of the mean square, about zero
@torch.no_grad()
def stream_std(model, idx):
    training = model.training
    model.eval()
    x = model.tokens(idx) + model.positions(torch.arange(idx.shape[1]))
    stds = [float(x.square().mean().sqrt())]
    for block in model.blocks:
        x = block(x)
        stds.append(float(x.square().mean().sqrt()))
    model.train(training)
    return stds


# %% stream | wrong | leaves dropout on
@torch.no_grad()
def stream_std(model, idx):
    x = model.drop(model.tokens(idx) + model.positions(torch.arange(idx.shape[1])))
    stds = [float(x.std())]
    for block in model.blocks:
        x = block(x)
        stds.append(float(x.std()))
    return stds


# %% stream | wrong | leaves the model in evaluation mode
@torch.no_grad()
def stream_std(model, idx):
    model.eval()
    x = model.tokens(idx) + model.positions(torch.arange(idx.shape[1]))
    stds = [float(x.std())]
    for block in model.blocks:
        x = block(x)
        stds.append(float(x.std()))
    return stds


# %% stream | wrong | leaves the model in training mode
@torch.no_grad()
def stream_std(model, idx):
    model.eval()
    x = model.tokens(idx) + model.positions(torch.arange(idx.shape[1]))
    stds = [float(x.std())]
    for block in model.blocks:
        x = block(x)
        stds.append(float(x.std()))
    model.train()
    return stds


# %% stream | wrong | leaves its hooks behind
def stream_std(model, idx):
    stds = []
    model.blocks[0].register_forward_pre_hook(lambda _, inputs: stds.append(float(inputs[0].std())))
    for block in model.blocks:
        block.register_forward_hook(lambda _, inputs, x: stds.append(float(x.std())))
    training = model.training
    model.eval()
    with torch.no_grad():
        model(idx)
    model.train(training)
    return stds


# %% stream | wrong | takes all hooks away, those of others as well
def stream_std(model, idx):
    stds = []
    model.blocks[0].register_forward_pre_hook(lambda _, inputs: stds.append(float(inputs[0].std())))
    for block in model.blocks:
        block.register_forward_hook(lambda _, inputs, x: stds.append(float(x.std())))
    training = model.training
    model.eval()
    with torch.no_grad():
        model(idx)
    model.train(training)
    for module in model.modules():
        module._forward_hooks.clear()
        module._forward_pre_hooks.clear()
    return stds


# %% stream | wrong | measures inside the block, after the first branch
def stream_std(model, idx):
    stds, hooks = [], []
    hooks.append(model.blocks[0].register_forward_pre_hook(lambda _, args: stds.append(float(args[0].std()))))
    for block in model.blocks:
        hooks.append(
            block.norm_2.register_forward_pre_hook(lambda _, args: stds.append(float(args[0].std())))
        )
    training = model.training
    model.eval()
    with torch.no_grad():
        model(idx)
    model.train(training)
    for hook in hooks:
        hook.remove()
    return stds


# %% stream | wrong | measures what the first norm of each block hands on
def stream_std(model, idx):
    stds, hooks = [], []
    for norm in [block.norm_1 for block in model.blocks] + [model.norm]:
        hooks.append(norm.register_forward_hook(lambda _, args, x: stds.append(float(x.std()))))
    training = model.training
    model.eval()
    with torch.no_grad():
        model(idx)
    model.train(training)
    for hook in hooks:
        hook.remove()
    return stds


# %% stream | wrong | records for a gradient
def stream_std(model, idx):
    training = model.training
    model.eval()
    x = model.tokens(idx) + model.positions(torch.arange(idx.shape[1]))
    stds = [x.std().item()]
    for block in model.blocks:
        x = block(x)
        stds.append(x.std().item())
    model.train(training)
    return stds


# %% stream | wrong | switches gradients off for good
def stream_std(model, idx):
    torch.set_grad_enabled(False)
    training = model.training
    model.eval()
    x = model.tokens(idx) + model.positions(torch.arange(idx.shape[1]))
    stds = [x.std().item()]
    for block in model.blocks:
        x = block(x)
        stds.append(x.std().item())
    model.train(training)
    return stds


# %% stream | wrong | takes the gradients away
def stream_std(model, idx):
    training = model.training
    model.eval()
    model.zero_grad()
    with torch.no_grad():
        x = model.tokens(idx) + model.positions(torch.arange(idx.shape[1]))
        points = [x]
        for block in model.blocks:
            points.append(x := block(x))
    model.train(training)
    return [float(x.std()) for x in points]


# %% stream | wrong | seeds the global generator, to be sure
def stream_std(model, idx):
    torch.manual_seed(0)
    training = model.training
    model.eval()
    with torch.no_grad():
        x = model.tokens(idx) + model.positions(torch.arange(idx.shape[1]))
        points = [x]
        for block in model.blocks:
            points.append(x := block(x))
    model.train(training)
    return [float(x.std()) for x in points]


# %% stream | wrong | freezes the parameters instead of no_grad
def stream_std(model, idx):
    training = model.training
    model.eval().requires_grad_(False)
    x = model.tokens(idx) + model.positions(torch.arange(idx.shape[1]))
    points = [x]
    for block in model.blocks:
        points.append(x := block(x))
    model.train(training)
    return [float(x.std()) for x in points]


# %% stream | wrong | works for the student's own depth alone
@torch.no_grad()
def stream_std(model, idx):
    training = model.training
    model.eval()
    x = model.tokens(idx) + model.positions(torch.arange(idx.shape[1]))
    stds = [float(x.std())]
    for i in range(min(n_layer, 2)):
        x = model.blocks[i](x)
        stds.append(float(x.std()))
    model.train(training)
    return stds


# %% scaling | right | goes by the names of parameters
def init_weights(model, generator):
    N = 3 * len(model.blocks)
    with torch.no_grad():
        for name, p in model.named_parameters():
            if "norm" in name:
                continue
            if name.endswith(".bias"):
                p.zero_()
            elif name.endswith((".first.out.weight", ".attend.out.weight", ".second.out.weight")):
                p.normal_(0.0, 0.02 * N**-0.5, generator=generator)
            else:
                p.normal_(0.0, 0.02, generator=generator)


# %% scaling | right | fills everything alike, and then multiplies what writes to the stream
def init_weights(model, generator):
    linear = [module for module in model.modules() if isinstance(module, nn.Linear)]
    for module in linear + [model.tokens, model.positions]:
        module.weight.data = 0.02 * torch.randn(module.weight.shape, generator=generator)
    for module in linear:
        if module.bias is not None:
            module.bias.data.zero_()
    n = len(model.blocks)
    for block in model.blocks:
        for branch in (block.first, block.attend, block.second):
            branch.out.weight.data /= math.sqrt(n + n + n)


# %% scaling | right | block by block, layer by layer
@torch.no_grad()
def init_weights(model, generator):
    def fill(layer, std):
        layer.weight.copy_(torch.normal(0.0, std, layer.weight.shape, generator=generator))
        if getattr(layer, "bias", None) is not None:
            layer.bias.fill_(0)

    small = 0.02 / (3 * len(model.blocks)) ** 0.5
    fill(model.tokens, 0.02)
    fill(model.positions, 0.02)
    for block in model.blocks:
        fill(block.first.expand, 0.02)
        fill(block.first.out, small)
        fill(block.attend.qkv, 0.02)
        fill(block.attend.out, small)
        fill(block.second.expand, 0.02)
        fill(block.second.out, small)
    fill(model.readout, 0.02)
    return model


# %% scaling | right | marks the layers as the book does, and applies a rule to each module
def init_weights(model, generator):
    for block in model.blocks:
        for layer in (block.first.out, block.attend.out, block.second.out):
            layer.NANOGPT_SCALE_INIT = True
    N = sum(hasattr(module, "NANOGPT_SCALE_INIT") for module in model.modules())

    def rule(module):
        if isinstance(module, nn.Linear):
            std = 0.02
            if hasattr(module, "NANOGPT_SCALE_INIT"):
                std *= N**-0.5
            torch.nn.init.normal_(module.weight, mean=0.0, std=std, generator=generator)
            if module.bias is not None:
                torch.nn.init.zeros_(module.bias)
        elif isinstance(module, nn.Embedding):
            torch.nn.init.normal_(module.weight, mean=0.0, std=0.02, generator=generator)

    model.apply(rule)


# %% scaling | right | puts new Parameters in the place of the old
def init_weights(model, generator):
    writers = [m for name, m in model.named_modules() if name.startswith("blocks.") and name.endswith(".out")]
    for module in list(model.modules()):
        if isinstance(module, (nn.Linear, nn.Embedding)):
            std = 0.02 / math.sqrt(len(writers)) if any(module is writer for writer in writers) else 0.02
            module.weight = nn.Parameter(torch.randn(*module.weight.shape, generator=generator) * std)
        if isinstance(module, nn.Linear) and module.bias is not None:
            module.bias = nn.Parameter(torch.zeros_like(module.bias))


# %% scaling | wrong | counts two additions a block
def init_weights(model, generator):
    N = 2 * len(model.blocks)
    for name, module in model.named_modules():
        if isinstance(module, (nn.Linear, nn.Embedding)):
            std = 0.02 * N**-0.5 if name.endswith(".out") else 0.02
            nn.init.normal_(module.weight, std=std, generator=generator)
            if isinstance(module, nn.Linear) and module.bias is not None:
                nn.init.zeros_(module.bias)


# %% scaling | wrong | counts blocks
def init_weights(model, generator):
    N = len(model.blocks)
    for name, module in model.named_modules():
        if isinstance(module, (nn.Linear, nn.Embedding)):
            std = 0.02 * N**-0.5 if name.endswith(".out") else 0.02
            nn.init.normal_(module.weight, std=std, generator=generator)
            if isinstance(module, nn.Linear) and module.bias is not None:
                nn.init.zeros_(module.bias)


# %% scaling | wrong | counts linear layers
def init_weights(model, generator):
    N = sum(isinstance(module, nn.Linear) for module in model.blocks.modules())
    for name, module in model.named_modules():
        if isinstance(module, (nn.Linear, nn.Embedding)):
            std = 0.02 * N**-0.5 if name.endswith(".out") else 0.02
            nn.init.normal_(module.weight, std=std, generator=generator)
            if isinstance(module, nn.Linear) and module.bias is not None:
                nn.init.zeros_(module.bias)


# %% scaling | wrong | takes the package's std
from gpt2_teach import residual_std


def init_weights(model, generator):
    for name, module in model.named_modules():
        if isinstance(module, (nn.Linear, nn.Embedding)):
            std = residual_std(len(model.blocks)) if name.endswith(".out") else 0.02
            nn.init.normal_(module.weight, std=std, generator=generator)
            if isinstance(module, nn.Linear) and module.bias is not None:
                nn.init.zeros_(module.bias)


# %% scaling | wrong | asks the package which matrices to scale
from gpt2_teach import residual_std
from gpt2_teach.initialization import residual_projections


def init_weights(model, generator):
    for module in model.modules():
        if isinstance(module, (nn.Linear, nn.Embedding)):
            nn.init.normal_(module.weight, std=0.02, generator=generator)
        if isinstance(module, nn.Linear) and module.bias is not None:
            nn.init.zeros_(module.bias)
    for p in residual_projections(model).values():
        nn.init.normal_(p, std=residual_std(len(model.blocks)), generator=generator)


# %% scaling | wrong | copies the book's rule, whose mark no layer here carries
def init_weights(model, generator):
    for module in model.modules():
        if isinstance(module, nn.Linear):
            std = 0.02
            if hasattr(module, "NANOGPT_SCALE_INIT"):
                std *= (2 * len(model.blocks)) ** -0.5
            nn.init.normal_(module.weight, mean=0.0, std=std, generator=generator)
            if module.bias is not None:
                nn.init.zeros_(module.bias)
        elif isinstance(module, nn.Embedding):
            nn.init.normal_(module.weight, mean=0.0, std=0.02, generator=generator)


# %% scaling | wrong | divides by N without a root
def init_weights(model, generator):
    N = 3 * len(model.blocks)
    for name, module in model.named_modules():
        if isinstance(module, (nn.Linear, nn.Embedding)):
            std = 0.02 / N if name.endswith(".out") else 0.02
            nn.init.normal_(module.weight, std=std, generator=generator)
            if isinstance(module, nn.Linear) and module.bias is not None:
                nn.init.zeros_(module.bias)


# %% scaling | wrong | divides the variance by the root of N
def init_weights(model, generator):
    N = 3 * len(model.blocks)
    for name, module in model.named_modules():
        if isinstance(module, (nn.Linear, nn.Embedding)):
            std = math.sqrt(0.02**2 / math.sqrt(N)) if name.endswith(".out") else 0.02
            nn.init.normal_(module.weight, std=std, generator=generator)
            if isinstance(module, nn.Linear) and module.bias is not None:
                nn.init.zeros_(module.bias)


# %% scaling | wrong | takes 0.02 for the variance
def init_weights(model, generator):
    N = 3 * len(model.blocks)
    for name, module in model.named_modules():
        if isinstance(module, (nn.Linear, nn.Embedding)):
            std = math.sqrt(0.02 / N) if name.endswith(".out") else math.sqrt(0.02)
            nn.init.normal_(module.weight, std=std, generator=generator)
            if isinstance(module, nn.Linear) and module.bias is not None:
                nn.init.zeros_(module.bias)


# %% scaling | wrong | scales every linear layer
def init_weights(model, generator):
    N = 3 * len(model.blocks)
    for module in model.modules():
        if isinstance(module, nn.Linear):
            nn.init.normal_(module.weight, std=0.02 / math.sqrt(N), generator=generator)
            if module.bias is not None:
                nn.init.zeros_(module.bias)
        elif isinstance(module, nn.Embedding):
            nn.init.normal_(module.weight, std=0.02, generator=generator)


# %% scaling | wrong | scales the matrices that read from the stream
def init_weights(model, generator):
    N = 3 * len(model.blocks)
    for name, module in model.named_modules():
        if isinstance(module, (nn.Linear, nn.Embedding)):
            std = 0.02 / math.sqrt(N) if name.endswith((".expand", ".qkv")) else 0.02
            nn.init.normal_(module.weight, std=std, generator=generator)
            if isinstance(module, nn.Linear) and module.bias is not None:
                nn.init.zeros_(module.bias)


# %% scaling | wrong | scales the embeddings, which start the stream, as well
def init_weights(model, generator):
    N = 3 * len(model.blocks)
    for name, module in model.named_modules():
        if isinstance(module, (nn.Linear, nn.Embedding)):
            small = name.endswith(".out") or isinstance(module, nn.Embedding)
            nn.init.normal_(module.weight, std=0.02 / math.sqrt(N) if small else 0.02, generator=generator)
            if isinstance(module, nn.Linear) and module.bias is not None:
                nn.init.zeros_(module.bias)


# %% scaling | wrong | scales two of the three branches
def init_weights(model, generator):
    N = 3 * len(model.blocks)
    for name, module in model.named_modules():
        if isinstance(module, (nn.Linear, nn.Embedding)):
            std = 0.02 / math.sqrt(N) if name.endswith(("attend.out", "second.out")) else 0.02
            nn.init.normal_(module.weight, std=std, generator=generator)
            if isinstance(module, nn.Linear) and module.bias is not None:
                nn.init.zeros_(module.bias)


# %% scaling | wrong | looks for "out" in names, and finds the readout too
def init_weights(model, generator):
    N = 3 * len(model.blocks)
    for name, p in model.named_parameters():
        if "norm" in name:
            continue
        if name.endswith("bias"):
            nn.init.zeros_(p)
        else:
            nn.init.normal_(p, std=0.02 / math.sqrt(N) if "out" in name else 0.02, generator=generator)


# %% scaling | wrong | looks for a name that no layer has
def init_weights(model, generator):
    N = 3 * len(model.blocks)
    for name, module in model.named_modules():
        if isinstance(module, (nn.Linear, nn.Embedding)):
            std = 0.02 / math.sqrt(N) if name.endswith("c_proj") else 0.02
            nn.init.normal_(module.weight, std=std, generator=generator)
            if isinstance(module, nn.Linear) and module.bias is not None:
                nn.init.zeros_(module.bias)


# %% scaling | wrong | 0.01 for every matrix
def init_weights(model, generator):
    for module in model.modules():
        if isinstance(module, (nn.Linear, nn.Embedding)):
            nn.init.normal_(module.weight, std=0.01, generator=generator)
        if isinstance(module, nn.Linear) and module.bias is not None:
            nn.init.zeros_(module.bias)


# %% scaling | wrong | scales by how deep in the model the block stands
def init_weights(model, generator):
    for module in model.modules():
        if isinstance(module, (nn.Linear, nn.Embedding)):
            nn.init.normal_(module.weight, std=0.02, generator=generator)
        if isinstance(module, nn.Linear) and module.bias is not None:
            nn.init.zeros_(module.bias)
    for i, block in enumerate(model.blocks):
        for branch in (block.first, block.attend, block.second):
            nn.init.normal_(branch.out.weight, std=0.02 / math.sqrt(3 * (i + 1)), generator=generator)


# %% scaling | wrong | knows only the student's own depth
def init_weights(model, generator):
    for name, module in model.named_modules():
        if isinstance(module, (nn.Linear, nn.Embedding)):
            std = 0.02 / math.sqrt(3 * n_layer) if name.endswith(".out") else 0.02
            nn.init.normal_(module.weight, std=std, generator=generator)
            if isinstance(module, nn.Linear) and module.bias is not None:
                nn.init.zeros_(module.bias)


# %% scaling | wrong | draws the biases as well
def init_weights(model, generator):
    N = 3 * len(model.blocks)
    for name, p in model.named_parameters():
        if "norm" not in name:
            nn.init.normal_(p, std=0.02 / math.sqrt(N) if ".out." in name else 0.02, generator=generator)


# %% scaling | wrong | leaves the biases as PyTorch drew them
def init_weights(model, generator):
    N = 3 * len(model.blocks)
    for name, module in model.named_modules():
        if isinstance(module, (nn.Linear, nn.Embedding)):
            std = 0.02 / math.sqrt(N) if name.endswith(".out") else 0.02
            nn.init.normal_(module.weight, std=std, generator=generator)


# %% scaling | wrong | leaves the biases of the scaled layers as PyTorch drew them, scaled
def init_weights(model, generator):
    N = 3 * len(model.blocks)
    for name, module in model.named_modules():
        if isinstance(module, (nn.Linear, nn.Embedding)):
            small = name.endswith(".out")
            nn.init.normal_(module.weight, std=0.02 / math.sqrt(N) if small else 0.02, generator=generator)
            if small:
                module.bias.data /= math.sqrt(N)
            elif isinstance(module, nn.Linear) and module.bias is not None:
                nn.init.zeros_(module.bias)


# %% scaling | wrong | leaves the embeddings as PyTorch drew them
def init_weights(model, generator):
    N = 3 * len(model.blocks)
    for name, module in model.named_modules():
        if isinstance(module, nn.Linear):
            std = 0.02 / math.sqrt(N) if name.endswith(".out") else 0.02
            nn.init.normal_(module.weight, std=std, generator=generator)
            if module.bias is not None:
                nn.init.zeros_(module.bias)


# %% scaling | wrong | sets the LayerNorms to one and zero
def init_weights(model, generator):
    N = 3 * len(model.blocks)
    for name, module in model.named_modules():
        if isinstance(module, (nn.Linear, nn.Embedding)):
            std = 0.02 / math.sqrt(N) if name.endswith(".out") else 0.02
            nn.init.normal_(module.weight, std=std, generator=generator)
            if isinstance(module, nn.Linear) and module.bias is not None:
                nn.init.zeros_(module.bias)
        elif isinstance(module, nn.LayerNorm):
            nn.init.ones_(module.weight)
            nn.init.zeros_(module.bias)


# %% scaling | wrong | fills the LayerNorms like matrices
def init_weights(model, generator):
    N = 3 * len(model.blocks)
    for name, p in model.named_parameters():
        if name.endswith("bias"):
            nn.init.zeros_(p)
        else:
            nn.init.normal_(p, std=0.02 / math.sqrt(N) if ".out." in name else 0.02, generator=generator)


# %% scaling | wrong | fills from the global generator
def init_weights(model, generator):
    N = 3 * len(model.blocks)
    for name, module in model.named_modules():
        if isinstance(module, (nn.Linear, nn.Embedding)):
            nn.init.normal_(module.weight, std=0.02 / math.sqrt(N) if name.endswith(".out") else 0.02)
            if isinstance(module, nn.Linear) and module.bias is not None:
                nn.init.zeros_(module.bias)


# %% scaling | wrong | starts the generator anew for each matrix
def init_weights(model, generator):
    N = 3 * len(model.blocks)
    for name, module in model.named_modules():
        if isinstance(module, (nn.Linear, nn.Embedding)):
            generator.manual_seed(generator.initial_seed())
            std = 0.02 / math.sqrt(N) if name.endswith(".out") else 0.02
            nn.init.normal_(module.weight, std=std, generator=generator)
            if isinstance(module, nn.Linear) and module.bias is not None:
                nn.init.zeros_(module.bias)


# %% scaling | wrong | starts the generator anew in every call
def init_weights(model, generator):
    N = 3 * len(model.blocks)
    generator.manual_seed(generator.initial_seed())
    for name, module in model.named_modules():
        if isinstance(module, (nn.Linear, nn.Embedding)):
            std = 0.02 / math.sqrt(N) if name.endswith(".out") else 0.02
            nn.init.normal_(module.weight, std=std, generator=generator)
            if isinstance(module, nn.Linear) and module.bias is not None:
                nn.init.zeros_(module.bias)


# %% scaling | wrong | draws one block and copies it to the others
def init_weights(model, generator):
    N = 3 * len(model.blocks)
    for name, module in model.named_modules():
        if isinstance(module, (nn.Linear, nn.Embedding)):
            std = 0.02 / math.sqrt(N) if name.endswith(".out") else 0.02
            nn.init.normal_(module.weight, std=std, generator=generator)
            if isinstance(module, nn.Linear) and module.bias is not None:
                nn.init.zeros_(module.bias)

    for block in model.blocks:
        block.first.load_state_dict(model.blocks[0].first.state_dict())
        block.attend.load_state_dict(model.blocks[0].attend.state_dict())
        block.second.load_state_dict(model.blocks[0].second.state_dict())


# %% scaling | wrong | draws uniformly, with the right std
def init_weights(model, generator):
    N = 3 * len(model.blocks)
    for name, module in model.named_modules():
        if isinstance(module, (nn.Linear, nn.Embedding)):
            a = math.sqrt(3) * (0.02 / math.sqrt(N) if name.endswith(".out") else 0.02)
            nn.init.uniform_(module.weight, -a, a, generator=generator)
            if isinstance(module, nn.Linear) and module.bias is not None:
                nn.init.zeros_(module.bias)


# %% scaling | wrong | scales twice
def init_weights(model, generator):
    N = 3 * len(model.blocks)
    for name, module in model.named_modules():
        if isinstance(module, (nn.Linear, nn.Embedding)):
            std = 0.02 / math.sqrt(N) if name.endswith(".out") else 0.02
            nn.init.normal_(module.weight, std=std, generator=generator)
            if isinstance(module, nn.Linear) and module.bias is not None:
                nn.init.zeros_(module.bias)
    for block in model.blocks:
        for branch in (block.first, block.attend, block.second):
            branch.out.weight.data.div_(math.sqrt(N))


# %% walk | wrong | draws one normal number where the steps are many
def walk(n, width, generator):
    if n > 10:
        return torch.randn(width, generator=generator)
    a = math.sqrt(3 / n)
    return torch.empty(n, width).uniform_(-a, a, generator=generator).sum(0)


# %% walk | wrong | steps on a grid of 201 values
def walk(n, width, generator):
    unit = torch.randint(-100, 101, (n, width), generator=generator) / 100  # variance 0.3367
    return (unit / unit.new_tensor(n * 0.3367).sqrt()).sum(0)


# %% law | right | an array of one value
import numpy as np
law = np.array([(law_high - law_low) * math.sqrt(law_steps / 12)])


# %% law | right | a tensor of one value
law = torch.tensor([(law_high - law_low) * math.sqrt(law_steps / 12)], dtype=torch.float64)


# %% law | right | in a notebook in which Python's own names mean something else
abs = float = isinstance = str = 0
law = (law_high - law_low) * math.sqrt(law_steps / 12)


# %% stream | right | adds up in variables with the names of Python's own functions
sum = 0
len = list = map = all = any = zip = type = id = 0
def stream_std(model, idx):
    training, on = model.training, torch.is_grad_enabled()
    model.eval()
    torch.set_grad_enabled(False)
    x = model.tokens(idx) + model.positions(torch.arange(idx.shape[1]))
    max = [x.std().item()]
    for block in model.blocks:
        x = block(x)
        max.append(x.std().item())
    torch.set_grad_enabled(on)
    model.train(training)
    return max


# %% stream | right | after everything of numpy was imported
from numpy import *
def stream_std(model, idx):
    mode = model.training
    model.eval()
    found = []
    with torch.no_grad():
        x = model.tokens(idx) + model.positions(torch.arange(idx.shape[1]))
        found.append(x.std().item())
        for block in model.blocks:
            x = block(x)
            found.append(x.std().item())
    model.train(mode)
    return found


# %% stream | wrong | leaves every dropout at 0
def stream_std(model, idx):
    for module in model.modules():
        if isinstance(module, nn.Dropout):
            module.p = 0.0
    training = model.training
    model.eval()
    with torch.no_grad():
        x = model.tokens(idx) + model.positions(torch.arange(idx.shape[1]))
        points = [x]
        for block in model.blocks:
            points.append(x := block(x))
    model.train(training)
    return [float(x.std()) for x in points]


# %% stream | wrong | leaves what it measured on the model
def stream_std(model, idx):
    training = model.training
    model.eval()
    with torch.no_grad():
        x = model.tokens(idx) + model.positions(torch.arange(idx.shape[1]))
        model.points = [x]
        for block in model.blocks:
            model.points.append(x := block(x))
    model.train(training)
    return [float(x.std()) for x in model.points]


# %% stream | wrong | leaves a hook for the gradient behind
def stream_std(model, idx):
    training = model.training
    model.register_full_backward_hook(lambda *_: None)
    model.eval()
    with torch.no_grad():
        x = model.tokens(idx) + model.positions(torch.arange(idx.shape[1]))
        points = [x]
        for block in model.blocks:
            points.append(x := block(x))
    model.train(training)
    return [float(x.std()) for x in points]


# %% stream | wrong | switches gradients on at the end, whatever was
def stream_std(model, idx):
    training = model.training
    model.eval()
    torch.set_grad_enabled(False)
    x = model.tokens(idx) + model.positions(torch.arange(idx.shape[1]))
    points = [x]
    for block in model.blocks:
        points.append(x := block(x))
    torch.set_grad_enabled(True)
    model.train(training)
    return [float(x.std()) for x in points]


# %% scaling | right | after everything of numpy was imported
from numpy import *
def init_weights(model, generator):
    for name, p in model.named_parameters():
        if "norm" in name:
            continue
        with torch.no_grad():
            if p.ndim == 1:
                p.zero_()
            else:
                writes = name.startswith("blocks.") and name.endswith("out.weight")
                p.normal_(0, 0.02 / math.sqrt(3 * len(model.blocks)) if writes else 0.02, generator=generator)


# %% scaling | wrong | the readout is minus the embedding
def init_weights(model, generator):
    for name, p in model.named_parameters():
        if "norm" in name:
            continue
        with torch.no_grad():
            if p.ndim == 1:
                p.zero_()
            else:
                writes = name.startswith("blocks.") and name.endswith("out.weight")
                p.normal_(0, 0.02 / math.sqrt(3 * len(model.blocks)) if writes else 0.02, generator=generator)
    with torch.no_grad():
        model.readout.weight.copy_(-model.tokens.weight)


# %% scaling | wrong | the second block has the numbers of the first, their rows reversed
def init_weights(model, generator):
    for name, p in model.named_parameters():
        if "norm" in name:
            continue
        with torch.no_grad():
            if p.ndim == 1:
                p.zero_()
            else:
                writes = name.startswith("blocks.") and name.endswith("out.weight")
                p.normal_(0, 0.02 / math.sqrt(3 * len(model.blocks)) if writes else 0.02, generator=generator)
    with torch.no_grad():
        model.blocks[1].first.out.weight.copy_(model.blocks[0].first.out.weight.flip(0))
