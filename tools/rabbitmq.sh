#!/usr/bin/env bash
# tools/rabbitmq.sh COMMAND…: runs a command, such as tests, with a temporary RabbitMQ server.
#
#   tools/rabbitmq.sh go test ./messaging/rabbitmq
#
# The server is Debian's (package rabbitmq-server, which is installed if it is missing and you are root). It runs as an
# ordinary user, on free ports of 127.0.0.1, in a temporary directory that is deleted at the end. No service is
# started or changed. The command has these variables in its environment:
#
#   PGTASKER_TEST_RABBITMQ       the address, amqp://…
#   PGTASKER_TEST_RABBITMQ_TLS   the address with TLS, amqps://…
#   PGTASKER_TEST_RABBITMQ_CA    the file with the certificate of the authority that signs the server's
#   PGTASKER_TEST_RABBITMQ_CERT  the file with a client's certificate and key, which the address with TLS demands
# PGTASKER_TEST_RABBITMQ_CTL the program rabbitmqctl for this server
#
# If a test kills the server, the script starts it again with its data.
#
# PGTASKER_RABBITMQ_ROOT=DIRECTORY runs the server of another Debian with chroot, such as a newer Debian that debootstrap has
# made. If PGTASKER_TEST_RABBITMQ is set already, the command runs with that server and nothing is started. Then tests that need
# TLS or administer the server are skipped, unless the other variables are set, too.
set -euo pipefail

fail() { echo "rabbitmq.sh: $*" >&2; exit 1; }
root=${PGTASKER_RABBITMQ_ROOT:-}
programs() { find /usr/lib/rabbitmq/lib /opt/homebrew/opt/rabbitmq /usr/local/opt/rabbitmq -path '*/sbin/rabbitmq-server' 2>/dev/null | sort -V | tail -n 1; }

[ $# -gt 0 ] || fail "name the command to run"
[ -z "${PGTASKER_TEST_RABBITMQ:-}" ] || exec "$@"
if [ -n "$root" ]; then
  root=$(realpath "$root")
  [ "$(id -u)" = 0 ] || fail "PGTASKER_RABBITMQ_ROOT needs root, for chroot"
  # Without /proc the server does not watch its memory. The mount ends with this script.
  # shellcheck disable=SC2016 # the inner shell expands it
  [ -e "$root/proc/self" ] || exec unshare --mount sh -c 'mount --bind /proc "$1/proc" && shift && exec "$@"' sh "$root" "$0" "$@"
  programs() { find "$root/usr/lib/rabbitmq/lib" -path '*/sbin/rabbitmq-server' | sort -V | tail -n 1; }
  [ -n "$(programs)" ] || fail "there is no RabbitMQ in $root"
fi
if [ -z "$(programs)" ]; then
  [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null || fail "there is no RabbitMQ here: sudo apt-get install rabbitmq-server"
  echo "rabbitmq.sh: installing rabbitmq-server" >&2
  # Runlevel 1 keeps the package from starting its service.
  DEBIAN_FRONTEND=noninteractive RUNLEVEL=1 apt-get install -qqy --no-install-recommends rabbitmq-server >/dev/null ||
    fail "apt-get could not install rabbitmq-server"
fi
sbin=$(dirname "$(programs)")
sbin=${sbin#"$root"}

temporary=${TMPDIR:-/tmp}
[ -z "$root" ] || temporary=$root/tmp # TMPDIR may be outside of the root
outside=$(mktemp -d "$temporary/pgtasker-rabbitmq-XXXXXX")
dir=${outside#"$root"} # as the server sees it
groups=()
stop() {
  local group
  for group in "${groups[@]}"; do
    kill -KILL -- "-$group" 2>/dev/null || true
    wait "$group" 2>/dev/null || true
  done
  rm -rf "$outside"
}
trap stop EXIT
trap 'exit 130' INT TERM

# free PORT…: prints a port on which nothing listens, other than the given ports.
free() {
  local port
  while :; do
    port=$((20000 + RANDOM % 10000))
    [[ " $* " == *" $port "* ]] && continue
    (: <"/dev/tcp/127.0.0.1/$port") 2>/dev/null || { echo "$port"; return; }
  done
}
epmd=$(free) amqp=$(free "$epmd") amqps=$(free "$epmd" "$amqp") between=$(free "$epmd" "$amqp" "$amqps")

# Create an authority, and the certificates of the server and a client that it signs.
certificates() {
  local who ec=(-newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes)
  openssl req -x509 "${ec[@]}" -days 2 -subj '/CN=pgtasker test authority' -keyout "$outside/ca.key" -out "$outside/ca.pem" || return
  for who in server client; do
    printf 'subjectAltName=DNS:localhost,IP:127.0.0.1\nextendedKeyUsage=%sAuth\n' "$who" > "$outside/$who.ext"
    openssl req "${ec[@]}" -subj "/CN=$who" -keyout "$outside/$who.key" -out "$outside/$who.csr" &&
      openssl x509 -req -days 2 -in "$outside/$who.csr" -CA "$outside/ca.pem" -CAkey "$outside/ca.key" -CAcreateserial \
        -extfile "$outside/$who.ext" -out "$outside/$who.pem" || return
  done
  cat "$outside/client.key" >> "$outside/client.pem"
}
certificates >"$outside/openssl.log" 2>&1 || fail "openssl made no certificates: $(cat "$outside/openssl.log")"

cat > "$outside/rabbitmq.conf" <<CONF
listeners.tcp.1 = 127.0.0.1:$amqp
listeners.ssl.1 = 127.0.0.1:$amqps
ssl_options.cacertfile = $dir/ca.pem
ssl_options.certfile = $dir/server.pem
ssl_options.keyfile = $dir/server.key
ssl_options.verify = verify_peer
ssl_options.fail_if_no_peer_cert = true
distribution.listener.port_range.min = $between
distribution.listener.port_range.max = $between
disk_free_limit.absolute = 50MB
log.console = false
CONF
echo '[].' > "$outside/plugins"
cat > "$outside/ctl" <<CTL
#!/bin/sh
# rabbitmqctl for the server in this directory.
export HOME='$dir' ERL_EPMD_PORT=$epmd RABBITMQ_NODENAME=pgtasker@localhost RABBITMQ_CONF_ENV_FILE=/dev/null
exec ${root:+chroot '$root'} '$sbin/rabbitmqctl' "\$@"
CTL
chmod 755 "$outside/ctl"

as=()
if [ "$(id -u)" = 0 ]; then
  IFS=: read -r _ _ uid gid _ < <(grep -h -e ^rabbitmq: -e ^nobody: "$root/etc/passwd" | sort -r) # the user rabbitmq if it exists, otherwise nobody
  chown -R "$uid:$gid" "$outside"
  as=(setpriv "--reuid=$uid" "--regid=$gid" --clear-groups)
  [ -z "$root" ] || as=(chroot "--userspec=$uid:$gid" --groups= "$root")
fi
set -m # epmd and the server each get a process group, so that all processes of the group can be killed together
"${as[@]}" epmd -port "$epmd" -address 127.0.0.1 >"$outside/epmd.log" 2>&1 </dev/null & # the name server of Erlang's nodes
groups+=($!)
# Start the server again when a test has killed it.
while
  env HOME="$dir" ERL_EPMD_PORT="$epmd" RABBITMQ_NODENAME=pgtasker@localhost \
    RABBITMQ_CONF_ENV_FILE=/dev/null RABBITMQ_CONFIG_FILE="$dir/rabbitmq.conf" RABBITMQ_ENABLED_PLUGINS_FILE="$dir/plugins" \
    RABBITMQ_MNESIA_BASE="$dir/data" RABBITMQ_LOG_BASE="$dir/log" RABBITMQ_PID_FILE="$dir/pid" \
    RABBITMQ_GENERATED_CONFIG_DIR="$dir/config" "${as[@]}" "$sbin/rabbitmq-server" >>"$outside/out" 2>&1 </dev/null
  grep -qs 'Server startup complete' "$outside"/log/*.log
do :; done &
groups+=($!)
set +m

# The start may take minutes on a busy machine. If the server cannot start, it ends, and then this loop ends, too.
began=$SECONDS told=0
until grep -qs 'Server startup complete' "$outside"/log/*.log; do
  kill -0 "${groups[1]}" 2>/dev/null && ((SECONDS - began < 300)) ||
    { cat "$outside/out" >&2; tail -n 50 "$outside"/log/*.log >&2 || true; fail "RabbitMQ does not start: given up after $((SECONDS - began)) s"; }
  if ((SECONDS - began >= told + 30)); then
    told=$((SECONDS - began))
    echo "rabbitmq.sh: waiting for RabbitMQ to say \"Server startup complete\" in its log, for $told s now" >&2
  fi
  sleep 0.2
done
echo "rabbitmq.sh: RabbitMQ $(basename "$(dirname "$sbin")") is up after $((SECONDS - began)) s" >&2

PGTASKER_TEST_RABBITMQ="amqp://guest:guest@127.0.0.1:$amqp/" \
  PGTASKER_TEST_RABBITMQ_TLS="amqps://guest:guest@127.0.0.1:$amqps/" \
  PGTASKER_TEST_RABBITMQ_CA="$outside/ca.pem" PGTASKER_TEST_RABBITMQ_CERT="$outside/client.pem" \
  PGTASKER_TEST_RABBITMQ_CTL="$outside/ctl" "$@"
