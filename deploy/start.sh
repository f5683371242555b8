#!/bin/sh
# Starts a command in the image. The loops were compiled when the image was built. numba reads its cache only from a folder
# that it can write to, so on a read-only root it gets a copy. If there is no room for one, each process compiles by itself.
# There matplotlib's own folder, in the home, cannot be written either.
set -eu
if ! touch "$NUMBA_CACHE_DIR/.writable" 2>/dev/null; then
  export MPLCONFIGDIR="${TMPDIR:-/tmp}/mivspool-matplotlib"
  copy=${TMPDIR:-/tmp}/mivspool-numba
  if mkdir -p "$copy" 2>/dev/null && cp -R "$NUMBA_CACHE_DIR/." "$copy" 2>/dev/null; then
    export NUMBA_CACHE_DIR="$copy"
  fi
fi
# a Hugging Face Space is reached by the name that it is given
if [ -n "${SPACE_HOST:-}" ] && [ -z "${MIVSPOOL_ALLOWED_HOSTS:-}" ]; then
  export MIVSPOOL_ALLOWED_HOSTS="$SPACE_HOST"
fi
exec "$@"
