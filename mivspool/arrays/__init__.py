"""Operations on arrays and tensors, in torch operations and compiled, and the table that picks one (``table``).

They trust their input; it is checked in ``meer.py``, ``sparse.py`` and the pooling layers, by ``checks``.
"""
