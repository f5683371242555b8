# The app and its backend in one image.
#   docker build -t mivspool .                              CPU
#   docker build -t mivspool --build-arg TORCH=cuda .       for NVIDIA GPUs (run with --gpus all)
#   docker build -t mivspool --build-arg EXTRAS=postgres,ray .
#   docker run --rm -p 127.0.0.1:8501:8501 -v mivspool:/data mivspool
#   docker run --rm -p 127.0.0.1:8630:8630 -v mivspool:/data -e MIVSPOOL_TOKEN=… mivspool mivspool serve --host 0.0.0.0
# Everyone who can reach the published port can use the app (--public below); as published above, that is this machine
# alone. Visitors are kept separate. With `-e MIVSPOOL_APP_TOKEN=…` they must enter that token first. The app's other host
# names go into `-e MIVSPOOL_ALLOWED_HOSTS=…`. The image runs with a read-only root (--read-only --tmpfs /tmp) and as any
# user of group 0.

FROM python:3.11-slim AS build
# TORCH: cpu or cuda. EXTRAS: postgres, ray, or both, separated by a comma
ARG TORCH=cpu
ARG EXTRAS=
ENV PIP_NO_CACHE_DIR=1 PIP_DISABLE_PIP_VERSION_CHECK=1 PATH=/opt/mivspool/bin:$PATH
RUN python -m venv /opt/mivspool
WORKDIR /build
SHELL ["/bin/bash", "-o", "pipefail", "-c"]
COPY deploy/*.lock requirements.txt ./
RUN for part in app $(echo "$EXTRAS" | tr ',' ' '); do \
      pip install --require-hashes --no-deps -r "$part.lock" || exit 1; \
    done
# pinned by its version, not by a hash: each build of PyTorch has its own. The build on PyPI includes CUDA
# hadolint ignore=DL3013
RUN torch="$(grep '^torch==' requirements.txt)" \
 && if [ "$TORCH" = cpu ]; then \
      pip install --extra-index-url https://download.pytorch.org/whl/cpu "$torch+cpu"; \
    else \
      pip install "$torch"; \
    fi
COPY pyproject.toml setup.py README.md LICENSE THIRD_PARTY.md ./
COPY mivspool mivspool
COPY app app
COPY models models
COPY results results
RUN pip install --no-deps --no-build-isolation .

FROM python:3.11-slim
# the processor that loops are compiled for: generic (any), or host (the one that builds the image; somewhat faster there)
ARG CPU=generic
# hadolint ignore=DL3008
RUN apt-get update \
 && apt-get install -y --no-install-recommends libgomp1 libxext6 libxrender1 tini \
 && rm -rf /var/lib/apt/lists/* \
 && useradd --create-home --uid 1000 --gid 0 mivspool \
 && chmod g=u /home/mivspool \
 && install -d -o mivspool -g 0 -m 0770 /data
COPY --from=build /opt/mivspool /opt/mivspool
COPY deploy/start.sh /usr/local/bin/mivspool-start
ENV PATH=/opt/mivspool/bin:$PATH HOME=/home/mivspool PYTHONUNBUFFERED=1 \
    MIVSPOOL_HOME=/data NUMBA_CACHE_DIR=/opt/mivspool/numba NUMBA_CPU_NAME=$CPU
RUN MIVSPOOL_HOME=/tmp python -m mivspool.warm_up \
 && chgrp -R 0 "$NUMBA_CACHE_DIR" \
 && chmod -R g=u "$NUMBA_CACHE_DIR"
USER 1000
WORKDIR /data
VOLUME /data
EXPOSE 8501 8630
HEALTHCHECK --interval=30s --timeout=5s --start-period=60s CMD ["python", "-m", "mivspool.alive"]
# tini is process 1: it forwards signals and reaps orphaned processes
ENTRYPOINT ["tini", "--", "mivspool-start"]
CMD ["mivspool", "app", "--host", "0.0.0.0", "--port", "8501", "--public", "--no-browser"]
