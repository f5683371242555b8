"""Speed side by side with other libraries: each benchmark is a file with ``run(cpu_time: bool) -> document``.

    mivspool bench NAME [--json] [--write FOLDER]        or        python -m benchmarks NAME

A benchmark runs ours and the peer in turn in one process, several times, checks that both compute the same thing, and
gives medians and ratios (peer ÷ ours). The peers are in ``requirements-dev.txt``; those that are not installed are
named in the document's ``missing``. `tools/performance.py` makes docs/performance.md of the documents that are kept.
"""

BENCHMARKS = {
    "selection": "survivors, against pyamg and networkx",
    "threads": "selection, trace, assignment and the key by all threads, against one and against pyamg",
    "growth": "selection from 10⁴ to 10⁷ edges on random graphs, paths, grids and stars",
    "large": "selecting and pooling up to 10⁸ edges: time, memory and growth, against pyamg and networkx",
    "bound": "the paper's bound 5·V·d_max, and time against Kron reduction",
    "pooling": "the pooling layer, against torch-geometric-pool and PyTorch Geometric; its memory",
    "epoch": "one training epoch, against PyTorch Geometric's networks",
    "recording": "what recording the watched graphs at each epoch costs, against the epoch",
    "evaluation": "20 runs by all cores, against one worker",
    "classify": "one request to classify a graph of 40 vertices",
    "startup": "start of the command line, and what compiling costs once",
    "dot": "reading large DOT files",
    "app_canvas": "the canvas in Chromium: the first page, opening a graph, repainting a step",
    "first_drawing": "the first drawing of a training after Start, in Chromium",
    "device": "selection on a GPU against its memory bandwidth",
}
