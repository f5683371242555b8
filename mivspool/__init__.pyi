from . import meer as meer
from .graphs import load_dataset as load_dataset
from .graphs import open_source as open_source
from .graphs import read_graph as read_graph
from .graphs import read_graphs as read_graphs
from .graphs.graph import Graph as Graph
from .learning.models import load_model as load_model
from .levels import step as step
from .pooling import MIVSPool as MIVSPool

__version__: str
