"""The networks that a run can choose from, a file each (``learning/layers.py``)."""
