"""Where graphs come from: data sets, classics, files; and how they fit a model, are drawn and written."""

import lazy_loader

# the names of __init__.pyi; the module of each is imported when the name is asked for
__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
