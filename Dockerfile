# The app and its backend in one container.
#   docker build -t mivspool .                              CPU
#   docker build -t mivspool --build-arg TORCH=cuda .       for NVIDIA GPUs (run with --gpus all)
#   docker run --rm -p 127.0.0.1:8501:8501 -v mivspool:/data mivspool
# It is for everyone who reaches the published port (--public below), here this machine alone; visitors are kept apart.
# With `-e MIVSPOOL_APP_TOKEN=…` for whoever enters that token. `-e MIVSPOOL_ALLOWED_HOSTS=…` names it has elsewhere.
FROM python:3.11-slim

ARG TORCH=cpu
ENV PIP_NO_CACHE_DIR=1 PIP_DISABLE_PIP_VERSION_CHECK=1 PYTHONUNBUFFERED=1 \
    MIVSPOOL_HOME=/data NUMBA_CACHE_DIR=/home/mivspool/.numba

RUN apt-get update \
 && apt-get install -y --no-install-recommends libxrender1 libxext6 libgomp1 \
 && rm -rf /var/lib/apt/lists/* \
 && useradd --create-home --uid 1000 mivspool \
 && install -d -o mivspool /data

WORKDIR /srv/mivspool
COPY requirements.txt ./
# the plain index brings PyTorch with CUDA; its own index has the smaller build without
RUN if [ "$TORCH" = cpu ]; then \
      pip install --extra-index-url https://download.pytorch.org/whl/cpu \
        "$(grep '^torch==' requirements.txt)+cpu"; \
    fi \
 && pip install -r requirements.txt

COPY . .
RUN pip install --no-deps .

USER mivspool
RUN python -m mivspool.warm_up
VOLUME /data
EXPOSE 8501
HEALTHCHECK --interval=30s --timeout=5s --start-period=60s \
  CMD python -c "import urllib.request; urllib.request.urlopen('http://127.0.0.1:8501/_stcore/health', timeout=4)"
CMD ["mivspool", "app", "--host", "0.0.0.0", "--port", "8501", "--public", "--no-browser"]
