"""A network that reads every level where it was convolved, and the graph's size: its readouts stand side by side."""

from mivspool.learning.layers import Network

NETWORK = Network(
    name="multilevel",
    title="Multilevel network",
    about=(
        "GIN convolutions with residuals and batch normalisation; mean, max and scaled sum of every level, the "
        "unpooled graph included, concatenated, and an MLP."
    ),
    own={
        "convolution": "gin",
        "normalisation": "batch",
        "reduction": "sum",
        "readouts": "mean-max-sum",
        "readout_at": "convolved",
        "join": "concatenate",
    },
    place=20,
)
