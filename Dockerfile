# The study with the pinned versions. docs/how-to/container.md says how to run it with Docker and with Apptainer.
FROM python:3.11-slim-bookworm

LABEL org.opencontainers.image.title="nontrivial" \
      org.opencontainers.image.licenses="BSD-3-Clause"

ENV PYTHONDONTWRITEBYTECODE=1 \
    XDG_CACHE_HOME=/tmp/cache \
    MPLCONFIGDIR=/tmp/matplotlib

WORKDIR /nontrivial
COPY pyproject.toml README.md LICENSE ./
COPY envs envs
COPY src src
RUN pip install --no-cache-dir --constraint envs/constraints.txt '.[workflow]' \
    && rm -rf build src/*.egg-info
COPY Snakefile ./
COPY config config
COPY profiles profiles
COPY results/README.md results/README.md
COPY workflow workflow

RUN useradd --create-home study
USER study
WORKDIR /study
ENTRYPOINT ["snakemake", "--snakefile", "/nontrivial/Snakefile"]
CMD ["--cores", "all"]
