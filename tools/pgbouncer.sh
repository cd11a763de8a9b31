#!/usr/bin/env bash
# tools/pgbouncer.sh: gets PgBouncer of two Debian releases for tests, without root.
#
# Downloads PgBouncer 1.18 (Debian 12: prepared statements end with their
# transaction) and 1.24 (Debian 13: it keeps them), with the libraries that each
# was built with, into .cache/pgbouncer. Prints both programs, separated by a
# colon, for PGTASKER_TEST_PGBOUNCER:
#
#   PGTASKER_TEST_PGBOUNCER=$(tools/pgbouncer.sh) go test ./internal/tests/bouncertest
#
# Nothing is installed and no service is started. Needs apt-get and dpkg-deb.
set -euo pipefail

declare -A packages=(
  [bookworm]="libc-ares2 libevent-2.1-7 libssl3 libgcrypt20 libgpg-error0 liblzma5 liblz4-1"
  [trixie]="libcares2 libevent-2.1-7t64 libssl3t64"
)
both="pgbouncer libc6 libpam0g libsystemd0 libaudit1 libcap-ng0 libcap2 libzstd1 zlib1g"

here=$(cd "$(dirname "$0")/.." && pwd)
programs=$here/.cache/pgbouncer
fail() { echo "pgbouncer.sh: $*" >&2; exit 1; }

# fetch SUITE: the last step is a rename, so that a program is complete or does not exist.
fetch() {
  local suite=$1 state=$work/$1 file linker triplet options
  echo "pgbouncer.sh: fetching PgBouncer of Debian $suite" >&2
  mkdir -p "$state"/{debs,lists/partial,cache/archives/partial,empty}
  echo "deb [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] $(mirror) $suite main" > "$state/sources.list"
  options=(
    -qq
    -o Dir::State="$state" -o Dir::State::status=/dev/null -o Dir::Cache="$state/cache"
    -o Dir::Etc::sourcelist="$state/sources.list" -o Dir::Etc::sourceparts="$state/empty"
    -o APT::Sandbox::User=root
  )
  apt-get "${options[@]}" update >&2
  # shellcheck disable=SC2086 # options and packages are lists
  (cd "$state/debs" && apt-get "${options[@]}" download $both ${packages[$suite]} >&2)
  for file in "$state"/debs/*.deb; do dpkg-deb -x "$file" "$state/files"; done

  linker=$(cd "$state/files" && find . -name 'ld-linux*' -path '*/lib/*-linux-gnu/*' | head -n 1)
  [ -n "$linker" ] || fail "Debian $suite has no linker where it is looked for"
  triplet=$(basename "$(dirname "$linker")")
  cat > "$state/files/pgbouncer" <<SCRIPT
#!/bin/sh
# PgBouncer with the libraries of its release.
d=\$(dirname "\$0")
exec "\$d/$linker" --library-path "\$d/lib/$triplet:\$d/usr/lib/$triplet" "\$d/usr/sbin/pgbouncer" "\$@"
SCRIPT
  chmod 755 "$state/files/pgbouncer"
  chmod -R a+rX "$state/files"
  "$state/files/pgbouncer" --version >/dev/null || fail "PgBouncer of Debian $suite does not start"
  rm -rf "${programs:?}/$suite"
  mv "$state/files" "$programs/$suite"
}

# mirror: prints the Debian mirror that this machine uses.
mirror() {
  local found
  found=$(awk '/^URIs:/ { print $2; exit }' /etc/apt/sources.list.d/debian.sources 2>/dev/null || true)
  [ -n "$found" ] ||
    found=$(sed -n 's|^deb \(\[[^]]*\] \)\?\(http[^ ]*/debian/\?\) .*|\2|p' /etc/apt/sources.list 2>/dev/null | head -n 1 || true)
  [ -n "$found" ] || fail "found no Debian mirror in /etc/apt; install PgBouncer and name it in PGTASKER_TEST_PGBOUNCER"
  echo "$found"
}

mkdir -p "$programs"
chmod a+rX "$here/.cache" "$programs" # a test that runs as root runs these programs as another user
exec 9>"$programs/.lock"
flock 9 # one at a time, so that nothing is fetched twice
work=$(mktemp -d "$programs/.new-XXXXXX")
trap 'rm -rf "$work"' EXIT
for suite in bookworm trixie; do
  [ -x "$programs/$suite/pgbouncer" ] || fetch "$suite"
done
echo "$programs/bookworm/pgbouncer:$programs/trixie/pgbouncer"
