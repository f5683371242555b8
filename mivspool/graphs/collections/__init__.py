"""The collections of graphs, one file each: its ``COLLECTION`` says what it is (see ``collection.py``)."""
