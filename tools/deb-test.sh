#!/usr/bin/env bash
# tools/deb-test.sh DEB [SUITE]: installs, upgrades, removes and purges a Debian package in a chroot, as root. The chroot is made by
# debootstrap from this machine's mirror (SUITE: bookworm or trixie), and kept in .cache. "deb-test.sh -chroot SUITE" only makes it, and
# prints its folder.
set -euo pipefail
deb=$1 suite=${2:-bookworm}
root=$(cd "$(dirname "$0")/.." && pwd)
chroot=${DEB_TEST_CHROOT:-$root/.cache/debian-$suite}

say() { echo "deb-test.sh: $*"; }
fail() { echo "deb-test.sh: $*" >&2; exit 1; }
[ "$(id -u)" = 0 ] || fail "a chroot needs root"
if [ ! -e "$chroot/usr/bin/dpkg" ]; then
  command -v debootstrap >/dev/null || DEBIAN_FRONTEND=noninteractive apt-get install -qqy --no-install-recommends debootstrap >/dev/null
  mirror=$(apt-cache policy | grep -oE '(http|https)://[^ ]*/debian($| )' | head -n 1)
  [ -n "$mirror" ] || fail "this machine has no mirror of Debian"
  say "debootstrap $suite (once)" >&2
  debootstrap --variant=minbase "$suite" "$chroot" "$mirror" >/dev/null || { rm -rf "$chroot"; fail "debootstrap failed"; }
fi
[ "$deb" != -chroot ] || { echo "$chroot"; exit; }
deb=$(readlink -f "$deb")
within() { chroot "$chroot" env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin DEBIAN_FRONTEND=noninteractive HOME=/ "$@"; }
work=$(mktemp -d)
cleanup() { within dpkg --purge pgtasker >/dev/null 2>&1 || true; rm -rf "$work" "$chroot"/tmp/pgtasker-*.deb; }
trap cleanup EXIT
cleanup; work=$(mktemp -d)

# The next version, for the upgrade, has another number and a changed service.
dpkg-deb --raw-extract "$deb" "$work/next"
sed -i 's/^Version: .*/Version: 9.9.9/' "$work/next/DEBIAN/control"
sed -i 's/^Description=.*/Description=the next version/' "$work/next/usr/lib/systemd/system/tasker-relay.service"
dpkg-deb --root-owner-group -Zgzip -z1 --build "$work/next" "$chroot/tmp/pgtasker-next.deb" >/dev/null
cp "$deb" "$chroot/tmp/pgtasker-this.deb"
(cd "$chroot" && find etc usr var/lib/systemd -not -path 'var/lib/dpkg/*' | sort) >"$work/before"

say "install"
within dpkg --install /tmp/pgtasker-this.deb >/dev/null
within tasker --version
within getent passwd pgtasker | grep -q nologin || fail "there is no user pgtasker without a shell"
[ "$(within stat -c %U:%G:%a /usr/bin/tasker)" = root:root:755 ] || fail "the program is not root's"
within sh -c '[ ! -e /etc/systemd/system/multi-user.target.wants/tasker-serve.service ]' || fail "a service is enabled that lacks its settings"
within mkdir -p /etc/pgtasker
within cp /usr/share/doc/pgtasker/examples/serve.env /etc/pgtasker/serve.env
echo '# mine' >>"$chroot/etc/pgtasker/serve.env"
within bash -n /usr/share/bash-completion/completions/tasker

say "upgrade"
within dpkg --install /tmp/pgtasker-next.deb >/dev/null
[ "$(within dpkg-query -W -f '${Version} ${db:Status-Status}' pgtasker)" = "9.9.9 installed" ] || fail "it is not upgraded"
grep -q 'the next version' "$chroot/usr/lib/systemd/system/tasker-relay.service" || fail "the service is not the new one"
grep -q '# mine' "$chroot/etc/pgtasker/serve.env" || fail "an upgrade changes the settings"
say "downgrade"
within dpkg --force-downgrade --install /tmp/pgtasker-this.deb >/dev/null 2>&1

say "remove"
within dpkg --remove pgtasker >/dev/null
[ ! -e "$chroot/usr/bin/tasker" ] || fail "the program is still there"
grep -q '# mine' "$chroot/etc/pgtasker/serve.env" || fail "removing the package removes the settings"
say "purge"
within dpkg --purge pgtasker >/dev/null
[ ! -e "$chroot/etc/pgtasker" ] || fail "purging the package keeps the settings"
(cd "$chroot" && find etc usr var/lib/systemd -not -path 'var/lib/dpkg/*' | sort) >"$work/after"
# The user stays, as Debian's policy asks, so that no later user gets its number.
left=$(comm -13 "$work/before" "$work/after" | grep -vE '^etc/(passwd|group|shadow|gshadow|subuid|subgid)-?$' || true)
[ -z "$left" ] || fail "purging leaves: $left"
say "ok: installed, upgraded, downgraded, removed and purged in $suite"
