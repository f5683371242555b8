"""PyTorch Geometric's conventions: MIVSPool as a layer, and in parts, for a network made of its modules.

``MIVSPooling`` stands where ``TopKPooling`` stands. ``SelectMIVS``, ``ConnectMIVS`` and ``Unpool`` are its parts, to
be combined with a reduction of one's own. ``AddMIVSLevels`` is a transform that stores the levels of pooling in
``PooledData``; importing ``mivspool.pyg.graphgym`` registers the layer with GraphGym. ``docs/pyg.md`` says what is
supported. Importing this module imports torch_geometric; nothing else of this package does.
"""

from mivspool.pyg.pooling import ConnectMIVS, MIVSPooling, SelectMIVS, Unpool
from mivspool.pyg.transform import AddMIVSLevels, PooledData

__all__ = ["AddMIVSLevels", "ConnectMIVS", "MIVSPooling", "PooledData", "SelectMIVS", "Unpool"]
