"""Graph pooling by Maximal Independent Vertex Set (Stanovic, Gaüzère, Brun): library, command line and app."""

import lazy_loader

__version__ = "0.2.0.dev0"

# the names of __init__.pyi; the module of each is imported when the name is asked for
__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
