"""The scores, one file each: its ``SCORE`` says what it is (see ``score.py``)."""
