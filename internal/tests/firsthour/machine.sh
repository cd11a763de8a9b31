# Debian has nothing but its minimal packages. Go, a clone of the repository for each user, and the files of a release are there.
cat /etc/debian_version; ls /srv; command -v psql make git || echo "none of them"
apt-get -qq update && apt-get -qq install -y --no-install-recommends make git ca-certificates curl >/dev/null 2>&1; echo "status $?"
# Not as root, and there is no PostgreSQL: README's first command says what to do.
su engineer -c 'cd ~/pgtasker && make demo' || echo "status $?"
# As root it installs what is missing.
cd /root/pgtasker
make demo
make test-quick
# What was compiled serves both users, so that the second user does not compile it again.
chmod -R a+rwX "$GOCACHE"
# Not as root, with the packages that root has installed.
su engineer -c 'cd ~/pgtasker && make demo' | tail -n 3
su engineer -c 'cd ~/pgtasker && make test-quick' | tail -n 1
# The released version, by go install.
su engineer -c 'cd && go install github.com/pgtasker/pgtasker/cmd/tasker@v0.1.0 && ~/go/bin/tasker --version'
# The program of the archive, without a clone, not as root. Its server for development applies a folder of templates.
cd /srv/release && sha256sum --check --quiet --ignore-missing SHA256SUMS && echo "sums fit"
su engineer -c 'cd && tar -xzf /srv/release/tasker_*_linux_amd64.tar.gz && mv tasker_*_linux_amd64 tasker && ls tasker && tasker/tasker --version'
mkdir -p /home/engineer/templates && cp /root/pgtasker/examples/orders/fulfilment/order.yaml /home/engineer/templates && chown -R engineer /home/engineer/templates
as_engineer() { HOME=/home/engineer setpriv --reuid=engineer --regid=engineer --init-groups "$@"; }
cd /home/engineer && coproc DEV { as_engineer tasker/tasker dev templates --json 2>&1; }
next() { read -r event <&"${DEV[0]}" && echo "$event" | sed -E 's/("(token|database_url|address|page|data)": ?")[^"]*/\1…/g'; }
next
address=$(echo "$event" | sed -E 's/.*"address": ?"([^"]*)".*/\1/') token=$(echo "$event" | sed -E 's/.*"token": ?"([^"]*)".*/\1/')
next
curl -sS -H "Authorization: Bearer $token" "$address/v1/templates" | grep -o '"name":"order"'
kill -INT "$DEV_PID"; cat <&"${DEV[0]}"
# The Debian package, as root: the program, units and completions.
apt-get -qq install -y /srv/release/pgtasker_*_amd64.deb >/dev/null 2>&1; tasker --version; dpkg -L pgtasker | grep -E 'bin/|systemd|completion'
cd /root && coproc DEV { tasker dev --json 2>&1; }
next
kill -INT "$DEV_PID"; cat <&"${DEV[0]}"
apt-get -qq purge -y pgtasker >/dev/null 2>&1; command -v tasker || echo "removed"
