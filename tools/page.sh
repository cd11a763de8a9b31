#!/usr/bin/env bash
# tools/page.sh COMMAND…: runs a command with the programs that the test of the operators' page needs: a Chromium
# (Debian's, installed if it is missing and you are root), axe-core and the identity provider oidc-provider (npm, at the
# versions of internal/tests/pagetest/package-lock.json).
set -euo pipefail
root=$(cd "$(dirname "$0")/.." && pwd)

fail() { echo "page.sh: $*" >&2; exit 1; }
install() {
  [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null || fail "$1 is missing: install it"
  echo "page.sh: installing $1" >&2
  DEBIAN_FRONTEND=noninteractive apt-get install -qqy --no-install-recommends "$1" >/dev/null ||
    { apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -qqy --no-install-recommends "$1" >/dev/null; } ||
    fail "apt-get could not install $1"
}

command -v chromium >/dev/null || command -v google-chrome >/dev/null || [ -n "${PGTASKER_TEST_CHROMIUM:-}" ] || install chromium
[ -z "${PGTASKER_TEST_FIREFOX:-}" ] || command -v firefox-esr >/dev/null || install firefox-esr
command -v npm >/dev/null || install npm
axe="$root/.cache/axe"
if ! cmp -s "$root/internal/tests/pagetest/package-lock.json" "$axe/package-lock.json"; then
  rm -rf "$axe" && mkdir -p "$axe"
  cp "$root/internal/tests/pagetest/package.json" "$axe/"
  cp "$root/internal/tests/pagetest/package-lock.json" "$axe/package-lock.new"
  (cd "$axe" && mv package-lock.new package-lock.json && npm ci --ignore-scripts --no-audit --no-fund --silent) || { rm -rf "$axe"; fail "npm could not install axe-core and oidc-provider"; }
fi
export PGTASKER_TEST_AXE="$axe/node_modules/axe-core/axe.min.js" PGTASKER_TEST_MODULES="$axe/node_modules"
exec "$@"
