# Midman as one image, for amd64 and arm64. `bun run image:prove` runs every step of this file in a fresh Debian root, and then
# what it made (docs/image.md); docs/operations.md says how it is run.

# Bun is one file. npm brings the one of this machine, and it is held to its checksum; of node and npm nothing goes further.
FROM debian:bookworm-slim AS npm
RUN apt-get update \
  && apt-get install --yes --no-install-recommends ca-certificates nodejs npm
RUN npm install --global bun@1.4.5 \
  && cp "$(npm root --global)/bun/bin/bun.exe" /usr/local/bun \
  && case "$(dpkg --print-architecture)" in \
    amd64) sum=f05d28a3862f4b84395c7fa32480b835dd47482e80b7e7a49a115227f0c06083 ;; \
    arm64) sum=04778f1f42399a69d086853e9c7af4acf574b2f21a43d0dc673853d8b84a2923 ;; \
  esac \
  && echo "$sum  /usr/local/bun" | sha256sum --check

FROM debian:bookworm-slim AS bun
COPY --from=npm /usr/local/bun /usr/local/bin/bun
RUN ln -s bun /usr/local/bin/bunx

# What browsers get, built by all packages.
FROM bun AS build
WORKDIR /midman
COPY package.json bun.lockb bunfig.toml ./
COPY patches patches
RUN bun install --frozen-lockfile
COPY . .
# What /version names: docker build --build-arg MIDMAN_COMMIT=$(git rev-parse HEAD)
ARG MIDMAN_COMMIT=
RUN bun scripts/build.ts

# The packages a running Midman needs, without what no program reads.
FROM bun AS packages
WORKDIR /midman
COPY package.json bun.lockb bunfig.toml ./
COPY patches patches
RUN bun install --frozen-lockfile --production
COPY db/embedded db/embedded
COPY scripts/lean-packages.ts scripts/lean-packages.ts
RUN bun scripts/lean-packages.ts

FROM debian:bookworm-slim
# tini is process 1: it hands signals on from the first moment, and buries what the database's watchdog leaves behind.
RUN apt-get update \
  && apt-get install --yes --no-install-recommends tini \
  && rm -rf /var/lib/apt/lists/* /var/cache/apt /var/log/apt /var/log/dpkg.log \
  && groupadd --gid 10001 midman \
  && useradd --uid 10001 --gid midman --no-create-home --home-dir /data --shell /usr/sbin/nologin midman \
  && install --directory --owner midman --group midman --mode 0700 /data
COPY --from=bun /usr/local/bin/bun /usr/local/bin/bun
WORKDIR /midman
COPY --from=packages /midman/node_modules node_modules
COPY --from=build /midman/build build
COPY package.json tsconfig.json config.ts calls.ts ./
COPY config ./config
COPY app app
COPY db db
COPY emails emails
COPY locales locales
COPY modules modules
COPY scripts scripts

# Bun keeps what it transpiled beside itself; here nothing may be written but /data and /tmp.
ENV NODE_ENV=production \
  HOST=0.0.0.0 \
  PORT=3000 \
  DATA_DIR=/data \
  BUN_RUNTIME_TRANSPILER_CACHE_PATH=0
# By number: an orchestrator that asks for an unprivileged user cannot look a name up.
USER 10001:10001
VOLUME /data
EXPOSE 3000
STOPSIGNAL SIGTERM
# Whether the process is alive, not whether the database is: a restart would not bring that back. Proxies ask /readyz.
HEALTHCHECK --interval=10s --timeout=5s --start-period=120s --retries=3 CMD ["bun", "scripts/healthy.ts"]
ENTRYPOINT ["tini", "--"]
CMD ["bun", "app/server.ts"]
