# motebench with everything that simulated boards and the libraries of Debian need, for a user without rights:
#
#   docker build --build-arg COMMIT=$(git rev-parse HEAD) -t motebench .
#   docker run --rm -v motebench-home:/home/mote motebench run quickstart
#
# Everything comes from this checkout and from Debian 12; dist/ has no part in it. Times measured in a container are those
# of the machine below it, with the work that the machine has besides.
FROM debian:12-slim

# Compilers of boards, libraries with their headers, and what builds probes: the lines of `motebench doctor`. Their
# versions are those of Debian 12 with its security updates.
# hadolint ignore=DL3008
RUN apt-get update \
    && DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends \
        avr-libc ca-certificates cmake g++ gcc gcc-arm-none-eabi gcc-avr git libc6-dev libbotan-2-dev libcrypto++-dev \
        libgcrypt20-dev libmbedtls-dev libnewlib-arm-none-eabi libsodium-dev libssl-dev libtomcrypt-dev make nettle-dev \
        openssl pipx pkg-config python3 python3-venv qemu-user \
    && rm -rf /var/lib/apt/lists/*

RUN useradd --create-home --uid 1000 --shell /bin/bash mote
COPY --chown=mote:mote . /src
USER 1000
# The commit of the sources, which `motebench --version` names: .dockerignore leaves out the objects of git.
ARG COMMIT=""
ENV PATH=/home/mote/.local/bin:$PATH
RUN MOTEBENCH_COMMIT="$COMMIT" pipx install /src && motebench --version --verbose
WORKDIR /home/mote
ENTRYPOINT ["motebench"]
CMD ["--help"]
