"""The formats that are read, one file each: its ``FORMAT`` says what it is (see ``format.py``)."""
