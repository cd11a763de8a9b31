#!/usr/bin/env bash
# tools/empty-machine.sh DIST [-update] SUITE…: tests the first commands that people type on an empty Debian (bookworm, trixie),
# as root and as an ordinary user. The commands are those of README, go install, and the installation of the files of a release,
# which "make dist" has left in DIST. The empty machine is a copy of the chroot of tools/deb-test.sh. It has Go, this machine's
# modules as a file proxy, and this machine's compiled packages, so that only the checkout is compiled.
# internal/tests/firsthour/machine.sh has the typed commands, and machine-SUITE.txt has the expected output. If the output
# differs, the script fails. With -update it keeps the new output. The script needs root.
set -euo pipefail
root=$(cd "$(dirname "$0")/.." && pwd)
tests=$root/internal/tests/firsthour
dist=$(realpath "$1") && shift
update= && [ "${1:-}" != -update ] || { update=yes && shift; }
fail() { echo "empty-machine.sh: $*" >&2; exit 1; }
[ "$(id -u)" = 0 ] || fail "chroot needs root"
# In a new mount namespace, all mounts end with the script.
[ -n "${EMPTY_MACHINE_NAMESPACE:-}" ] || exec env EMPTY_MACHINE_NAMESPACE=1 unshare --mount --propagation private "$0" "$dist" ${update:+-update} "$@"
made=$(mktemp -d)
trap 'umount -l "$made"/*/usr/local/go "$made"/*/srv/{modules,go-build} 2>/dev/null || true; rm -rf --one-file-system "$made"' EXIT
(cd "$root" && go run ./internal/cmd/modules proxy "$made/proxy" >/dev/null && go mod download)

status=0
for suite in "$@"; do
  kept=$tests/machine-$suite.txt machine=$made/$suite
  base=$("$root/tools/deb-test.sh" -chroot "$suite")
  cp -a "$base" "$machine"
  mkdir -p "$machine"/usr/local/go "$machine"/srv/{modules,proxy,release,go-build} "$made/$suite.upper" "$made/$suite.work"
  mount --bind "$(go env GOROOT)" "$machine/usr/local/go"
  mount --bind "$(go env GOMODCACHE)/cache/download" "$machine/srv/modules"
  mount -t overlay overlay -o "lowerdir=$(go env GOCACHE),upperdir=$made/$suite.upper,workdir=$made/$suite.work" "$machine/srv/go-build"
  find "$machine/srv/go-build" -maxdepth 1 -type d -exec chmod 777 {} + # for both users
  cp -r "$made/proxy/." "$machine/srv/proxy"
  cp "$dist"/{SHA256SUMS,*_linux_amd64.tar.gz,*_amd64.deb,*.sql,*.whl} "$machine/srv/release"
  chroot "$machine" useradd --create-home --shell /bin/bash engineer
  for home in root home/engineer; do
    git clone -q --no-hardlinks "$root" "$machine/$home/pgtasker"
    git -C "$machine/$home/pgtasker" checkout -qB main
  done
  chroot "$machine" chown -R engineer: /home/engineer
  cp /etc/resolv.conf "$machine/etc/resolv.conf"
  mkdir "$machine/srv/typed" && cp "$tests"/{type,machine}.sh "$machine/srv/typed"
  # shellcheck disable=SC2016 # the inner shell expands it
  unshare --mount --pid --fork chroot "$machine" env -i PATH=/usr/local/go/bin:/usr/sbin:/usr/bin:/sbin:/bin HOME=/root LC_ALL=C.UTF-8 TZ=UTC \
    DEBIAN_FRONTEND=noninteractive GOCACHE=/srv/go-build GOPROXY=file:///srv/proxy,file:///srv/modules GOSUMDB=off GOTOOLCHAIN=local GOFLAGS="-trimpath -vet=off" \
    bash -euo pipefail -c 'mount -t proc proc /proc && . /srv/typed/type.sh && typed /srv/typed/machine.sh' >"$made/$suite.txt" 2>&1 ||
    { tail -n 30 "$made/$suite.txt" >&2; fail "a command has failed on an empty Debian $suite"; }
  umount "$machine/usr/local/go" "$machine/srv/modules" "$machine/srv/go-build"
  rm -rf --one-file-system "$machine"
  if [ -n "$update" ]; then cp "$made/$suite.txt" "$kept"; else diff "$kept" "$made/$suite.txt" || status=1; fi
done
[ $status = 0 ] || fail "the terminal shows something else than the kept output; -update keeps the new output"
echo "empty-machine.sh: $*: as internal/tests/firsthour says"
