#!/usr/bin/env bash
# tools/dist-clients.sh DIR [wheel]: builds the Python wheel and the npm package, or only the wheel, into DIR, from copies of their sources.
set -euo pipefail
out=$1
root=$(cd "$(dirname "$0")/.." && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

python=python3
"$python" -c 'import setuptools, wheel, pip' 2>/dev/null || python=/usr/bin/python3
git -C "$root" ls-files -z clients/python db/migrations | (cd "$root" && xargs -0 cp --parents -t "$work")
"$python" -m pip --disable-pip-version-check wheel --quiet --no-deps --no-build-isolation --wheel-dir "$out" "$work/clients/python"
[ "${2:-}" != wheel ] || exit 0

# npm pack compiles, so the compiler of package-lock.json must be there.
"$root/tools/typescript.sh" sh -ec 'cd "$1" && npm pack --silent --pack-destination "$2" >/dev/null' sh "$root/clients/typescript" "$out"
