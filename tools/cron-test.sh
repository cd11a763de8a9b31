#!/usr/bin/env bash
# tools/cron-test.sh: proves that the real pg_cron runs maintenance.
#
# pg_cron must be loaded when the server starts and works in one database of it. The test therefore has a server of
# its own: the PostgreSQL 15 of tools/servers.sh with Debian's pg_cron (kept in .cache/servers-cron), in a temporary
# directory that is deleted at the end. A role that is not a superuser, but a member of tasker_operator, calls
# tasker.setup_cron(). The jobs are then changed to run every minute, and each must succeed and do its work. The test
# runs a task of SQL steps, for which there is no worker, and takes four minutes at most. With CRON_WORKERS=off pg_cron connects to the server instead of starting workers.
set -euo pipefail
cd "$(dirname "$0")/.."

servers=$PWD/.cache/servers-cron
server=$servers/15
say() { echo "cron-test.sh: $*" >&2; }
fail() { say "$*"; exit 1; }

# as_server COMMAND…: PostgreSQL does not run as root.
as_server() { if [ "$(id -u)" = 0 ]; then runuser -u postgres -- "$@"; else "$@"; fi; }

install_cron() {
  local bin work
  bin=$(tools/servers.sh 15 | tail -n 1)
  mkdir -p "$servers"
  exec 9>"$servers/.lock"
  flock 9
  [ -f "$server/lib/postgresql/pg_cron.so" ] && return
  say "fetching pg_cron"
  work=$(mktemp -d "$servers/.new-XXXXXX")
  (cd "$work" && apt-get download -qq -o APT::Sandbox::User=root postgresql-15-cron && dpkg-deb -x ./*.deb files) ||
    fail "apt-get does not deliver postgresql-15-cron"
  cp -a "${bin%/bin}" "$work/server"
  cp "$work"/files/usr/lib/postgresql/15/lib/pg_cron.so "$work/server/lib/postgresql/"
  cp "$work"/files/usr/share/postgresql/15/extension/pg_cron* "$work/server/share/postgresql/extension/"
  chmod -R a+rX "$servers" "$work/server"
  rm -rf "$server"
  mv "$work/server" "$server"
  rm -rf "$work"
}

start_server() {
  work=$(mktemp -d /tmp/pgtasker-cron-XXXXXX)
  trap 'as_server "$server/bin/pg_ctl" -D "$work/data" -m immediate stop >/dev/null 2>&1 || true; rm -rf "$work"' EXIT
  chmod 755 "$work"
  [ "$(id -u)" != 0 ] || chown postgres "$work"
  as_server "$server/bin/initdb" -D "$work/data" -U postgres -A trust --no-sync >/dev/null
  as_server "$server/bin/pg_ctl" -D "$work/data" -w -l "$work/log" -o "-c listen_addresses= -c unix_socket_directories=$work \
    -c fsync=off -c shared_preload_libraries=pg_cron -c cron.database_name=pgtasker -c cron.use_background_workers=${CRON_WORKERS:-on} -c cron.host=$work \
    -c max_worker_processes=20" start >/dev/null || { cat "$work/log" >&2; fail "the server does not start"; }
  export PGHOST=$work PGUSER=postgres PGDATABASE=pgtasker PGOPTIONS='-c client_min_messages=warning'
  psql -qX -d postgres -c 'create database pgtasker'
}

sql() { psql -qXtA -v ON_ERROR_STOP=1 "$@"; }

install_cron
start_server
sql -1 -f db/schema/schema.sql >/dev/null
sql <<'SQL'
create extension pg_cron;
create role housekeeper login in role tasker_operator;
grant usage on schema cron to housekeeper;
-- A system without a worker: a graph of SQL steps, one of them under a time-out and one that fails once.
create role shop_steps;
grant shop_steps to tasker_owner;
create schema shop;
grant usage on schema shop to shop_steps, housekeeper;
create table shop.orders (order_no integer primary key, booked integer not null default 0, shipped boolean not null default false);
insert into shop.orders (order_no) values (1);
create function shop.book_order(p_input jsonb) returns jsonb language sql
begin atomic
  update shop.orders as o set booked = o.booked + 1
   where o.order_no = (p_input #>> '{context,order}')::integer
  returning jsonb_build_object('booked', o.booked, 'as', current_user);
end;
create function shop.ship_order(p_input jsonb) returns jsonb language plpgsql as $$
begin
  update shop.orders as o set shipped = true where o.order_no = (p_input #>> '{context,order}')::integer;
  if (p_input ->> 'attempt')::integer = 1 then
    raise exception 'the truck is late';
  end if;
  return p_input #> '{parents,book}';
end;
$$;
revoke execute on all functions in schema shop from public;
grant execute on all functions in schema shop to shop_steps, housekeeper;
grant select, update on shop.orders to shop_steps;
-- Something to do for each of them.
update tasker.partition_config set premake = 5, retention = '1 day';
set role tasker_owner;
select tasker.create_partition_range('2020-01-01 00:00+00', '2020-02-01 00:00+00');
reset role;
insert into tasker.task_identities (identity_hash, task_uuid)
values (sha256('old'), '016f5e66-e800-7000-8000-000000000000');
select pgmq.create('worker_old_queue');
insert into pgmq.a_worker_old_queue (msg_id, vt, archived_at) values (1, now(), '2020-01-01');
SQL

export PGUSER=housekeeper
jobs=$(sql -c 'select count(*) from tasker.setup_cron()')
[ "$(sql -c 'select count(*) from tasker.setup_cron()')" = "$jobs" ] || fail "a second call makes other jobs"
[ "$(sql -c "select count(*) from cron.job where username = 'housekeeper'")" = "$jobs" ] || fail "the jobs are somebody else's"
sql -c "select cron.schedule(jobname, '* * * * *', command) from cron.job" >/dev/null

sql <<'SQL' >/dev/null
select tasker.register_namespace('shop');
select tasker.bind_sql_role('shop', 'shop_steps', 'housekeeper', 'a system without a worker');
select tasker.register_task_template('{"namespace": "shop", "name": "order", "steps": [
  {"name": "book", "sql": "shop.book_order"},
  {"name": "ship", "sql": "shop.ship_order", "dependencies": ["book"], "retry": {"base_seconds": 1}},
  {"name": "count", "sql": "shop.book_order", "dependencies": ["ship"], "timeout_seconds": 30}
]}');
select tasker.create_task('shop', 'order', '{"order": 1}');
SQL

done_by_all="
  select (select count(distinct jobid) from cron.job_run_details where status = 'succeeded') = $jobs
     and (select count(*) from tasker.list_partition_ranges() where starts_at > now()) = 5
     and not exists (select from tasker.list_partition_ranges() where starts_at < '2021-01-01')
     and exists (select from tasker.list_tasks() as t where t.state = 'complete')"
for ((tries = 0; tries < 240; tries++)); do
  [ "$(sql -c "$done_by_all")" = t ] && break
  sleep 1
done
sql -F ' | ' -c "select j.jobname, d.status, d.return_message from cron.job as j left join cron.job_run_details as d using (jobid) order by 1, d.runid" >&2
[ "$(sql -c "$done_by_all")" = t ] || fail "not every job has done its work"
[ "$(sql -c "select count(*) from cron.job_run_details where status = 'failed'")" = 0 ] || fail "a job has failed"
PGUSER=postgres
[ "$(sql -c 'select booked, shipped from shop.orders')" = '2|t' ] || fail "the SQL steps have not had their effects exactly once"
[ "$(sql -c 'select count(*) from tasker.task_identities')" = 1 ] || fail "an identity was left"
[ "$(sql -c 'select count(*) from pgmq.a_worker_old_queue')" = 0 ] || fail "an archived message was left"

PGUSER=housekeeper
[ "$(sql -c 'select count(*) from tasker.setup_cron(false)')" = "$jobs" ] || fail "the jobs cannot be taken back"
[ "$(sql -c 'select count(*) from cron.job')" = 0 ] || fail "jobs are left"
say "passed: $jobs jobs"
