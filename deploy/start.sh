#!/bin/sh
# Starts a command in the image. The loops were compiled when it was built; numba reads them from a folder only if it can
# write there, so on a read-only root it gets a copy. Where there is no place for one, each process compiles for itself.
set -eu
if ! touch "$NUMBA_CACHE_DIR/.writable" 2>/dev/null; then
  copy=${TMPDIR:-/tmp}/mivspool-numba
  if mkdir -p "$copy" 2>/dev/null && cp -R "$NUMBA_CACHE_DIR/." "$copy" 2>/dev/null; then
    export NUMBA_CACHE_DIR="$copy"
  fi
fi
exec "$@"
