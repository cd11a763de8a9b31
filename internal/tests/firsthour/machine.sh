# Debian has nothing but its minimal packages. Go, a clone of the repository for each user, and the files of a release are there.
cut -d. -f1 /etc/debian_version; ls /srv; command -v psql make git || echo "none of them"
apt-get -qq update && apt-get -qq install -y --no-install-recommends make git ca-certificates curl >/dev/null 2>&1; echo "status $?"
# Not as root, and there is no PostgreSQL: README's first command says what to do.
su engineer -c 'cd ~/pgtasker && make demo' || echo "status $?"
# As root it installs what is missing.
cd /root/pgtasker
shown() { grep -E '^(setup: PostgreSQL|pgtest: PostgreSQL|Who |reserve +yes|charge +yes|ship +yes|Result)|FAIL'; }
make demo 2>&1 | shown
make test-quick 2>&1 | shown
# Not as root, with the packages that root has installed.
su engineer -c 'cd ~/pgtasker && make demo' 2>&1 | shown
su engineer -c 'cd ~/pgtasker && make test-quick' 2>&1 | shown
# The released version, by go install.
su engineer -c 'cd && go install github.com/pgtasker/pgtasker/cmd/tasker@v0.1.0 && ~/go/bin/tasker --version'
# The schema is one file for psql. The wheel has it, too.
installs() { su engineer -c "pg_virtualenv sh -ec '$1 | psql -X -q -v ON_ERROR_STOP=1 && psql -X -At -c \"select count(*) > 0 from tasker.list_settings()\"'" 2>&1 | tail -n 1; }
installs "cat /srv/release/pgtasker_*.sql"
apt-get -qq install -y --no-install-recommends python3-venv python3-psycopg >/dev/null 2>&1; python3 -m venv --system-site-packages /srv/venv
/srv/venv/bin/pip install -q --no-index /srv/release/pgtasker-*.whl && installs "/srv/venv/bin/python -m pgtasker.schema"
# The program of the archive, without a clone, not as root. Its server for development applies a folder of templates.
cd /srv/release && sha256sum --check --quiet --ignore-missing SHA256SUMS && echo "sums fit"
su engineer -c 'cd && tar -xzf /srv/release/tasker_*_linux_amd64.tar.gz && mv tasker_*_linux_amd64 tasker && ls tasker && tasker/tasker --version'
mkdir -p /home/engineer/templates && cp /root/pgtasker/examples/orders/fulfilment/order.yaml /home/engineer/templates && chown -R engineer: /home/engineer/templates
cd /home/engineer && coproc DEV { HOME=$PWD exec setpriv --reuid=engineer --regid=engineer --init-groups tasker/tasker dev templates --json 2>&1; }
exec 7<&"${DEV[0]}" && pid=$DEV_PID; next() { read -r event <&7 && echo "$event" | sed -E 's/("(postgresql|token|database_url|address|page|data)":) ?"[^"]*"/\1 …/g'; }
field() { echo "$event" | sed -E "s/.*\"$1\": ?\"([^\"]*)\".*/\1/"; }
next
address=$(field address) token=$(field token)
next
curl -sS -H "Authorization: Bearer $token" "$address/v1/templates" | grep -oE '"name": ?"order"'
kill "$pid"; cat <&7; wait "$pid"
# The Debian package, as root: the program, units and completions.
apt-get -qq install -y /srv/release/pgtasker_*_amd64.deb >/dev/null 2>&1; tasker --version; dpkg -L pgtasker | grep -E 'bin/|systemd|completion'
cd /root && coproc DEV { exec tasker dev --json 2>&1; }
exec 7<&"${DEV[0]}" && pid=$DEV_PID; next
kill "$pid"; cat <&7; wait "$pid"
