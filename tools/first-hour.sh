#!/usr/bin/env bash
# tools/first-hour.sh: tests the first hour of an engineer who uses Python, and of an engineer who uses TypeScript. Both begin
# in an empty directory, in a Debian without Go: a chroot that debootstrap makes once, in FIRST_HOUR_DIR. Only the wheel and the
# npm package come from this checkout. The script builds them first. The other npm packages are the packages of
# clients/typescript. internal/tests/firsthour has the typed commands (.sh) and the expected output (.txt). If the output
# differs, the script fails. With -update it keeps the new output. The script needs root, debootstrap, npm and Node 20. It
# copies the program node into the chroot, since Debian 12 has Node 18.
set -euo pipefail
root=$(cd "$(dirname "$0")/.." && pwd)
tests=$root/internal/tests/firsthour
dir=${FIRST_HOUR_DIR:-/var/tmp/pgtasker-first-hour}
fail() { echo "first-hour.sh: $*" >&2; exit 1; }

[ "$(id -u)" = 0 ] || fail "chroot needs root"
if [ ! -e "$dir/.complete" ]; then
  command -v debootstrap >/dev/null || fail "debootstrap is missing: install it"
  mirror=$(grep -h '^URIs:' /etc/apt/sources.list.d/*.sources 2>/dev/null | head -1 | cut -d' ' -f2)
  rm -rf "$dir"
  debootstrap --variant=minbase \
    --include=python3-venv,python3-pip,python3-psycopg,python3-pytest,mypy,python3-wheel,python3-setuptools,postgresql,ca-certificates \
    bookworm "$dir" ${mirror:+"$mirror"} >"${dir}.log" 2>&1 || fail "debootstrap failed: ${dir}.log says why"
  touch "$dir/.complete"
fi

# Use the packages in FIRST_HOUR_PACKAGES, such as the folder of "make dist", or else build them from the checkout. The engineer
# gets two files.
made=$(mktemp -d)
trap 'rm -rf "$made"' EXIT
if [ -n "${FIRST_HOUR_PACKAGES:-}" ]; then
  cp "$FIRST_HOUR_PACKAGES"/pgtasker-*.{whl,tgz} "$made"
else
  "$root/tools/dist-clients.sh" "$made"
fi
into=$dir/srv/packages
rm -rf "$into" "$dir"/home/engineer
mkdir -p "$into" "$dir/home/engineer" "$dir/usr/local/lib/node_modules"
cp "$made"/*.whl "$made"/*.tgz "$into"
cp "$(command -v node)" "$dir/usr/local/bin/node"
cp -r "$(dirname "$(dirname "$(readlink -f "$(command -v npm)")")")" "$dir/usr/local/lib/node_modules/"
ln -sf ../lib/node_modules/npm/bin/npm-cli.js "$dir/usr/local/bin/npm"
ln -sf ../lib/node_modules/npm/bin/npx-cli.js "$dir/usr/local/bin/npx"
cp -r "$root/clients/typescript/node_modules" "$into/node_modules"
[ -e "$dir/dev/null" ] || { mknod -m 666 "$dir/dev/null" c 1 3 && mknod -m 666 "$dir/dev/urandom" c 1 9; }
mkdir -p "$dir/dev/shm" "$dir/proc"
chmod 1777 "$dir/dev/shm"
cp "$tests"/*.sh "$into"

inside() { unshare --mount --pid --fork chroot "$dir" env -i PATH=/usr/local/bin:/usr/bin:/bin:/usr/lib/postgresql/15/bin HOME=/home/engineer LC_ALL=C.UTF-8 TZ=UTC "$@"; }
inside sh -c 'command -v go' >/dev/null && fail "the chroot has Go"
status=0
for hour in python typescript; do
  inside bash "/srv/packages/hour.sh" "$hour" >"$made/$hour.txt" 2>&1 || { cat "$made/$hour.txt"; fail "the first hour of $hour has failed"; }
  if [ "${1:-}" = -update ]; then
    cp "$made/$hour.txt" "$tests/$hour.txt"
else
    diff "$tests/$hour.txt" "$made/$hour.txt" || status=1
  fi
done
[ $status = 0 ] || fail "the terminal shows something else than the kept output; -update keeps the new one"
echo "first-hour.sh: two first hours without Go, as internal/tests/firsthour says"
