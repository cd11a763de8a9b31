#!/usr/bin/env bash
# Prints the path of promtool. If PATH has no promtool, the script unpacks the promtool of Debian's package prometheus into
# .cache, without installing the package.
set -euo pipefail
cd "$(dirname "$0")/.."
if command -v promtool; then exit 0; fi
dir=$PWD/.cache/prometheus
if [ ! -x "$dir/usr/bin/promtool" ]; then
  command -v apt-get >/dev/null || { echo "promtool.sh: no promtool on PATH, and no apt-get to download one" >&2; exit 1; }
  echo "promtool.sh: downloading Debian's package prometheus" >&2
  mkdir -p "$dir"
  (cd "$dir" && { apt-get download -q prometheus || { apt-get update -q && apt-get download -q prometheus; }; }) >&2
  dpkg-deb -x "$dir"/prometheus_*.deb "$dir"
  rm -f "$dir"/prometheus_*.deb
fi
echo "$dir/usr/bin/promtool"
