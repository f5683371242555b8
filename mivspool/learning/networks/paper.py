"""The network of the paper: K blocks of GCN and pooling, mean ‖ max after each, an MLP on their sum."""

from mivspool.learning.layers import Network

NETWORK = Network(
    name="paper",
    title="The paper's network",
    about="Blocks of GCN and pooling; mean and max after each pooling, added up, and an MLP.",
    own={
        "convolution": "gcn",
        "normalisation": "off",
        "reduction": "mean",
        "readouts": "mean-max",
        "readout_at": "pooled",
        "join": "sum",
    },
    blind_sums=True,
    place=10,
)
