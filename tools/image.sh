#!/usr/bin/env bash
# tools/image.sh DIST [TAG]: builds the container image of deploy/container/Containerfile from the archive of this machine's architecture
# in DIST, with the first of docker, podman and buildah that is installed.
set -euo pipefail
dist=$1
root=$(cd "$(dirname "$0")/.." && pwd)
fail() { echo "image.sh: $*" >&2; exit 1; }

arch=$(go env GOARCH)
archive=$(find "$dist" -name "tasker_*_linux_$arch.tar.gz" | head -n 1)
[ -n "$archive" ] || fail "$dist has no archive for linux/$arch: make dist"
version=$(basename "$archive" | cut -d_ -f2)
tag=${2:-pgtasker/tasker:$version}
authorities=${SSL_CERT_FILE:-/etc/ssl/certs/ca-certificates.crt}
[ -e "$authorities" ] || fail "$authorities is missing: install ca-certificates, or name a file with SSL_CERT_FILE"

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
tar -xzf "$archive" -C "$work" --strip-components=1
cp "$authorities" "$work/ca-certificates.crt"
for builder in docker podman buildah; do
  command -v "$builder" >/dev/null || continue
  if [ "$builder" = docker ] && ! docker version >/dev/null 2>&1; then continue; fi
  "$builder" build --tag "$tag" --file "$root/deploy/container/Containerfile" "$work"
  echo "image.sh: $tag, by $builder"
  exit 0
done
fail "there is no docker engine that answers, no podman and no buildah"
