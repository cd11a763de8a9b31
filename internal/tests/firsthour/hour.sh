# hour.sh python|typescript: begins PostgreSQL with an empty database, and types the lines of that language's script in an empty directory.
# Lines that begin with "$ " show what is typed. Times, identifiers and paths of packages are not shown.
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

typed=
while IFS= read -r line; do
  case $line in
    "#"*) [ -z "$typed" ] && { echo "$line"; continue; } ;;
  esac
  typed+="$line"$'\n'
  # A here-document ends with a line of its own.
  if [[ $typed == *"<<'EOF'"* && $line != EOF ]]; then continue; fi
  printf '%s' "$typed" | sed '1s/^/$ /'
  eval "$typed" >/tmp/shown 2>&1 || { cat /tmp/shown && exit 1; }
  sed -E 's/[0-9]+\.[0-9]+ ?m?s\b/… s/g; s/line [0-9]+: +[0-9]+ Killed +/line …: Killed /; s/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f-]+/…/g' /tmp/shown
  typed=
done <"/srv/packages/$1.sh"
