"""Passes over plain arrays and tensors, most of them compiled: what everything above is fast by.

They trust their input; the doors that check it are ``meer.py``, ``sparse.py`` and the pooling layers.
"""
