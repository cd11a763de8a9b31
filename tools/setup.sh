#!/usr/bin/env bash
# Finds the programs that the demo and the tests need, installs missing programs if it can (on Debian, as root), and
# compiles the project's programs for them.
#
#   setup.sh client     the command line, for an existing database
#   setup.sh demo       PostgreSQL, too
#   setup.sh tests      pgTAP, psql, curl and dbmate, too
#
# The script looks for PostgreSQL in this order: an address (PGTASKER_TEST_DATABASE_URL), server programs on this
# machine (PGTASKER_TEST_PGBIN, PATH, the usual directories), a Docker engine that answers.
# internal/pgtest/pgserver uses the same order.
set -euo pipefail
cd "$(dirname "$0")/.."
for_what=${1:-tests}
root=${SETUP_ROOT:-} # the root of the system's directories, for the test of this script

say() { echo "setup: $*" >&2; }

if ! command -v go >/dev/null; then
  say "the go command is not in PATH. Install Go (https://go.dev/doc/install, or: apt-get install golang), or, if it is installed,"
  say "put it there: export PATH=\"\$PATH:/usr/local/go/bin\""
  exit 1
fi

# quietly WHAT COMMAND…: runs a command, writes its output to a log, and shows the log if the command fails. If the command
# takes more than two seconds, quietly prints WHAT, and prints it again every half a minute.
quietly() {
  local what=$1 log pid began=$SECONDS said=0
  shift
  log=$(mktemp)
  "$@" >"$log" 2>&1 </dev/null &
  pid=$!
  while kill -0 "$pid" 2>/dev/null; do
    if ((SECONDS - began >= said + (said ? 30 : 2))); then
      if ((said)); then say "… $what, $((SECONDS - began)) s"; else say "$what"; fi
      said=$((SECONDS - began))
    fi
    sleep 0.1
  done
  if ! wait "$pid"; then
    cat "$log" >&2
    say "$what FAILED: the lines above say why"
    rm -f "$log"
    exit 1
  fi
  rm -f "$log"
}

programs() { # prints the directory of the newest server's programs
  local dir
  if [ -n "${PGTASKER_TEST_PGBIN:-}" ]; then echo "$PGTASKER_TEST_PGBIN"; return; fi
  dir=$(pg_config --bindir 2>/dev/null || true)
  if [ -n "$dir" ] && [ -x "$dir/postgres" ]; then echo "$dir"; return; fi
  dir=$(command -v postgres || true)
  if [ -n "$dir" ]; then dirname "$(readlink -f "$dir" 2>/dev/null || echo "$dir")"; return; fi
  for dir in "$root"/usr/lib/postgresql/*/bin "$root"/usr/pgsql-*/bin \
    "$root"/opt/homebrew/opt/postgresql@*/bin "$root"/usr/local/opt/postgresql@*/bin; do
    if [ -x "$dir/postgres" ]; then echo "$dir"; fi
  done | sort -V | tail -1
}
major() { "$(programs)/postgres" --version | grep -oE '[0-9]+' | head -1; }

docker_answers() {
  [ -n "${DOCKER_HOST:-}" ] || [ -e "$root/var/run/docker.sock" ] || return 1
  command -v docker >/dev/null && timeout 10 docker version >/dev/null 2>&1
}

can_install() { [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null; }

choose() { # prints given, programs, docker, or nothing
  if [ -n "${PGTASKER_TEST_DATABASE_URL:-}" ]; then echo given
  elif [ "${PGTASKER_TEST_SERVER:-}" = docker ]; then echo docker
  elif [ -n "$(programs)" ]; then echo programs
  elif [ "${PGTASKER_TEST_SERVER:-}" != binaries ] && docker_answers; then echo docker
  fi
}

has_pgtap() {
  local share
  share=$("$(programs)/pg_config" --sharedir 2>/dev/null || echo "$(programs)/../share/postgresql")
  [ -e "$share/extension/pgtap.control" ]
}

missing() { # prints the packages that the tests need beside a server and that are missing
  local way=$1
  command -v psql >/dev/null || [ -x "$(programs)/psql" ] || echo "$psql_package"
  command -v curl >/dev/null || echo curl # for the commands of docs that the tests run
  command -v pg_prove >/dev/null || echo "$prove_package"
  if [ "$way" = programs ] && ! has_pgtap; then pgtap_package "$(major)"; fi
}

# The names of the packages on this system, and the command that installs them.
if command -v apt-get >/dev/null; then
  install="sudo apt-get install" server_package=postgresql psql_package=postgresql-client
  prove_package=libtap-parser-sourcehandler-pgtap-perl
  pgtap_package() { echo "postgresql-$1-pgtap"; }
elif command -v dnf >/dev/null; then
  install="sudo dnf install" server_package="postgresql-server postgresql-contrib" psql_package=postgresql
  prove_package=perl-TAP-Parser-SourceHandler-pgTAP
  pgtap_package() { echo pgtap; }
elif command -v brew >/dev/null; then
  install="brew install" server_package=postgresql@17 psql_package=libpq
  prove_package="cpanminus && cpanm TAP::Parser::SourceHandler::pgTAP" # this command runs last
  pgtap_package() { echo pgtap; }
else
  install="install" server_package=postgresql psql_package=psql prove_package=pg_prove
  pgtap_package() { echo "pgTAP for PostgreSQL $1"; }
fi

in_one_line() { paste -sd' ' -; }

# When a server is installed, Debian creates and starts a cluster. The tests do not need it, since they create their own
# clusters.
without_cluster() {
  local conf=$root/etc/postgresql-common/createcluster.conf code=0
  quietly "installing postgresql-common" apt_install postgresql-common
  cp -p "$conf" "$conf.pgtasker"
  echo 'create_main_cluster = false' >>"$conf"
  quietly "installing PostgreSQL" apt_install "$@" || code=$?
  mv "$conf.pgtasker" "$conf"
  return "$code"
}
apt_install() { DEBIAN_FRONTEND=noninteractive apt-get install -qy --no-install-recommends "$@"; }

refuse() {
  say "no PostgreSQL for the ${for_what}. Looked for:"
  say "  PGTASKER_TEST_DATABASE_URL: not set"
  say "  server programs in PGTASKER_TEST_PGBIN, PATH, /usr/lib/postgresql, /usr/pgsql-*, Homebrew: none"
  if command -v docker >/dev/null; then
    say "  Docker: \"docker version\" reaches no engine; start it, or set DOCKER_HOST"
  else
    say "  Docker: no docker command"
  fi
  say "Do one of these:"
  say "  $install $server_package"
  say "  start a Docker engine"
  say "  export PGTASKER_TEST_DATABASE_URL=postgres://superuser:password@host/postgres"
  exit 1
}

find_postgres() {
  if [ -n "${PGTASKER_TEST_PGBIN:-}" ] && [ ! -x "$PGTASKER_TEST_PGBIN/postgres" ]; then
    say "PGTASKER_TEST_PGBIN is $PGTASKER_TEST_PGBIN, where there is no postgres"
    exit 1
  fi
  local way lacking
  way=$(choose)
  if [ -z "$way" ]; then
    can_install || refuse
    quietly "reading the package lists" apt-get update -q
    without_cluster "$server_package"
    way=programs
  fi
  case $way in
    given) say "PostgreSQL: the server of PGTASKER_TEST_DATABASE_URL" ;;
    programs) say "PostgreSQL: a private cluster with the programs of $(programs)" ;;
    docker) with_docker=yes; say "PostgreSQL: a container in Docker" ;;
  esac
  [ "$for_what" = tests ] || return 0

  lacking=$(missing "$way" | in_one_line)
  if [ -n "$lacking" ] && can_install; then
    [ -n "$(ls "$root"/var/lib/apt/lists/*Packages* 2>/dev/null)" ] || quietly "reading the package lists" apt-get update -q
    # shellcheck disable=SC2086 # a list of packages
    quietly "installing $lacking" apt_install $lacking
  elif [ -n "$lacking" ]; then
    say "the tests also need: $install $lacking"
    [ "$way" = given ] || exit 1 # the existing server may have what this machine lacks
  fi
  if ! command -v gcc >/dev/null && ! command -v cc >/dev/null && can_install; then
    quietly "installing a C compiler, for the race detector" apt_install gcc libc6-dev
  fi
}

[ "$for_what" = client ] || find_postgres
# Do not link a program that is up to date: tests run commands of pages such as "make tasker" and "make db-up", and should not
# measure compiling. Compile without cgo, so that the programs of "make demo" stay up to date when "make test" installs a C
# compiler.
bin=$PWD/.cache/bin
build() { quietly "compiling $1 (minutes, the first time)" env CGO_ENABLED=0 go build -C "$2" -buildvcs=false -o "$bin/$1" .; }
build tasker cmd/tasker
[ "$for_what" = client ] || build pgtest internal/cmd/pgtest
[ "$for_what" != tests ] || build dbmate tools/dbmate
[ -z "${with_docker:-}" ] || GOWORK=off build dockerpg internal/pgtest/dockerpg
