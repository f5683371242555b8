import sys

from mivspool.cli import main

sys.exit(main())
