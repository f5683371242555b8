"""``python -m benchmarks NAME [--json]``, the same as ``mivspool bench``."""

import sys

from mivspool.cli import main

sys.exit(main(["bench", *sys.argv[1:]]))
