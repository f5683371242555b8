"""The pooling methods, one file each: its ``METHOD`` says what it is (see ``method.py``)."""
