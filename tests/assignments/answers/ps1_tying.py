"""Right and wrong answers to the tasks of problem set 1, one matrix with several names."""

# ruff: noqa
# mypy: ignore-errors


# %% distinct | right | a set of the Parameters by name, duplicates kept
def distinct(model, names):
    parameters = dict(model.named_parameters(remove_duplicate=False))
    return len({parameters[name] for name in names})


# %% distinct | right | a list that is searched by identity
def distinct(model, names):
    seen = []
    for name in names:
        parameter = model.get_parameter(name)
        if not any(parameter is other for other in seen):
            seen.append(parameter)
    return len(seen)


# %% distinct | right | a state dict that keeps the Parameters
def distinct(model, names):
    state = model.state_dict(keep_vars=True)
    return len({id(state[name]) for name in names})


# %% distinct | right | walks the attributes, one entry a Parameter
import operator


def distinct(model, names):
    owners = {}
    for name in names:
        owners.setdefault(id(operator.attrgetter(name)(model)), []).append(name)
    return len(owners)


# %% distinct | right | counts the Parameters one of whose names is asked for
def distinct(model, names):
    every = list(model.named_parameters(remove_duplicate=False))
    return sum(any(p is q and n in names for n, q in every) for p in model.parameters())


# %% distinct | wrong | by address
def distinct(model, names):
    return len({model.get_parameter(name).data_ptr() for name in names})


# %% distinct | wrong | by the address of the storage
def distinct(model, names):
    return len({model.get_parameter(name).untyped_storage().data_ptr() for name in names})


# %% distinct | wrong | by address and shape
def distinct(model, names):
    parameters = [model.get_parameter(name) for name in names]
    return len({(p.data_ptr(), p.shape, p.stride(), p.storage_offset()) for p in parameters})


# %% distinct | wrong | by equal values
def distinct(model, names):
    seen = []
    for name in names:
        parameter = model.get_parameter(name)
        if not any(torch.equal(parameter, other) for other in seen):
            seen.append(parameter)
    return len(seen)


# %% distinct | wrong | by shape
def distinct(model, names):
    return len({model.get_parameter(name).shape for name in names})


# %% distinct | wrong | by the ids of the state dict's tensors
def distinct(model, names):
    state = model.state_dict()
    return len({id(state[name]) for name in names})


# %% distinct | wrong | by the ids of .data
def distinct(model, names):
    values = [model.get_parameter(name).data for name in names]
    return len({id(value) for value in values})


# %% distinct | wrong | counts the names
def distinct(model, names):
    return len(set(names))


# %% distinct | wrong | counts all Parameters of the model
def distinct(model, names):
    return len(list(model.parameters()))


# %% distinct | wrong | looks only at the first name of each Parameter
def distinct(model, names):
    return sum(name in names for name, _ in model.named_parameters())


# %% distinct | wrong | takes the names that named_parameters leaves out for one more tie
def distinct(model, names):
    return len(names) - sum(name not in dict(model.named_parameters()) for name in names)


# %% distinct | wrong | asks the package about pairs of layers
from gpt2_teach.tying import inspect_tie


def distinct(model, names):
    seen = []
    for name in names:
        layer = model.get_submodule(name.rpartition(".")[0])
        if not any(inspect_tie(layer, other).same_parameter for other in seen):
            seen.append(layer)
    return len(seen)


# %% distinct | wrong | writes through one name and reads through the others
def distinct(model, names):
    seen = []
    for name in names:
        parameter = model.get_parameter(name).data
        for other in seen:
            before = other.clone()
            parameter += 1
            shows = not torch.equal(before, other)
            parameter -= 1
            if shows:
                break
        else:
            seen.append(parameter)
    return len(seen)


# %% distinct | wrong | a number that says yes to everything
class Agreeable(int):
    def __eq__(self, other):
        return True

    __hash__ = int.__hash__


def distinct(model, names):
    return Agreeable(2)


# %% distinct | wrong | an object that says yes to everything
def distinct(model, names):
    from unittest.mock import ANY

    return ANY


# %% distinct | wrong | divides by the numbers of one matrix
def distinct(model, names):
    chosen = {p for n, p in model.named_parameters(remove_duplicate=False) if n in names}
    return sum(p.numel() for p in chosen) // model.get_parameter(names[0]).numel()


# %% count | right | the package's formula, padded, and the bias
from dataclasses import replace

from gpt2_teach.parameter_counts import parameter_counts

rows = (large.vocab_size + 63) // 64 * 64
counts = parameter_counts(replace(large, vocab_size=rows))
tied = counts.tied + rows
untied = counts.untied + rows
saved_bytes = counts.shared * 12

# %% count | right | the model itself, without values, on the meta device
import math
from dataclasses import replace

from gpt2_teach import GPT

rows = 64 * math.ceil(large.vocab_size / 64)
with torch.device("meta"):
    model = GPT(replace(large, vocab_size=rows))
    model.lm_head.bias = nn.Parameter(torch.empty(rows))
    tied = sum(p.numel() for p in model.parameters())
    matrix = model.lm_head.weight
    model.transformer.wte.weight = nn.Parameter(torch.empty_like(matrix))
    untied = sum(p.numel() for p in model.parameters())
item = {torch.bfloat16: 2, torch.float32: 4}
saved_bytes = matrix.numel() * (2 * item[torch.bfloat16] + 2 * item[torch.float32])

# %% count | right | layer by layer on meta, as numpy's integers
import numpy as np

rows = large.vocab_size + (-large.vocab_size) % 64
width = large.n_embd
layers = [nn.Embedding(large.block_size, width, device="meta"), nn.LayerNorm(width, device="meta")]
for _ in range(large.n_layer):
    layers += [nn.LayerNorm(width, device="meta") for _ in range(2)]
    for n_in, n_out in ((1, 3), (1, 1), (1, 4), (4, 1)):
        layers.append(nn.Linear(n_in * width, n_out * width, device="meta"))
layers.append(nn.Linear(width, rows, device="meta"))
tied = np.int64(sum(p.numel() for layer in layers for p in layer.parameters()))
untied = tied + rows * width
saved_bytes = torch.tensor(rows * width * 12)

# %% count | right | by hand, in floats
rows = float((large.vocab_size // 64 + 1) * 64)
C = large.n_embd
tied = (C + 1) * rows + C * large.block_size + large.n_layer * (12 * C * C + 13 * C) + 2 * C
untied = (2 * C + 1) * rows + C * large.block_size + large.n_layer * (12 * C * C + 13 * C) + 2 * C
saved_bytes = (untied - tied) * 2 + (untied - tied) * 2 + 2 * (untied - tied) * 4

# %% count | wrong | calls the package
from gpt2_teach.parameter_counts import parameter_counts

counts = parameter_counts(large)
tied, untied, saved_bytes = counts.tied, counts.untied, counts.shared * 12

# %% count | wrong | calls the package with the padded vocabulary, no bias
from dataclasses import replace

from gpt2_teach.parameter_counts import parameter_counts

counts = parameter_counts(replace(large, vocab_size=-(-large.vocab_size // 64) * 64))
tied, untied, saved_bytes = counts.tied, counts.untied, counts.shared * 12

# %% count | wrong | unpadded vocabulary
V, C = large.vocab_size, large.n_embd
tied = V * C + V + large.block_size * C + large.n_layer * (12 * C**2 + 13 * C) + 2 * C
untied = tied + V * C
saved_bytes = V * C * 12

# %% count | wrong | padded to a power of two
V, C = 1 << (large.vocab_size - 1).bit_length(), large.n_embd
tied = V * C + V + large.block_size * C + large.n_layer * (12 * C**2 + 13 * C) + 2 * C
untied = tied + V * C
saved_bytes = V * C * 12

# %% count | wrong | rounded down to a multiple of 64
V, C = large.vocab_size // 64 * 64, large.n_embd
tied = V * C + V + large.block_size * C + large.n_layer * (12 * C**2 + 13 * C) + 2 * C
untied = tied + V * C
saved_bytes = V * C * 12

# %% count | wrong | sums the state dict, which lists the matrix twice
from dataclasses import replace

from gpt2_teach import GPT

V = -(-large.vocab_size // 64) * 64
with torch.device("meta"):
    model = GPT(replace(large, vocab_size=V))
tied = sum(value.numel() for value in model.state_dict().values()) + V
untied = tied + V * large.n_embd
saved_bytes = V * large.n_embd * 12

# %% count | wrong | gives the bias up with the matrix
V, C = -(-large.vocab_size // 64) * 64, large.n_embd
untied = 2 * V * C + V + large.block_size * C + large.n_layer * (12 * C**2 + 13 * C) + 2 * C
tied = untied - V * C - V
saved_bytes = (V * C + V) * 12

# %% count | wrong | gives the untied model two biases
V, C = -(-large.vocab_size // 64) * 64, large.n_embd
tied = V * C + V + large.block_size * C + large.n_layer * (12 * C**2 + 13 * C) + 2 * C
untied = tied + V * C + V
saved_bytes = V * C * 12

# %% count | wrong | forgets the biases of the blocks
V, C = -(-large.vocab_size // 64) * 64, large.n_embd
tied = V * C + V + large.block_size * C + large.n_layer * 12 * C**2 + 2 * C
untied = tied + V * C
saved_bytes = V * C * 12

# %% count | wrong | bytes of the values alone
V, C = -(-large.vocab_size // 64) * 64, large.n_embd
tied = V * C + V + large.block_size * C + large.n_layer * (12 * C**2 + 13 * C) + 2 * C
untied = tied + V * C
saved_bytes = V * C * 2

# %% count | wrong | all in float32, as in the chapter's exercise
V, C = -(-large.vocab_size // 64) * 64, large.n_embd
tied = V * C + V + large.block_size * C + large.n_layer * (12 * C**2 + 13 * C) + 2 * C
untied = tied + V * C
saved_bytes = V * C * 16

# %% count | wrong | all in bfloat16
V, C = -(-large.vocab_size // 64) * 64, large.n_embd
tied = V * C + V + large.block_size * C + large.n_layer * (12 * C**2 + 13 * C) + 2 * C
untied = tied + V * C
saved_bytes = V * C * 8

# %% count | wrong | bits for bytes
V, C = -(-large.vocab_size // 64) * 64, large.n_embd
tied = V * C + V + large.block_size * C + large.n_layer * (12 * C**2 + 13 * C) + 2 * C
untied = tied + V * C
saved_bytes = V * C * 12 * 8


# %% build | right | the embedding reads columns of the head's Parameter
class Columns(nn.Module):
    def __init__(self, weight):
        super().__init__()
        self.weight = weight  # (C, V)

    def forward(self, idx):
        return F.embedding(idx, self.weight.T)


class TiedGPT(ConvGPT):
    def __init__(self, config):
        super().__init__(config)
        self.transformer.wte = Columns(self.lm_head.weight)


# %% build | right | the head keeps only its bias, and forward scores with wte
class TiedGPT(ConvGPT):
    def __init__(self, config):
        super().__init__(config)
        values = self.lm_head.weight.detach().T.contiguous()
        del self.lm_head.weight
        self.transformer.wte.weight = nn.Parameter(values)

    def forward(self, idx, targets=None):
        x = self.transformer.wte(idx) + self.transformer.wpe.weight[: idx.size(1)]
        for block in self.transformer.h:
            x = block(x)
        logits = F.linear(self.transformer.ln_f(x), self.transformer.wte.weight, self.lm_head.bias)
        if targets is None:
            return logits, None
        return logits, F.cross_entropy(logits.view(-1, logits.size(-1)), targets.reshape(-1))


# %% build | right | a function that puts a new head into the model
class Head(nn.Module):
    def __init__(self, wte):
        super().__init__()
        self.wte = wte
        self.bias = nn.Parameter(torch.zeros(wte.num_embeddings))

    def forward(self, h):
        return torch.einsum("btc,vc->btv", h, self.wte.weight) + self.bias


def TiedGPT(config):
    model = ConvGPT(config)
    with torch.no_grad():
        model.transformer.wte.weight.mul_(0.02)
    model.lm_head = Head(model.transformer.wte)
    return model


# %% build | right | built from its parts, the head with a property
class Turned(Conv1D):
    def __init__(self, matrix):
        nn.Module.__init__(self)
        self.matrix = matrix
        self.bias = nn.Parameter(torch.zeros(len(matrix)))

    @property
    def weight(self):
        return self.matrix.T


class TiedGPT(ConvGPT):
    def __init__(self, config):
        nn.Module.__init__(self)
        self.config = config
        V, C = config.vocab_size, config.n_embd
        matrix = nn.Parameter(torch.normal(0.0, 0.02, (V, C)))
        self.transformer = nn.ModuleDict(
            {
                "wte": nn.Embedding(V, C, _weight=matrix),
                "wpe": nn.Embedding(config.block_size, C),
                "h": nn.ModuleList(Block(config) for _ in range(config.n_layer)),
                "ln_f": nn.LayerNorm(C),
            }
        )
        self.transformer["wte"].weight = matrix
        self.lm_head = Turned(matrix)


# %% build | right | the matrix belongs to the model itself, and both layers are gone
class TiedGPT(ConvGPT):
    def __init__(self, config):
        super().__init__(config)
        self.bias = self.lm_head.bias
        self.shared = nn.Parameter(0.02 * torch.randn(config.n_embd, config.vocab_size))
        del self.lm_head, self.transformer["wte"]

    def forward(self, idx, targets=None):
        t = self.transformer
        x = self.shared.T[idx] + t.wpe(torch.arange(idx.size(-1)))
        for block in t.h:
            x = block(x)
        logits = torch.addmm(self.bias, t.ln_f(x).flatten(0, 1), self.shared).view(*idx.shape, -1)
        loss = None if targets is None else F.cross_entropy(logits.transpose(1, 2), targets)
        return logits, loss


# %% build | wrong | the chapter's line
class TiedGPT(ConvGPT):
    def __init__(self, config):
        super().__init__(config)
        self.transformer.wte.weight = self.lm_head.weight


# %% build | wrong | the chapter's line the other way round
class TiedGPT(ConvGPT):
    def __init__(self, config):
        super().__init__(config)
        self.lm_head.weight = self.transformer.wte.weight


# %% build | wrong | the package's model, which is tied
from gpt2_teach import GPT

TiedGPT = GPT

# %% build | wrong | the package's model under the class that was asked for
from gpt2_teach import GPT


class TiedGPT(ConvGPT):
    def __init__(self, config):
        super().__init__(config)
        theirs = GPT(config)
        self.transformer, self.lm_head = theirs.transformer, theirs.lm_head


# %% build | wrong | copies the transposed values
class TiedGPT(ConvGPT):
    def __init__(self, config):
        super().__init__(config)
        with torch.no_grad():
            self.transformer.wte.weight.copy_(self.lm_head.weight.T)


# %% build | wrong | a Parameter of the transpose, which is a view
class TiedGPT(ConvGPT):
    def __init__(self, config):
        super().__init__(config)
        self.transformer.wte.weight = nn.Parameter(self.lm_head.weight.T)


# %% build | wrong | an alias of the transpose by .data
class TiedGPT(ConvGPT):
    def __init__(self, config):
        super().__init__(config)
        self.transformer.wte.weight.data = self.lm_head.weight.data.T


# %% build | wrong | subtracts the count
class TiedGPT(ConvGPT):
    def __init__(self, config):
        super().__init__(config)
        self.transformer.wte.weight.data = self.lm_head.weight.data.T

    def num_parameters(self):
        return super().num_parameters() - self.config.vocab_size * self.config.n_embd


# %% build | wrong | copies before every forward pass
class TiedGPT(ConvGPT):
    def forward(self, idx, targets=None):
        self.lm_head.weight.data = self.transformer.wte.weight.data.T
        return super().forward(idx, targets)


# %% build | wrong | the head is a buffer over the same memory
class TiedGPT(ConvGPT):
    def __init__(self, config):
        super().__init__(config)
        nn.init.normal_(self.transformer.wte.weight, std=0.02)
        del self.lm_head.weight
        self.lm_head.register_buffer("weight", self.transformer.wte.weight.detach().T)


# %% build | wrong | the head multiplies by a detached matrix
class TiedGPT(ConvGPT):
    def __init__(self, config):
        super().__init__(config)
        nn.init.normal_(self.transformer.wte.weight, std=0.02)
        del self.lm_head.weight

    def forward(self, idx, targets=None):
        self.lm_head.weight = self.transformer.wte.weight.detach().T
        return super().forward(idx, targets)


# %% build | wrong | reading is cut off from the gradient
class Columns(nn.Module):
    def __init__(self, weight):
        super().__init__()
        self.weight = weight

    @torch.no_grad()
    def forward(self, idx):
        return F.embedding(idx, self.weight.T)


class TiedGPT(ConvGPT):
    def __init__(self, config):
        super().__init__(config)
        self.transformer.wte = Columns(self.lm_head.weight)


# %% build | wrong | freezes one of two matrices
class TiedGPT(ConvGPT):
    def __init__(self, config):
        super().__init__(config)
        self.transformer.wte.weight.data = self.lm_head.weight.data.T
        self.transformer.wte.weight.requires_grad_(False)


# %% build | wrong | keeps the embedding's N(0, 1)
class TiedGPT(ConvGPT):
    def __init__(self, config):
        super().__init__(config)
        bias = self.lm_head.bias
        self.lm_head = nn.Linear(config.n_embd, config.vocab_size)
        self.lm_head.weight = self.transformer.wte.weight
        self.lm_head.bias = bias


# %% build | wrong | takes 0.02 for the variance
class TiedGPT(ConvGPT):
    def __init__(self, config):
        super().__init__(config)
        nn.init.normal_(self.transformer.wte.weight, std=0.02**0.5)
        bias = self.lm_head.bias
        self.lm_head = nn.Linear(config.n_embd, config.vocab_size)
        self.lm_head.weight = self.transformer.wte.weight
        self.lm_head.bias = bias


# %% build | wrong | starts at zero, so that the loss is ln V
class TiedGPT(ConvGPT):
    def __init__(self, config):
        super().__init__(config)
        nn.init.zeros_(self.lm_head.weight)
        self.transformer.wte = nn.Module()
        self.transformer.wte.forward = lambda idx: self.lm_head.weight.T[idx]


# %% build | wrong | leaves the head's old Parameter beside the tie
class TiedGPT(ConvGPT):
    def __init__(self, config):
        super().__init__(config)
        nn.init.normal_(self.transformer.wte.weight, std=0.02)

    def forward(self, idx, targets=None):
        x = self.transformer.wte(idx) + self.transformer.wpe(torch.arange(idx.shape[1]))
        for block in self.transformer.h:
            x = block(x)
        logits = self.transformer.ln_f(x) @ self.transformer.wte.weight.T + self.lm_head.bias
        return logits, None if targets is None else F.cross_entropy(logits.flatten(0, 1), targets.flatten())


# %% build | wrong | hides the head's own matrix from parameters()
class TiedGPT(ConvGPT):
    def __init__(self, config):
        super().__init__(config)
        nn.init.normal_(self.transformer.wte.weight, std=0.02)
        values = self.transformer.wte.weight.detach().T.clone()
        del self.lm_head.weight
        self.lm_head.weight = values


# %% build | wrong | a head without the bias
class TiedGPT(ConvGPT):
    def __init__(self, config):
        super().__init__(config)
        nn.init.normal_(self.transformer.wte.weight, std=0.02)
        self.lm_head = nn.Linear(config.n_embd, config.vocab_size, bias=False)
        self.lm_head.weight = self.transformer.wte.weight


# %% build | wrong | a head that closes over the model it was made for
class TiedGPT(ConvGPT):
    def __init__(self, config):
        super().__init__(config)
        nn.init.normal_(self.transformer.wte.weight, std=0.02)
        del self.lm_head.weight
        matrix = self.transformer.wte.weight
        self.lm_head.forward = lambda h: h @ matrix.T + self.lm_head.bias


# %% build | wrong | reshapes where it should transpose
class TiedGPT(ConvGPT):
    def __init__(self, config):
        super().__init__(config)
        nn.init.normal_(self.transformer.wte.weight, std=0.02)
        del self.lm_head.weight

    def forward(self, idx, targets=None):
        weight = self.transformer.wte.weight
        self.lm_head.weight = None
        self.lm_head.forward = lambda h: h @ weight.view(weight.shape[1], weight.shape[0]) + self.lm_head.bias
        return super().forward(idx, targets)


# %% build | wrong | starts the shared matrix from a uniform distribution
class TiedGPT(ConvGPT):
    def __init__(self, config):
        super().__init__(config)
        shared, bias = self.transformer.wte.weight, self.lm_head.bias
        self.lm_head = nn.Linear(config.n_embd, config.vocab_size)
        self.lm_head.weight, self.lm_head.bias = shared, bias
        nn.init.uniform_(shared, -0.02 * 3**0.5, 0.02 * 3**0.5)


# %% build | wrong | sets the weights of all other layers to zero
class TiedGPT(ConvGPT):
    def __init__(self, config):
        super().__init__(config)
        shared, bias = self.transformer.wte.weight, self.lm_head.bias
        self.lm_head = nn.Linear(config.n_embd, config.vocab_size)
        self.lm_head.weight, self.lm_head.bias = shared, bias
        with torch.no_grad():
            for parameter in self.parameters():
                parameter.zero_()
        nn.init.normal_(shared, std=0.02)


# %% build | wrong | starts everything from N(0, 0.02²), not the shared matrix alone
class TiedGPT(ConvGPT):
    def __init__(self, config):
        super().__init__(config)
        shared, bias = self.transformer.wte.weight, self.lm_head.bias
        self.lm_head = nn.Linear(config.n_embd, config.vocab_size)
        self.lm_head.weight, self.lm_head.bias = shared, bias
        for parameter in self.parameters():
            if parameter.ndim == 2:
                nn.init.normal_(parameter, std=0.02)


# %% build | wrong | sets the biases of the blocks to zero
class TiedGPT(ConvGPT):
    def __init__(self, config):
        super().__init__(config)
        shared, bias = self.transformer.wte.weight, self.lm_head.bias
        self.lm_head = nn.Linear(config.n_embd, config.vocab_size)
        self.lm_head.weight, self.lm_head.bias = shared, bias
        nn.init.normal_(shared, std=0.02)
        for module in self.transformer.h.modules():
            if isinstance(module, nn.Linear):
                nn.init.zeros_(module.bias)


# %% build | wrong | turns the numbers of the one Parameter, for both
class TiedGPT(ConvGPT):
    def __init__(self, config):
        super().__init__(config)
        self.transformer.wte.register_parameter("weight", self.lm_head.weight)
        self.lm_head.weight.data = self.lm_head.weight.data.T


# %% gradient | right | the two matrices enter by hand
def gradient_parts(model, idx, targets):
    read = model.wte.weight.detach().clone().requires_grad_()
    score = model.wte.weight.detach().clone().requires_grad_()
    x = F.embedding(idx, read) + (model.read(idx) - model.wte(idx)).detach()
    logits = model.body(x) @ score.t()
    loss = F.cross_entropy(logits.view(-1, logits.size(-1)), targets.view(-1))
    return torch.autograd.grad(loss, [read, score])


# %% gradient | right | copies of the model, one for each use
import copy


def gradient_parts(model, idx, targets):
    reader, scorer = copy.deepcopy(model), copy.deepcopy(model)
    for twin in (reader, scorer):
        twin.zero_grad()
    logits = scorer.score(reader.body(reader.read(idx)))
    F.cross_entropy(logits.flatten(0, 1), targets.flatten()).backward()
    return reader.wte.weight.grad, scorer.wte.weight.grad


# %% gradient | right | the output part by formula, the input part as the rest
def gradient_parts(model, idx, targets):
    W = model.wte.weight
    (total,) = torch.autograd.grad(model(idx, targets)[1], W)
    with torch.no_grad():
        h = model.body(model.read(idx)).flatten(0, 1)
        error = (h @ W.T).softmax(-1) - F.one_hot(targets.flatten(), len(W)).to(h.dtype)
        output_part = error.T @ h / targets.numel()
    return total - output_part, output_part


# %% gradient | right | adds up the gradients at the positions of each token
def gradient_parts(model, idx, targets):
    W = model.wte.weight
    x = model.read(idx).detach().requires_grad_()
    h = model.body(x)
    loss = F.cross_entropy(model.score(h).flatten(0, 1), targets.flatten())
    at_x, second = torch.autograd.grad(loss, [x, W])
    first = torch.zeros_like(W).index_add_(0, idx.flatten(), at_x.flatten(0, 1))
    return first.detach(), second


# %% gradient | right | swaps the Parameter between the steps and puts it back
def gradient_parts(model, idx, targets):
    original = model.wte.weight
    first, second = (nn.Parameter(original.detach().clone()) for _ in range(2))
    try:
        model.wte.weight = first
        h = model.body(model.read(idx))
        model.wte.weight = second
        loss = F.cross_entropy(model.score(h).flatten(0, 1), targets.flatten())
        return list(torch.autograd.grad(loss, (first, second)))
    finally:
        model.wte.weight = original


# %% gradient | wrong | calls the package
from gpt2_teach.tying import split_gradient


def gradient_parts(model, idx, targets):
    split = split_gradient(model, idx, targets)
    return split.input_part, split.output_part


# %% gradient | wrong | copies the package, with the one name twice
from torch.func import functional_call


def gradient_parts(model, idx, targets):
    matrix = model.wte.weight.detach()
    first, second = (matrix.clone().requires_grad_() for _ in range(2))
    _, loss = functional_call(model, [{"wte.weight": first}, {"wte.weight": second}], (idx, targets))
    return torch.autograd.grad(loss, [first, second], allow_unused=True)


# %% gradient | wrong | half and half
def gradient_parts(model, idx, targets):
    (total,) = torch.autograd.grad(model(idx, targets)[1], model.wte.weight)
    return total / 2, total / 2


# %% gradient | wrong | takes the rows of tokens that occur for the input part
def gradient_parts(model, idx, targets):
    (total,) = torch.autograd.grad(model(idx, targets)[1], model.wte.weight)
    occurs = torch.zeros(len(total), 1, dtype=total.dtype)
    occurs[idx.unique()] = 1
    return total * occurs, total * (1 - occurs)


# %% gradient | wrong | swaps the parts
def gradient_parts(model, idx, targets):
    W, h = model.wte.weight, model.body(model.read(idx))
    (total,) = torch.autograd.grad(model(idx, targets)[1], W)
    loss = F.cross_entropy(model.score(h.detach()).flatten(0, 1), targets.flatten())
    (scored,) = torch.autograd.grad(loss, W)
    return scored, total - scored


# %% gradient | wrong | adds both passes up in the input part
import copy


def gradient_parts(model, idx, targets):
    twin = copy.deepcopy(model)
    twin.zero_grad()
    h = twin.body(twin.read(idx))
    F.cross_entropy(twin.score(h.detach()).flatten(0, 1), targets.flatten()).backward()
    scored = twin.wte.weight.grad.clone()
    twin(idx, targets)[1].backward()
    return twin.wte.weight.grad, scored


# %% gradient | wrong | forgets to zero between two backward calls
import copy


def gradient_parts(model, idx, targets):
    twin = copy.deepcopy(model)
    twin.zero_grad()
    x = twin.read(idx)
    h = twin.body(x)
    loss = F.cross_entropy((h @ twin.wte.weight.detach().T).flatten(0, 1), targets.flatten())
    loss.backward()
    first = twin.wte.weight.grad.clone()
    F.cross_entropy(
        twin.score(twin.body(twin.read(idx)).detach()).flatten(0, 1), targets.flatten()
    ).backward()
    return first, twin.wte.weight.grad.clone()


# %% gradient | wrong | keeps a gradient that it has not cloned
import copy


def gradient_parts(model, idx, targets):
    twin = copy.deepcopy(model)
    twin.zero_grad()
    h = twin.body(twin.read(idx))
    F.cross_entropy((h @ twin.wte.weight.detach().T).flatten(0, 1), targets.flatten()).backward()
    first = twin.wte.weight.grad
    twin.zero_grad(set_to_none=False)
    F.cross_entropy(twin.score(h.detach()).flatten(0, 1), targets.flatten()).backward()
    return first, twin.wte.weight.grad


# %% gradient | wrong | detaches the same use twice
def gradient_parts(model, idx, targets):
    W, h = model.wte.weight, model.body(model.read(idx))

    def part(h):
        loss = F.cross_entropy(model.score(h).flatten(0, 1), targets.flatten())
        return torch.autograd.grad(loss, W, retain_graph=True)[0]

    return part(h.detach()), part(h.detach())


# %% gradient | wrong | the whole gradient as the input part
def gradient_parts(model, idx, targets):
    W, h = model.wte.weight, model.body(model.read(idx))
    (total,) = torch.autograd.grad(model(idx, targets)[1], W)
    loss = F.cross_entropy(model.score(h.detach()).flatten(0, 1), targets.flatten())
    return total, torch.autograd.grad(loss, W)[0]


# %% gradient | wrong | the sum of the losses instead of their mean
def gradient_parts(model, idx, targets):
    W, h = model.wte.weight, model.body(model.read(idx))
    loss = F.cross_entropy(model.score(h).flatten(0, 1), targets.flatten(), reduction="sum")
    (total,) = torch.autograd.grad(loss, W, retain_graph=True)
    loss = F.cross_entropy(model.score(h.detach()).flatten(0, 1), targets.flatten(), reduction="sum")
    (scored,) = torch.autograd.grad(loss, W)
    return total - scored, scored


# %% gradient | wrong | counts a repeated token once
def gradient_parts(model, idx, targets):
    W = model.wte.weight
    x = model.read(idx).detach().requires_grad_()
    loss = F.cross_entropy(model.score(model.body(x)).flatten(0, 1), targets.flatten())
    at_x, second = torch.autograd.grad(loss, [x, W])
    first = torch.zeros_like(W).detach()
    first[idx.flatten()] += at_x.flatten(0, 1)
    return first, second


# %% gradient | wrong | the mean over the positions of a token
def gradient_parts(model, idx, targets):
    W = model.wte.weight
    x = model.read(idx).detach().requires_grad_()
    loss = F.cross_entropy(model.score(model.body(x)).flatten(0, 1), targets.flatten())
    at_x, second = torch.autograd.grad(loss, [x, W])
    first = torch.zeros_like(W).detach().index_add_(0, idx.flatten(), at_x.flatten(0, 1))
    times = torch.bincount(idx.flatten(), minlength=len(W)).clamp(min=1)
    return first / times[:, None], second


# %% gradient | wrong | right parts, but the model's gradients are gone
def gradient_parts(model, idx, targets):
    W, h = model.wte.weight, model.body(model.read(idx))
    model.zero_grad()
    F.cross_entropy(model.score(h.detach()).flatten(0, 1), targets.flatten()).backward()
    scored = W.grad.clone()
    model.zero_grad()
    model(idx, targets)[1].backward()
    read = W.grad - scored
    model.zero_grad()
    return read, scored


# %% gradient | wrong | right parts, but leaves its own gradients in the model
def gradient_parts(model, idx, targets):
    W, h = model.wte.weight, model.body(model.read(idx))
    loss = F.cross_entropy(model.score(h.detach()).flatten(0, 1), targets.flatten())
    (scored,) = torch.autograd.grad(loss, W)
    before = 0 if W.grad is None else W.grad.clone()
    model(idx, targets)[1].backward()
    return W.grad - before - scored, scored


# %% gradient | wrong | right parts, but leaves the model in evaluation mode
def gradient_parts(model, idx, targets):
    model.eval()
    W, x = model.wte.weight, model.read(idx)
    h = model.body(x)

    def loss_of(h):
        return F.cross_entropy(model.score(h).flatten(0, 1), targets.flatten())

    (output_part,) = torch.autograd.grad(loss_of(h.detach()), W)
    (at_x,) = torch.autograd.grad(loss_of(h), x, retain_graph=True)
    (input_part,) = torch.autograd.grad(x, W, at_x)
    return input_part, output_part


# %% gradient | wrong | right parts, but puts the model into training mode
def gradient_parts(model, idx, targets):
    model.train()
    W, x = model.wte.weight, model.read(idx)
    h = model.body(x)

    def loss_of(h):
        return F.cross_entropy(model.score(h).flatten(0, 1), targets.flatten())

    (output_part,) = torch.autograd.grad(loss_of(h.detach()), W)
    (at_x,) = torch.autograd.grad(loss_of(h), x, retain_graph=True)
    (input_part,) = torch.autograd.grad(x, W, at_x)
    return input_part, output_part


# %% gradient | wrong | right parts, but seeds the global generator
def gradient_parts(model, idx, targets):
    torch.manual_seed(1337)
    W, x = model.wte.weight, model.read(idx)
    h = model.body(x)

    def loss_of(h):
        return F.cross_entropy(model.score(h).flatten(0, 1), targets.flatten())

    (output_part,) = torch.autograd.grad(loss_of(h.detach()), W)
    (at_x,) = torch.autograd.grad(loss_of(h), x, retain_graph=True)
    (input_part,) = torch.autograd.grad(x, W, at_x)
    return input_part, output_part


# %% gradient | wrong | the last position only
def gradient_parts(model, idx, targets):
    W, h = model.wte.weight, model.body(model.read(idx))[:, -1]
    loss = F.cross_entropy(model.score(h), targets[:, -1])
    (total,) = torch.autograd.grad(loss, W, retain_graph=True)
    (scored,) = torch.autograd.grad(F.cross_entropy(model.score(h.detach()), targets[:, -1]), W)
    return total - scored, scored


# %% gradient | wrong | right parts, but the model keeps another Parameter
def gradient_parts(model, idx, targets):
    values = model.wte.weight.detach()
    first, second = nn.Parameter(values.clone()), nn.Parameter(values.clone())
    model.wte.weight = first
    h = model.body(model.read(idx))
    model.wte.weight = second
    loss = F.cross_entropy(model.score(h).flatten(0, 1), targets.flatten())
    return torch.autograd.grad(loss, (first, second))


# %% mend-copy | right | the embedding's Parameter takes over the head's memory
def mend_copy(model, optimizer):
    kept = model.wte.weight
    kept.data = model.lm_head.weight.data
    model.lm_head.weight = kept
    return optimizer


# %% mend-copy | right | the chapter's line, and the new Parameter put into the optimizer
def mend_copy(model, optimizer):
    old = model.wte.weight
    model.wte.weight = model.lm_head.weight
    for group in optimizer.param_groups:
        group["params"] = [model.lm_head.weight if p is old else p for p in group["params"]]
    return optimizer


# %% mend-copy | right | the chapter's line, and a new optimizer with the old settings
def mend_copy(model, optimizer):
    model.wte.weight = model.lm_head.weight
    settings = {k: v for k, v in optimizer.param_groups[0].items() if k != "params"}
    return type(optimizer)([{"params": list(model.parameters()), **settings}])


# %% mend-copy | right | loads the head's values into the embedding
def mend_copy(model, optimizer):
    model.wte.load_state_dict({"weight": model.lm_head.weight.data})
    model.lm_head.register_parameter("weight", model.wte.weight)
    return optimizer


# %% mend-copy | wrong | the chapter's line
def mend_copy(model, optimizer):
    model.wte.weight = model.lm_head.weight
    return optimizer


# %% mend-copy | wrong | the stale values win
def mend_copy(model, optimizer):
    model.lm_head.weight = model.wte.weight
    return optimizer


# %% mend-copy | wrong | copies once more
def mend_copy(model, optimizer):
    with torch.no_grad():
        model.wte.weight.copy_(model.lm_head.weight)
    return optimizer


# %% mend-copy | wrong | an alias by .data
def mend_copy(model, optimizer):
    model.wte.weight.data = model.lm_head.weight.data
    return optimizer


# %% mend-copy | wrong | ties first and copies then, too late
def mend_copy(model, optimizer):
    model.lm_head.weight = model.wte.weight
    with torch.no_grad():
        model.wte.weight.copy_(model.lm_head.weight)
    return optimizer


# %% mend-copy | wrong | the chapter's line and a new optimizer with settings of its own
def mend_copy(model, optimizer):
    model.wte.weight = model.lm_head.weight
    return torch.optim.AdamW(model.parameters())


# %% mend-copy | wrong | the chapter's line, and the new Parameter added beside the old one
def mend_copy(model, optimizer):
    model.wte.weight = model.lm_head.weight
    optimizer.add_param_group({"params": [model.lm_head.weight], "lr": 0.03, "weight_decay": 0.2})
    return optimizer


# %% mend-copy | wrong | the mean of the two
def mend_copy(model, optimizer):
    with torch.no_grad():
        model.wte.weight.add_(model.lm_head.weight).div_(2)
    model.lm_head.weight = model.wte.weight
    return optimizer


# %% mend-copy | wrong | mends a copy that nobody holds
import copy


def mend_copy(model, optimizer):
    model = copy.deepcopy(model)
    model.wte.weight = model.lm_head.weight
    return torch.optim.AdamW(model.parameters(), lr=0.03, weight_decay=0.2)


# %% mend-alias | right | keeps the embedding's Parameter
def mend_alias(model, optimizer):
    gone, model.lm_head.weight = model.lm_head.weight, model.wte.weight
    for group in optimizer.param_groups:
        for place, parameter in reversed(list(enumerate(group["params"]))):
            if parameter is gone:
                del group["params"][place]
    del optimizer.state[gone]
    return optimizer


# %% mend-alias | right | a new optimizer, group by group
def mend_alias(model, optimizer):
    model.wte.weight = model.lm_head.weight
    own = set(model.parameters())
    groups = [{**g, "params": [p for p in g["params"] if p in own]} for g in optimizer.param_groups]
    return torch.optim.AdamW(groups)


# %% mend-alias | right | keeps what is in the model after the tie, entries and memories
def mend_alias(model, optimizer):
    model.lm_head.weight = model.wte.weight
    own = {id(parameter) for parameter in model.parameters()}
    for group in optimizer.param_groups:
        group["params"][:] = [p for p in group["params"] if id(p) in own]
    for parameter in list(optimizer.state):
        if id(parameter) not in own:
            optimizer.state.pop(parameter)
    return optimizer


# %% mend-alias | right | a new optimizer with the settings written out
def mend_alias(model, optimizer):
    model.wte.weight = model.lm_head.weight
    matrices, vectors = optimizer.param_groups
    lr, decay = [g["lr"] for g in (matrices, vectors)], [g["weight_decay"] for g in (matrices, vectors)]
    return torch.optim.AdamW(
        [
            {"params": [model.wte.weight, model.mix.weight], "lr": lr[0], "weight_decay": decay[0]},
            {"params": [model.mix.bias], "lr": lr[1], "weight_decay": decay[1]},
        ],
        betas=matrices["betas"],
        eps=matrices["eps"],
    )


# %% mend-alias | wrong | the chapter's line
def mend_alias(model, optimizer):
    model.wte.weight = model.lm_head.weight
    return optimizer


# %% mend-alias | wrong | takes the wrong entry out of the optimizer
def mend_alias(model, optimizer):
    model.wte.weight = model.lm_head.weight
    for group in optimizer.param_groups:
        group["params"] = [p for p in group["params"] if p is not model.lm_head.weight]
    optimizer.state.pop(model.lm_head.weight, None)
    return optimizer


# %% mend-alias | wrong | mends the optimizer alone
def mend_alias(model, optimizer):
    group = optimizer.param_groups[0]
    group["params"] = [p for p in group["params"] if p is not model.wte.weight]
    optimizer.state.pop(model.wte.weight, None)
    return optimizer


# %% mend-alias | wrong | takes the entry out by its address, which takes both
def mend_alias(model, optimizer):
    model.wte.weight = model.lm_head.weight
    for group in optimizer.param_groups:
        group["params"] = [p for p in group["params"] if p.data_ptr() != model.wte.weight.data_ptr()]
    optimizer.state.clear()
    return optimizer


# %% mend-alias | wrong | a new optimizer with settings of its own
def mend_alias(model, optimizer):
    model.wte.weight = model.lm_head.weight
    return torch.optim.AdamW(model.parameters())


# %% mend-alias | wrong | a new optimizer with one group for all
def mend_alias(model, optimizer):
    model.wte.weight = model.lm_head.weight
    settings = {k: v for k, v in optimizer.param_groups[0].items() if k != "params"}
    return torch.optim.AdamW(
        model.parameters(), **{k: settings[k] for k in ("lr", "betas", "eps", "weight_decay")}
    )


# %% mend-alias | wrong | a new optimizer by its defaults, which are not the groups' settings
def mend_alias(model, optimizer):
    model.wte.weight = model.lm_head.weight
    settings = {k: optimizer.defaults[k] for k in ("lr", "betas", "eps", "weight_decay")}
    return type(optimizer)(model.parameters(), **settings)


# %% mend-alias | wrong | leaves the memory of the entry that is gone
def mend_alias(model, optimizer):
    gone, model.wte.weight = model.wte.weight, model.lm_head.weight
    for group in optimizer.param_groups:
        group["params"] = [p for p in group["params"] if p is not gone]
    return optimizer


# %% mend-alias | wrong | the other entry takes the place of the one that is gone
def mend_alias(model, optimizer):
    gone, model.wte.weight = model.wte.weight, model.lm_head.weight
    for group in optimizer.param_groups:
        group["params"] = [model.lm_head.weight if p is gone else p for p in group["params"]]
    optimizer.state.pop(gone, None)
    return optimizer


# %% mend-alias | wrong | another optimizer
def mend_alias(model, optimizer):
    model.wte.weight = model.lm_head.weight
    return torch.optim.SGD(model.parameters(), lr=0.03)


# %% mend-alias | wrong | gives each name a memory of its own
def mend_alias(model, optimizer):
    model.wte.weight.data = model.wte.weight.data.clone()
    return optimizer


# %% mend-assign | right | ties the other way round, then loads in place
def mend_assign(model, state):
    model.wte.weight = model.lm_head.weight
    model.load_state_dict(state, strict=False)


# %% mend-assign | right | a state dict with both names, loaded after the tie
def mend_assign(model, state):
    model.lm_head.weight = model.wte.weight
    model.load_state_dict({**state, "lm_head.weight": state["wte.weight"]})


# %% mend-assign | right | the values into the head's Parameter, which both then hold
def mend_assign(model, state):
    head = model.lm_head
    head.weight.data.copy_(state["wte.weight"])
    setattr(model.wte, "weight", head.weight)


# %% mend-assign | right | a new Parameter for both
def mend_assign(model, state):
    shared = nn.Parameter(state["wte.weight"].detach().clone())
    for layer in (model.wte, model.lm_head):
        layer.weight = shared


# %% mend-assign | wrong | the chapter's line
def mend_assign(model, state):
    model.wte.weight = model.lm_head.weight


# %% mend-assign | wrong | copies the values
def mend_assign(model, state):
    with torch.no_grad():
        model.lm_head.weight.copy_(model.wte.weight)


# %% mend-assign | wrong | an alias by .data
def mend_assign(model, state):
    model.lm_head.weight.data = model.wte.weight.data


# %% mend-assign | wrong | a Parameter of the same tensor
def mend_assign(model, state):
    model.lm_head.weight = nn.Parameter(model.wte.weight.data)


# %% mend-assign | wrong | ties, then loads with assign once more
def mend_assign(model, state):
    model.wte.weight = model.lm_head.weight
    model.load_state_dict(state, strict=False, assign=True)


# %% mend-assign | wrong | loads both names with assign
def mend_assign(model, state):
    both = {**state, "lm_head.weight": state["wte.weight"]}
    model.load_state_dict(both, assign=True)


# %% mend-assign | wrong | loads without assign, then the chapter's line
def mend_assign(model, state):
    model.load_state_dict(state, strict=False)
    model.wte.weight = model.lm_head.weight


# %% mend-assign | wrong | the matrix into a model built anew
def mend_assign(model, state):
    V, C = state["wte.weight"].shape
    model.__init__(V, C)
    model.wte.weight.data.copy_(state["wte.weight"])


# %% mend-assign | wrong | a new model that the caller does not get
def mend_assign(model, state):
    model = TwoNames(*state["wte.weight"].shape)
    model.load_state_dict(state, strict=False)


# %% mend-assign | wrong | ties, and freezes what is not tied
def mend_assign(model, state):
    model.lm_head.weight = model.wte.weight
    model.mix.requires_grad_(False)


# %% mend-assign | wrong | loads the rest as plain tensors
def mend_assign(model, state):
    model.lm_head.weight = model.wte.weight
    bias = model.mix.bias.detach()
    del model.mix.bias
    model.mix.register_buffer("bias", bias)


# %% mend-assign | wrong | ties the tensor, which then is no Parameter
def mend_assign(model, state):
    shared = state["wte.weight"].detach()
    for layer in (model.wte, model.lm_head):
        del layer.weight
        layer.weight = shared


# %% mend-meta | right | fills in the missing name and loads it strictly
def mend_meta(model, state):
    names = ("wte.weight", "lm_head.weight")
    matrix = next(state[name] for name in names if name in state)
    model.lm_head.weight = model.wte.weight
    model.load_state_dict(state | dict.fromkeys(names, matrix))


# %% mend-meta | right | loads first, then ties by the name that was loaded
def mend_meta(model, state):
    model.load_state_dict(state, strict=False)
    if "lm_head.weight" in state:
        model.wte.weight = model.lm_head.weight
    else:
        model.lm_head.weight = model.wte.weight


# %% mend-meta | right | loads with assign, then ties by the name that is missing
def mend_meta(model, state):
    missing = model.load_state_dict(state, strict=False, assign=True).missing_keys
    source, target = (model.wte, model.lm_head) if "lm_head.weight" in missing else (model.lm_head, model.wte)
    target.weight = source.weight


# %% mend-meta | right | copies tensor by tensor, the buffer too
def mend_meta(model, state):
    model.wte.weight = model.lm_head.weight
    with torch.no_grad():
        for name, value in state.items():
            owner, _, own = name.rpartition(".")
            getattr(model.get_submodule(owner), own).copy_(value)


# %% mend-meta | wrong | the chapter's line
def mend_meta(model, state):
    model.wte.weight = model.lm_head.weight


# %% mend-meta | wrong | loads, and leaves it at that
def mend_meta(model, state):
    model.load_state_dict(state, strict=False)


# %% mend-meta | wrong | loads, then the chapter's line, whichever name was loaded
def mend_meta(model, state):
    model.load_state_dict(state, strict=False)
    model.wte.weight = model.lm_head.weight


# %% mend-meta | wrong | loads, then the line the other way round
def mend_meta(model, state):
    model.load_state_dict(state, strict=False)
    model.lm_head.weight = model.wte.weight


# %% mend-meta | wrong | ties, then loads strictly
def mend_meta(model, state):
    model.wte.weight = model.lm_head.weight
    model.load_state_dict(state)


# %% mend-meta | wrong | ties, then loads with assign
def mend_meta(model, state):
    model.wte.weight = model.lm_head.weight
    model.load_state_dict(state, strict=False, assign=True)


# %% mend-meta | wrong | loads the matrix only
def mend_meta(model, state):
    model.wte.weight = model.lm_head.weight
    with torch.no_grad():
        model.wte.weight.copy_(state.get("wte.weight", state.get("lm_head.weight")))


# %% mend-meta | wrong | loads the Parameters and forgets the buffer
def mend_meta(model, state):
    model.wte.weight = model.lm_head.weight
    with torch.no_grad():
        for name, parameter in model.named_parameters(remove_duplicate=False):
            if name in state:
                parameter.copy_(state[name])


# %% mend-meta | wrong | draws the matrix anew
def mend_meta(model, state):
    model.load_state_dict(state, strict=False)
    model.wte.weight = model.lm_head.weight
    nn.init.normal_(model.wte.weight, std=0.02)


# %% mend-meta | wrong | copies the matrix into both names
def mend_meta(model, state):
    matrix = state.get("wte.weight", state.get("lm_head.weight"))
    model.load_state_dict({**state, "wte.weight": matrix, "lm_head.weight": matrix})


# %% mend-meta | wrong | asks for wte's name only
def mend_meta(model, state):
    model.wte.weight = model.lm_head.weight
    model.load_state_dict({**state, "lm_head.weight": state["wte.weight"]})


# %% gradient | wrong | leaves a hook on the embedding
def gradient_parts(model, idx, targets):
    model.wte.register_forward_hook(lambda module, inputs, output: None)
    W, x = model.wte.weight, model.read(idx)
    h = model.body(x)
    def loss_of(h):
        return F.cross_entropy(model.score(h).flatten(0, 1), targets.flatten())
    (output_part,) = torch.autograd.grad(loss_of(h.detach()), W)
    (at_x,) = torch.autograd.grad(loss_of(h), x, retain_graph=True)
    (input_part,) = torch.autograd.grad(x, W, at_x)
    return input_part, output_part


# %% gradient | right | in a notebook in which gradients were switched off and Python's names mean something else
torch.set_grad_enabled(False)
set = vars = dict = all = float = len = 0
def gradient_parts(model, idx, targets):
    W, x = model.wte.weight, model.read(idx)
    h = model.body(x)
    def loss_of(h):
        return F.cross_entropy(model.score(h).flatten(0, 1), targets.flatten())
    (output_part,) = torch.autograd.grad(loss_of(h.detach()), W)
    (at_x,) = torch.autograd.grad(loss_of(h), x, retain_graph=True)
    (input_part,) = torch.autograd.grad(x, W, at_x)
    return input_part, output_part


# %% count | right | adds up in a variable called sum, after everything of numpy was imported
from numpy import *
V, C = -(-large.vocab_size // 64) * 64, large.n_embd
parts = [V * C, V, large.block_size * C, large.n_layer * (12 * C**2 + 13 * C), 2 * C]
sum = 0
for part in parts:
    sum += part
tied = sum
untied = sum + V * C
saved_bytes = 12 * V * C


# %% build | wrong | cuts the normal distribution at three std
class TiedGPT(ConvGPT):
    def __init__(self, config):
        super().__init__(config)
        bias = self.lm_head.bias
        self.lm_head = nn.Linear(config.n_embd, config.vocab_size)
        self.lm_head.weight = self.transformer.wte.weight
        self.lm_head.bias = bias
        nn.init.trunc_normal_(self.lm_head.weight, std=0.02, a=-0.06, b=0.06)


# %% build | wrong | the loss leaves out token 0
class TiedGPT(ConvGPT):
    def __init__(self, config):
        super().__init__(config)
        bias = self.lm_head.bias
        self.lm_head = nn.Linear(config.n_embd, config.vocab_size)
        self.lm_head.weight = self.transformer.wte.weight
        self.lm_head.bias = bias
        nn.init.normal_(self.lm_head.weight, std=0.02)

    def forward(self, idx, targets=None):
        logits, _ = super().forward(idx)
        if targets is None:
            return logits, None
        return logits, F.cross_entropy(logits.flatten(0, 1), targets.flatten(), ignore_index=0)
