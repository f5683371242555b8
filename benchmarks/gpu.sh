#!/bin/sh
# What only a GPU can show, in about 12 minutes: that it computes what the processor does, how fast it selects and trains,
# and one run of every kind. From a clone in which the project is installed with a CUDA build of PyTorch:
#
#     sh benchmarks/gpu.sh [FOLDER]
#
# The figures become FOLDER/device.json (docs/performance), what the tests said FOLDER/device-tests.txt, the runs
# FOLDER/device-runs/; `python -m tools.performance` then makes the page. Ends with 1 where there is no GPU, or a test
# failed.
set -eu
cd "$(dirname "$0")/.."
PYTHON=${PYTHON:-python}
FOLDER=${1:-docs/performance}
mkdir -p "$FOLDER"

"$PYTHON" -c 'import sys, torch; sys.exit(None if torch.cuda.is_available() else "there is no GPU here")'

failed=0
{
  "$PYTHON" -c 'import torch; print(torch.cuda.get_device_name(), "torch", torch.__version__)'
  date -u '+%Y-%m-%d %H:%M UTC'
  git rev-parse HEAD
  timeout 240 "$PYTHON" -m pytest -q -k gpu tests/arrays tests/pooling || failed=$?
  echo "exit status $failed"
} > "$FOLDER/device-tests.txt" 2>&1
tail -n 2 "$FOLDER/device-tests.txt"

timeout 240 "$PYTHON" -m mivspool bench device --write "$FOLDER"

timeout 180 "$PYTHON" -m mivspool evaluate PROTEINS --methods mivspool gpool none --folds 0 --device cuda \
  --results "$FOLDER/device-runs"
exit "$failed"
