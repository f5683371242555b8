"""PyTorch Geometric's conventions: MIVSPool as a layer, and in parts, for a network made of its modules.

``MIVSPooling`` stands where ``TopKPooling`` stands. ``SelectMIVS``, ``ConnectMIVS`` and ``Unpool`` are its parts, to be
combined with a reduction of one's own. ``docs/pyg.md`` says what is supported. Importing this module imports
torch_geometric; nothing else of this package does.
"""

from mivspool.pyg.pooling import ConnectMIVS, MIVSPooling, SelectMIVS, Unpool

__all__ = ["ConnectMIVS", "MIVSPooling", "SelectMIVS", "Unpool"]
