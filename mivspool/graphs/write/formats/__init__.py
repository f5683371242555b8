"""The formats that graphs are written in, one file each: its ``WRITER`` says what it is (see ``format.py``)."""
