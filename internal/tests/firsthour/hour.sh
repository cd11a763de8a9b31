# hour.sh python|typescript: begins PostgreSQL with an empty database, and types the lines of that language's script in an empty directory.
set -euo pipefail
mount -t proc proc /proc 2>/dev/null || true
data=/var/lib/postgresql/hour
rm -rf "$data" && mkdir -p "$data" /run/postgresql && chown postgres "$data" /run/postgresql
as() { setpriv --reuid=postgres --regid=postgres --init-groups "$@"; }
as initdb -D "$data" -U postgres -A trust >/dev/null
as pg_ctl -D "$data" -l "$data/log" -w -o "-c listen_addresses='' -k /run/postgresql -c fsync=off" start >/dev/null
trap 'as pg_ctl -D "$data" -m immediate stop >/dev/null' EXIT
export PGHOST=/run/postgresql PGUSER=postgres DATABASE_URL="postgres:///shop?host=/run/postgresql&user=postgres"
mkdir -p "/home/engineer/$1" && cd "/home/engineer/$1"
if command -v go; then echo "there is Go" && exit 1; fi

. /srv/packages/type.sh
typed "/srv/packages/$1.sh"
