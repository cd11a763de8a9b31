#!/usr/bin/env bash
# tools/docker-test.sh: tests against PostgreSQL 17 in Docker, with pgTAP,
# pg_partman and pg_cron (internal/pgtest/Dockerfile).
#
# The script uses a Docker daemon that answers. Without one, and as root, it
# installs Docker, builds the base image with debootstrap if no registry can be
# reached (kept in .cache/docker), and runs a daemon of its own:
#
#   mounts    in a namespace of this script, which ends with it
#   network   a bridge of its own without packet filter rules, so images are built
#             on the host's network and ports are published by docker-proxy
#   files     one temporary directory
#
# The script removes all of that at the end. The packages stay installed.
set -euo pipefail

root=$(cd "$(dirname "$0")/.." && pwd)
base_cache=$root/.cache/docker/debian-trixie.tar.gz
name=pgtasker-docker-$$ # of the directory and the cgroup
bridge=pgtasker$(($$ % 10000))
subnet=10.213.77.1/24
daemon=      # the process id, if this script has started a daemon
new_paths=() # that the script creates outside $work

say() { echo "docker-test.sh: $*" >&2; }
fail() { say "$*"; exit 1; }
reachable() { docker version >/dev/null 2>&1; }

main() {
  if ! reachable; then
    [ "$(id -u)" = 0 ] || fail "no Docker daemon answers, and only root can start one"
    # Run the script again in a mount namespace.
    [ -n "${PGTASKER_DOCKER_TEST_NAMESPACE-}" ] ||
      exec env PGTASKER_DOCKER_TEST_NAMESPACE=1 unshare --mount "$0" "$@"
  fi
  work=$(mktemp -d "/tmp/$name-XXXXXX")
  trap clean_up EXIT
  if ! reachable; then
    install_packages dockerd docker.io
    start_daemon
    prepare_image
  fi
  run_tests
  say "passed"
}

install_packages() { # PROGRAM PACKAGE
  command -v "$1" >/dev/null && return
  say "installing $2"
  # RUNLEVEL=1 keeps the package from starting its service.
  RUNLEVEL=1 DEBIAN_FRONTEND=noninteractive apt-get -qq -o DPkg::Lock::Timeout=300 update
  RUNLEVEL=1 DEBIAN_FRONTEND=noninteractive apt-get -qq -o DPkg::Lock::Timeout=300 \
    install -y --no-install-recommends "$2" >/dev/null
}

start_daemon() {
  local path tries
  for path in /etc/docker /run/docker /run/containerd; do
    [ -e "$path" ] || new_paths+=("$path")
  done

  ip link add "$bridge" type bridge
  ip addr add "$subnet" dev "$bridge"
  ip link set "$bridge" up
  setsid dockerd --host "unix://$work/docker.sock" --pidfile "$work/dockerd.pid" \
    --data-root "$work/data" --exec-root "$work/run" --cgroup-parent "/$name" \
    --bridge "$bridge" --iptables=false --ip6tables=false --ip-forward=false --ip-masq=false \
    >"$work/log" 2>&1 &
  daemon=$!

  export DOCKER_HOST=unix://$work/docker.sock
  for ((tries = 0; tries < 150; tries++)); do
    reachable && return
    kill -0 "$daemon" 2>/dev/null || break
    sleep 0.2
  done
  tail -n 20 "$work/log" >&2
  fail "dockerd did not start"
}

clean_up() {
  local path
  if [ -n "$daemon" ]; then
    kill "$daemon" 2>/dev/null && wait "$daemon" 2>/dev/null || true
  fi
  ip link delete "$bridge" 2>/dev/null || true
  awk -v below="$work/" 'index($2, below) == 1 { print $2 }' /proc/self/mounts | sort -r | xargs -r umount
  for path in "${new_paths[@]}" "$work"; do rm -rf --one-file-system "$path"; done
  find /sys/fs/cgroup -mindepth 1 -maxdepth 2 -type d -name "$name" -exec rmdir {} + 2>/dev/null || true
}

# prepare_image builds the image once on the host's network. The build of
# dockerpg then finds it in the daemon's cache.
prepare_image() {
  if timeout 60 docker pull -q debian:trixie-slim >/dev/null 2>&1; then
    export PGTASKER_TEST_BASE_IMAGE=debian:trixie-slim
  else
    [ -f "$base_cache" ] || make_base
    export PGTASKER_TEST_BASE_IMAGE=pgtasker-test-base:trixie
    docker import - "$PGTASKER_TEST_BASE_IMAGE" <"$base_cache" >/dev/null
  fi
  say "building the image on $PGTASKER_TEST_BASE_IMAGE"
  DOCKER_BUILDKIT=0 docker build --quiet --network host \
    --build-arg BASE="$PGTASKER_TEST_BASE_IMAGE" "$root/internal/pgtest" >/dev/null 2>"$work/build.log" ||
    { cat "$work/build.log" >&2; fail "the image could not be built"; }

  # The reaper of testcontainers is an image from a registry, too. If this machine is a container itself,
  # testcontainers must not take it for a container of the daemon.
  export TESTCONTAINERS_RYUK_DISABLED=true TESTCONTAINERS_HOST_OVERRIDE=127.0.0.1
}

make_base() {
  say "no registry: making the base image with debootstrap"
  install_packages debootstrap debootstrap
  local mirror tree=$work/trixie
  mirror=$(awk '/^URIs:/ { print $2; exit }' /etc/apt/sources.list.d/debian.sources 2>/dev/null || true)
  debootstrap --variant=minbase trixie "$tree" ${mirror:+"$mirror"} >"$work/debootstrap.log" 2>&1 ||
    { tail -n 20 "$work/debootstrap.log" >&2; fail "debootstrap failed"; }
  mkdir -p "$(dirname "$base_cache")"
  tar -C "$tree" -czf "$base_cache.new" \
    --exclude='./proc/*' --exclude='./sys/*' --exclude='./dev/*' \
    --exclude='./var/cache/apt/*' --exclude='./var/lib/apt/lists/*' .
  mv "$base_cache.new" "$base_cache"
}

run_tests() {
  cd "$root"
  export PGTASKER_TEST_SERVER=docker
  unset PGTASKER_TEST_DATABASE_URL

  say "Go tests"
  go test -count=1 ./internal/pgtest
  say "pgTAP tests"
  go build -o "$work/pgtest" ./internal/cmd/pgtest
  "$work/pgtest" pgtap
  say "a killed run leaves no container"
  check_killed_run
}

check_killed_run() {
  local before tries
  before=$(docker ps -aq | sort)
  # shellcheck disable=SC2016 # the command kills the parent of the inner shell
  "$work/pgtest" run -- sh -c 'kill -9 $PPID' 2>"$work/killed.log" || true
  grep -q 'Docker container' "$work/killed.log" || fail "there was no container"
  for ((tries = 0; tries < 150; tries++)); do
    [ "$(docker ps -aq | sort)" != "$before" ] || return 0
    sleep 0.2
  done
  fail "a container outlived its run"
}

main "$@"
