-- doctor: what there is to say about server and database
-- Composed from db/schema: edit there, then compose again. Frozen by the first release tag.

-- migrate:up
set local citus.enable_ddl_propagation = off; -- Citus would repeat this on its worker nodes
set local role tasker_owner;

-- >>> db/schema/rows/operate/doctor/installation_findings.sql
create or replace view tasker.installation_findings as
select
  ''::text as name,
  ''::text as status,
  ''::text as message,
  null::text as hint
where false;

comment on view tasker.installation_findings is
  'Row type: the result of one check of the server or the database.';
comment on column tasker.installation_findings.status is
  'ok; warn: the checked object works, but may be slow or behave unexpectedly; fail: it does not work or is not safe.';
comment on column tasker.installation_findings.hint is
  'The instruction how to remove the problem. Null if nothing needs to be done.';
-- <<<

-- >>> db/schema/rows/operate/doctor/schema_state.sql
create or replace view tasker.schema_state as
select
  ''::text as digest,
  null::text as newest_version
where false;

comment on view tasker.schema_state is
  'Row type: the newest version, and a digest of the files of the applied migrations, which programs compare with the digest of their own files.';
-- <<<

-- >>> db/schema/functions/operate/tokens/check_server_login.sql
create or replace function tasker.check_server_login()
  returns setof tasker.installation_findings
  language plpgsql
  stable
  security definer
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_groups    text[] := array['tasker_submitter', 'tasker_worker', 'tasker_orchestrator', 'tasker_operator', 'tasker_reader'];
  v_login     pg_roles;
  v_inherited text;
  v_missing   text;
begin
  select r.* into v_login from pg_roles as r where r.rolname = session_user;
  select
    string_agg(u.name, ', ' order by u.name) filter (where pg_has_role(v_login.oid, u.name, 'usage')),
    string_agg(u.name, ', ' order by u.name) filter (where not pg_has_role(
      v_login.oid, u.name, case when current_setting('server_version_num')::integer >= 160000 then 'set' else 'member' end
    ))
    into v_inherited, v_missing
    from unnest(v_groups) as u (name);

  return query
  select
    'login',
    case when v_login.rolsuper or v_login.rolcreaterole or v_login.rolreplication or v_login.rolbypassrls then 'fail' else 'ok' end,
    case
      when v_login.rolsuper then format('login "%s" is a superuser', session_user)
      when v_login.rolcreaterole or v_login.rolreplication or v_login.rolbypassrls
        then format('login "%s" has rights that no request needs: createrole, replication or bypassrls', session_user)
      else format('login "%s" has no rights beside its groups', session_user)
    end,
    case when v_login.rolsuper or v_login.rolcreaterole or v_login.rolreplication or v_login.rolbypassrls then
      'Log in as a role of its own: create role tasker_web login noinherit; grant tasker_server, tasker_reader to tasker_web.'
    end
  union all
  select
    'inherited rights',
    case when v_inherited is not null and not v_login.rolsuper then 'fail' else 'ok' end,
    case
      when v_inherited is not null then format('login "%s" has the rights of %s without SET ROLE', session_user, v_inherited)
      else 'a request has the rights of its token and no others'
    end,
    case when v_inherited is not null and not v_login.rolsuper then
      format('alter role %I noinherit; since PostgreSQL 16 also grant each group with inherit false.', session_user)
    end
  union all
  select
    'roles of tokens',
    case when v_missing is not null then 'warn' else 'ok' end,
    case
      when v_missing is not null then format('tokens of these roles are refused: %s', v_missing)
      else 'tokens of every role are served'
    end,
    case when v_missing is not null then format('grant %s to %I; if they are to be served.', v_missing, session_user) end;
end;
$$;

comment on function tasker.check_server_login is
$$Returns whether "tasker serve" can use the login role (session_user) safely: whether it is no superuser and inherits
no rights, and which roles its tokens can have.$$;

grant execute on function tasker.check_server_login to tasker_server;
-- <<<

-- >>> db/schema/functions/operate/doctor/private/doctor_server.sql
create or replace function tasker.doctor_server()
  returns setof tasker.installation_findings
  language plpgsql
  stable
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_version integer := current_setting('server_version_num')::integer / 10000;
begin
  return query
  select
    'server',
    case when v_version < 15 then 'fail' when v_version > 18 then 'warn' else 'ok' end,
    format('PostgreSQL %s, up since %s', split_part(current_setting('server_version'), ' ', 1), date_trunc('second', pg_postmaster_start_time())),
    case when v_version not between 15 and 18 then 'pgtasker is tested on PostgreSQL 15 to 18.' end;
end;
$$;

comment on function tasker.doctor_server is
$$Checks that pgtasker is tested with the server's version of PostgreSQL.$$;
-- <<<

-- >>> db/schema/functions/operate/doctor/private/doctor_standby.sql
create or replace function tasker.doctor_standby()
  returns setof tasker.installation_findings
  language plpgsql
  stable
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_lag double precision := tasker.standby_lag();
begin
  if not pg_is_in_recovery() then
    return;
  end if;
  return query
  select
    'standby',
    case when coalesce(v_lag, 0) > 60 then 'warn' else 'ok' end,
    case
      when v_lag is null then 'this server is a standby that has replayed no transaction since it started'
      else format('this server is a standby, %s s behind its primary', round(v_lag::numeric, 1))
    end,
    'It serves functions that only read. Functions that write raise 25006, and LISTEN does not work: connect workers and orchestrators to the primary.';
end;
$$;

comment on function tasker.doctor_standby is
$$Reports that this server is a standby, and how far it is behind its primary. Returns no row on a primary.$$;
-- <<<

-- >>> db/schema/functions/operate/doctor/private/doctor_durability.sql
create or replace function tasker.doctor_durability()
  returns setof tasker.installation_findings
  language plpgsql
  stable
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_off text := (
    select string_agg(s.name, ', ' order by s.name)
      from pg_settings as s
     where s.name in ('fsync', 'full_page_writes')
       and s.setting = 'off'
  );
begin
  return query
  select
    'durability',
    case when v_off is not null then 'fail' when current_setting('synchronous_commit') = 'off' then 'warn' else 'ok' end,
    case
      when v_off is not null then format('a crash of the server may destroy the database, because these settings are off: %s', v_off)
      when current_setting('synchronous_commit') = 'off' then 'a crash of the server may lose the last commits: synchronous_commit is off'
      else 'commits survive a crash of the server'
    end,
    case
      when v_off is not null then 'Turn it on in postgresql.conf.'
      when current_setting('synchronous_commit') = 'off' then 'Finished steps may run again, and a new task may be lost: turn it on if that matters.'
    end;
end;
$$;

comment on function tasker.doctor_durability is
$$Checks that commits survive a crash of the server.$$;
-- <<<

-- >>> db/schema/functions/operate/doctor/private/doctor_isolation.sql
create or replace function tasker.doctor_isolation()
  returns setof tasker.installation_findings
  language plpgsql
  stable
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_level text := (
    select s.reset_val
      from pg_settings as s
     where s.name = 'default_transaction_isolation'
  );
begin
  return query
  select
    'isolation',
    case when v_level = 'read committed' then 'ok' else 'warn' end,
    format('transactions begin in %s', v_level),
    case when v_level <> 'read committed' then
      'Functions of workers and orchestrators need read committed: set default_transaction_isolation for their roles.'
    end;
end;
$$;

comment on function tasker.doctor_isolation is
$$Checks that transactions begin with the isolation level that the functions of workers need.$$;
-- <<<

-- >>> db/schema/functions/operate/doctor/private/doctor_timeouts.sql
create or replace function tasker.doctor_timeouts()
  returns setof tasker.installation_findings
  language plpgsql
  stable
as $$
declare
  v_endless text;
begin
  -- If a login role may claim or change rows and leaves its transaction open, other sessions have to wait.
  select string_agg(e.rolname, ', ' order by e.rolname)
    into v_endless
    from (
      select r.rolname
        from pg_roles as r
       where r.rolcanlogin
         and not r.rolsuper
         and exists (
           select
             from unnest('{tasker_submitter,tasker_worker,tasker_orchestrator,tasker_operator}'::text[]) as u (name)
             join pg_roles as g
               on g.rolname = u.name
            where pg_has_role(r.oid, g.oid, 'member')
         )
         and not exists (
           select
             from pg_db_role_setting as s
            cross join unnest(s.setconfig) as c (line)
            where s.setrole in (0, r.oid)
              and s.setdatabase in (0, (select d.oid from pg_database as d where d.datname = current_database()))
              and c.line ~ '^idle_in_transaction_session_timeout=.*[1-9]'
         )
       order by r.rolname
       limit 10
    ) as e
   where (select s.boot_val = s.reset_val from pg_settings as s where s.name = 'idle_in_transaction_session_timeout');

  return query
  select
    'timeouts',
    case when v_endless is not null then 'warn' else 'ok' end,
    case
      when v_endless is not null and tasker.bound_namespaces() is not null then 'transactions of login roles may stay open without end'
      when v_endless is not null then format('transactions may stay open without end: %s', v_endless)
      else 'idle transactions of login roles end'
    end,
    case when v_endless is not null then
      'Other sessions wait for their locks: alter role … set idle_in_transaction_session_timeout = ''1min''; and a statement_timeout.'
    end;
end;
$$;

comment on function tasker.doctor_timeouts is
$$Finds login roles that may leave a transaction open without end.$$;
-- <<<

-- >>> db/schema/functions/operate/doctor/private/doctor_roles.sql
create or replace function tasker.doctor_roles()
  returns setof tasker.installation_findings
  language plpgsql
  stable
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_roles text[] := array[
    'tasker_owner', 'tasker_submitter', 'tasker_worker', 'tasker_orchestrator', 'tasker_operator', 'tasker_reader',
    'tasker_server',
    'tasklib_submitter', 'tasklib_worker', 'tasklib_operator', 'tasklib_reader'
  ];
  v_missing text;
  v_mighty  text;
  v_granted text;
begin
  select
    string_agg(u.name, ', ' order by u.name) filter (where r.oid is null),
    string_agg(u.name, ', ' order by u.name) filter (where r.rolcanlogin or r.rolsuper)
    into v_missing, v_mighty
    from unnest(v_roles) as u (name)
    left join pg_roles as r
      on r.rolname = u.name;

  select string_agg(g.line, ', ' order by g.line)
    into v_granted
    from (
      select format('%s to %s', r.rolname, count(*)) as line
        from pg_auth_members as m
        join pg_roles as r
          on r.oid = m.roleid
       where r.rolname = any (v_roles[2:])
       group by r.rolname
    ) as g;

  return query
  select
    'roles',
    case when v_missing is not null then 'fail' when v_mighty is not null then 'warn' else 'ok' end,
    case
      when v_missing is not null then format('roles are missing: %s', v_missing)
      when v_mighty is not null then format('a role may log in or is a superuser: %s', v_mighty)
      else format('all eleven are there; granted: %s', coalesce(v_granted, 'none but to superusers'))
    end,
    case
      when v_missing is not null then 'Create them (create role … nologin noinherit) and restore their grants.'
      when v_mighty is not null then 'Use them as groups only: alter role … nologin nosuperuser, and grant them to login roles.'
    end;
end;
$$;

comment on function tasker.doctor_roles is
$$Checks that the roles of pgtasker exist, cannot log in and are no superusers, and reports to how many roles each of
them is granted.$$;
-- <<<

-- >>> db/schema/functions/operate/doctor/private/doctor_partitions.sql
create or replace function tasker.doctor_partitions()
  returns setof tasker.installation_findings
  language plpgsql
  stable
  set search_path = pg_catalog, pg_temp
  set timezone = 'UTC'
as $$
declare
  v_now     timestamptz := tasker.clock();
  v_covered boolean;
  v_ahead   bigint;
  v_until   timestamptz;
  v_premake integer;
  v_behind  boolean;
  v_problem text;
begin
  select coalesce(bool_or(r.starts_at <= v_now and r.ends_at > v_now), false), count(*) filter (where r.starts_at > v_now), max(r.ends_at)
    into v_covered, v_ahead, v_until
    from tasker.partition_ranges as r;
  select c.premake,
         coalesce(v_until <= tasker.partition_floor(v_now, c.partition_interval) + c.premake * c.partition_interval, true)
    into strict v_premake, v_behind
    from tasker.partition_config as c;
  select array_to_string(s.problems, '; ') into v_problem from tasker.partition_status() as s where not s.healthy;

  return query
  select
    'partitions',
    case when not v_covered then 'fail' when v_behind or v_problem is not null then 'warn' else 'ok' end,
    case when v_covered then format('ready until %s, %s of %s ranges ahead', v_until, v_ahead, v_premake)
         else format('no partition covers the current time, %s of %s ranges ahead', v_ahead, v_premake)
    end,
    case when not v_covered or v_behind then
      'Call tasker.ensure_partitions(), and make sure that maintenance does so every day.'
    else
      v_problem
    end;
end;
$$;

comment on function tasker.doctor_partitions is
$$Checks that a partition covers the current time, that the configured number of partitions ahead exists, and that
tasker.partition_status has no other problem.$$;
-- <<<

-- >>> db/schema/functions/operate/doctor/private/doctor_extensions.sql
create or replace function tasker.doctor_extensions()
  returns setof tasker.installation_findings
  language plpgsql
  stable
  set search_path = pg_catalog, pg_temp
as $$
begin
  return query
  select
    'pgmq',
    case k.kind when 'none' then 'warn' else 'ok' end,
    case k.kind
      when 'own' then 'pgtasker''s own schema pgmq is in use'
      when 'extension' then format('the extension pgmq %s is in use', (select e.extversion from pg_extension as e where e.extname = 'pgmq'))
      when 'foreign' then 'schema pgmq is in use; another role installed it without the extension'
      else 'schema pgmq is missing or incomplete: queues do not work'
    end,
    case k.kind when 'none' then 'create extension pgmq, or migrate down and up again.' end
  from tasker.pgmq_kind() as k (kind);

  return query
  select
    u.name,
    'ok',
    case
      when e.extname is not null then format('the extension is installed, version %s', e.extversion)
      when a.name is not null then format('not installed (version %s is available): not needed', a.default_version)
      else 'not installed: not needed'
    end,
    null::text
  from unnest(array['pg_cron', 'pg_partman']) as u (name)
  left join pg_extension as e
    on e.extname = u.name
  left join pg_available_extensions as a
    on a.name = u.name
  order by u.name;
end;
$$;

comment on function tasker.doctor_extensions is
$$Reports which of the extensions that pgtasker can use are installed, and which pgmq is in use.$$;
-- <<<

-- >>> db/schema/functions/operate/doctor/private/doctor_snapshots.sql
create or replace function tasker.doctor_snapshots()
  returns setof tasker.installation_findings
  language plpgsql
  stable
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_age bigint;
  v_who text;
begin
  select h.age, h.who
    into v_age, v_who
    from (
      select age(a.backend_xmin)::bigint, format('session %s of %s', a.pid, a.usename)
        from pg_stat_activity as a
       where a.backend_xmin is not null
         and a.datname = current_database()
         and a.pid <> pg_backend_pid()
      union all
      select age(p.transaction)::bigint, format('prepared transaction "%s" of %s', p.gid, p.owner)
        from pg_prepared_xacts as p
       where p.database = current_database()
      union all
      select age(s.xmin)::bigint, format('replication slot "%s"', s.slot_name)
        from pg_replication_slots as s
       where s.xmin is not null
    ) as h (age, who)
   order by h.age desc
   limit 1;

  return query
  select
    'snapshots',
    case when v_age >= 5000000 then 'fail' when v_age >= 100000 then 'warn' else 'ok' end,
    case when v_age is null then 'nothing keeps vacuum from removing dead rows'
         when tasker.bound_namespaces() is not null then format('the oldest snapshot is %s transactions old', v_age)
         else format('the oldest snapshot is %s transactions old: %s', v_age, v_who)
    end,
    case when v_age >= 100000 then
      'Vacuum cannot remove rows that died since; queue and timers become slower to read. End it, or find out why it takes so long.'
    end;
end;
$$;

comment on function tasker.doctor_snapshots is
$$Finds the session, prepared transaction or replication slot that keeps vacuum from removing dead rows, and says for
how many transactions it has done so. The harm grows with the number of transactions, not with time.$$;
-- <<<

-- >>> db/schema/functions/operate/doctor/private/doctor_autovacuum.sql
create or replace function tasker.doctor_autovacuum()
  returns setof tasker.installation_findings
  language plpgsql
  stable
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_tables text;
begin
  select string_agg(c.oid::regclass::text, ', ' order by c.oid::regclass::text)
    into v_tables
    from (
      select c.oid
        from pg_class as c
       where c.relnamespace = 'tasker'::regnamespace
         and 'autovacuum_enabled=false' = any (c.reloptions)
       order by c.relname
       limit 10
    ) as c;

  return query
  select
    'autovacuum',
    case when current_setting('autovacuum') = 'off' or current_setting('track_counts') = 'off' then 'fail'
         when v_tables is not null then 'warn'
         else 'ok'
    end,
    case when current_setting('autovacuum') = 'off' then 'autovacuum is off'
         when current_setting('track_counts') = 'off' then 'autovacuum has no effect: track_counts is off'
         when v_tables is not null then format('autovacuum is off for %s', v_tables)
         else 'autovacuum is on'
    end,
    case when current_setting('autovacuum') = 'off' or current_setting('track_counts') = 'off'
           then 'Turn it on: without it every step makes the queue slower to read.'
         when v_tables is not null then 'alter table … reset (autovacuum_enabled)'
    end;
end;
$$;

comment on function tasker.doctor_autovacuum is
$$Checks that autovacuum works, in general and on pgtasker's tables.$$;
-- <<<

-- >>> db/schema/functions/operate/doctor/private/doctor_locks.sql
create or replace function tasker.doctor_locks()
  returns setof tasker.installation_findings
  language plpgsql
  stable
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_ranges integer := (select count(*) from tasker.partition_ranges as r);
  -- Measured for an exchange of results and claims: 69 locks with 4 ranges, 99 with 7 ranges, 159 with 13, 322 with 29.
  v_each   integer := 29 + 10 * v_ranges;
  -- The first exchange of a session also plans its queries, which locks all indexes of all partitions. Measured: 166
  -- locks with 4 ranges, 256 with 7 ranges, 436 with 13, 916 with 29.
  v_first  integer := 46 + 30 * v_ranges;
  v_slots  integer := current_setting('max_connections')::integer + current_setting('max_prepared_transactions')::integer;
  v_pool   integer := current_setting('max_locks_per_transaction')::integer * v_slots;
  v_status text := case
    when v_pool / v_first < 5 then 'fail'
    when v_pool / v_first < 10 or v_pool / v_each < 20 then 'warn'
    else 'ok'
  end;
begin
  return query
  select
    'locks',
    v_status,
    format(
      'room for %s sessions at once, each with %s locks, or for %s that have just connected: the first call of each holds %s',
      v_pool / v_each, v_each, v_pool / v_first, v_first
    ),
    case when v_status <> 'ok' then
      format(
        'Raise max_locks_per_transaction from %s to %s (the server must restart), or use fewer partitions.',
        current_setting('max_locks_per_transaction'), ceil(greatest(20.0 * v_each, 10.0 * v_first) / v_slots)
      )
    end;
end;
$$;

comment on function tasker.doctor_locks is
$$Checks that the server's lock table has room for sessions that touch all partitions.$$;
-- <<<

-- >>> db/schema/functions/operate/doctor/private/doctor_wakeups.sql
create or replace function tasker.doctor_wakeups()
  returns setof tasker.installation_findings
  language plpgsql
  stable
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_bound    text[] := tasker.bound_namespaces();
  v_setting  text := (select s.value from tasker.settings as s where s.name = 'notify');
  v_own      text := (
    select string_agg(format('%s in "%s"', n.notify, n.name), ', ' order by n.name)
      from tasker.task_namespaces as n
     where n.notify <> v_setting
       and (v_bound is null or n.name = any (v_bound))
  );
  -- A transaction with NOTIFY cannot be prepared. With the value "asleep" a transaction notifies only sometimes.
  v_prepares boolean := current_setting('max_prepared_transactions')::integer > 0 and (
    v_setting <> 'off'
    or exists (select from tasker.task_namespaces as n where n.notify <> 'off')
  );
begin
  return query
  select
    'wakeups',
    case when v_prepares then 'warn' else 'ok' end,
    concat('notify is ', v_setting, ', ' || v_own,
      case when v_prepares then format('; max_prepared_transactions is %s', current_setting('max_prepared_transactions')) end),
    case when v_prepares then
      'If clients prepare transactions (PREPARE TRANSACTION) that create tasks or record results, set notify to off: PostgreSQL refuses to prepare a transaction that has notified.'
    end;
end;
$$;

comment on function tasker.doctor_wakeups is
$$Reports how clients are woken, and whether that conflicts with prepared transactions.$$;
-- <<<

-- >>> db/schema/functions/operate/doctor/private/doctor_duties.sql
create or replace function tasker.doctor_duties()
  returns setof tasker.installation_findings
  language plpgsql
  stable
  set search_path = pg_catalog, pg_temp
as $$
declare
  -- If no worker has ever worked in this database, no duty is late.
  v_since timestamptz := (select min(w.registered_at) from tasker.workers as w);
  v_never text;
  v_late  text;
begin
  select
    string_agg(d.duty, ', ' order by d.position) filter (where d.last_finished_at is null),
    string_agg(d.duty, ', ' order by d.position) filter (where d.last_finished_at is not null)
    into v_never, v_late
    from tasker.maintenance_duties as d
   where coalesce(d.last_finished_at, v_since)
       + greatest(make_interval(secs => 3 * tasker.setting_integer(d.interval_setting)), interval '15 minutes') < tasker.clock();
  return query
  select
    'duties',
    case when v_never is null and v_late is null then 'ok' else 'warn' end,
    coalesce(
      nullif(concat_ws('; ', 'never done: ' || v_never, 'overdue: ' || v_late), ''),
      'none is overdue'
    ),
    case when v_never is not null or v_late is not null then
      'Run tasker orchestrate, or schedule all of them with tasker.setup_cron(). Workers in Go and tasker serve do partitions, rollups, statistics and schedules only; without either, call tasker.do_duties() every 15 seconds.'
    end;
end;
$$;

comment on function tasker.doctor_duties is
$$Checks whether a maintenance duty is overdue by three of its intervals plus 15 minutes, or has never run although the
first worker registered more than 15 minutes ago.$$;
-- <<<

-- >>> db/schema/functions/operate/doctor/private/doctor_schedules.sql
create or replace function tasker.doctor_schedules()
  returns setof tasker.installation_findings
  language plpgsql
  stable
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_bound   text[] := tasker.bound_namespaces();
  v_count   bigint;
  v_failing text[];
begin
  select count(*), coalesce(array_agg(format('%s/%s', s.namespace, s.schedule) order by s.namespace, s.schedule) filter (where s.last_error is not null), '{}')
    into v_count, v_failing
    from tasker.schedules as s
   where v_bound is null or s.namespace = any (v_bound);
  return query
  select
    'schedules',
    case when v_failing = '{}' then 'ok' else 'warn' end,
    case
      when v_count = 0 then 'there are none'
      when v_failing = '{}' then format('%s, and none fails', v_count)
      else format(
        '%s of %s fail: %s%s', cardinality(v_failing), v_count, array_to_string(v_failing[:5], ', '),
        case when cardinality(v_failing) > 5 then ' and others' else '' end
      )
    end,
    case when v_failing <> '{}' then 'tasker schedule list shows each one''s error. They are tried again; mend the template, or set the schedule again.' end;
end;
$$;

comment on function tasker.doctor_schedules is
$$Checks whether a schedule that the caller may see has tasks that cannot be created.$$;
-- <<<

-- >>> db/schema/functions/operate/audit/private/plain_definition.sql
create or replace function tasker.plain_definition(p_text text)
  returns text
  language plpgsql
  immutable
  set search_path = pg_catalog, pg_temp
as $$
begin
  return regexp_replace(regexp_replace(p_text, '[a-z_][a-z_0-9]*\.', '', 'g'), '[\s()]+', '', 'g');
end;
$$;

comment on function tasker.plain_definition is
$$Returns the text of a query without the parts that different versions of PostgreSQL print differently: qualifications,
brackets and white space.$$;
-- <<<

-- >>> db/schema/functions/operate/audit/private/plain_grants.sql
create or replace function tasker.plain_grants(p_grants aclitem[], p_owner oid)
  returns text
  language plpgsql
  stable
  set search_path = pg_catalog, pg_temp
as $$
begin
  return (
    select coalesce(string_agg(g.text, ', ' order by g.text collate "C"), '')
      from (
        select concat_ws(
          ' ', a.privilege_type, 'to', case a.grantee when 0 then 'public' else pg_get_userbyid(a.grantee) end, case when a.is_grantable then 'with grant option' end
        ) as text
          from aclexplode(p_grants) as a
         where a.grantee <> p_owner
      ) as g
  );
end;
$$;

comment on function tasker.plain_grants is
$$Returns the privileges of roles other than the owner. The privileges of the owner differ between versions of PostgreSQL.$$;
-- <<<

-- >>> db/schema/functions/operate/audit/private/object_digests.sql
create or replace function tasker.object_digests(p_object text default null)
  returns setof tasker.schema_objects
  language plpgsql
  stable
  set search_path = pg_catalog, pg_temp
  set quote_all_identifiers = off
  set timezone = 'UTC'
  set datestyle = 'ISO, MDY'
  set intervalstyle = 'postgres'
  set extra_float_digits = 1
  set bytea_output = 'hex'
as $$
declare
  v_function oid := to_regprocedure(substr(p_object, 10));
begin
  return query
  with ours as materialized (
    select n.oid, n.nspname, n.nspowner, n.nspacl
      from pg_namespace as n
     where n.nspname in ('tasker', 'tasker_compat', 'tasklib')
  ),
  functions as (
    select
      -- The same text as a cast to regprocedure would give. The cast would search all functions for each function.
      format('function %I.%I(%s)', n.nspname, p.proname, replace(oidvectortypes(p.proargtypes), ', ', ',')) as object,
      concat_ws(
        '|', p.prosrc, tasker.plain_definition(pg_get_function_sqlbody(p.oid)), p.prosecdef, p.provolatile, p.proisstrict, pg_get_userbyid(p.proowner),
        pg_get_function_result(p.oid), (select string_agg(c.setting, ',' order by c.setting collate "C") from unnest(p.proconfig) as c (setting))
      ) as definition,
      tasker.plain_grants(coalesce(p.proacl, acldefault('f', p.proowner)), p.proowner) as grants
      from ours as n
      join pg_proc as p
        on p.pronamespace = n.oid
     where p_object is null or p.oid = v_function
  ),
  relations as (
    select
      case when c.relkind in ('v', 'm') then 'view ' else 'table ' end || c.oid::regclass::text as object,
      concat_ws(
        '|', c.relkind, pg_get_userbyid(c.relowner), case when c.relkind = 'v' then c.reloptions end,
        case when c.relkind in ('v', 'm') then tasker.plain_definition(pg_get_viewdef(c.oid)) end,
        (
          select string_agg(concat_ws(' ', a.attname, format_type(a.atttypid, a.atttypmod), a.attnotnull), ',' order by a.attname)
            from pg_attribute as a
           where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
        ),
        -- The definition of a view of one table names the columns without their table.
        (
          select string_agg(distinct concat_ws('.', d.refobjid::regclass, a.attname), ',')
            from pg_rewrite as r
            join pg_depend as d
              on d.classid = 'pg_rewrite'::regclass and d.objid = r.oid and d.refclassid = 'pg_class'::regclass and d.refobjid <> c.oid
            left join pg_attribute as a
              on a.attrelid = d.refobjid and a.attnum = d.refobjsubid and a.attnum > 0
           where r.ev_class = c.oid
        ),
        (
          select string_agg(concat_ws(' ', k.conname, k.convalidated, tasker.plain_definition(pg_get_constraintdef(k.oid))), ',' order by k.conname)
            from pg_constraint as k
           where k.conrelid = c.oid and k.conparentid = 0 and k.contype in ('c', 'f', 'p', 'u', 'x')
        ),
        (
          select string_agg(concat_ws(' ', g.tgname, g.tgfoid::regproc, g.tgtype, g.tgenabled), ',' order by g.tgname)
            from pg_trigger as g
           where g.tgrelid = c.oid and not g.tgisinternal
        )
      ) as definition,
      concat_ws('; ', nullif(tasker.plain_grants(c.relacl, c.relowner), ''), (
        select string_agg(a.attname || ': ' || tasker.plain_grants(a.attacl, c.relowner), '; ' order by a.attname)
          from pg_attribute as a
         where a.attrelid = c.oid and a.attacl is not null
      )) as grants
      from ours as n
      join pg_class as c
        on c.relnamespace = n.oid
     where c.relkind in ('r', 'p', 'v', 'm')
       and not c.relispartition
       -- Leave out the copies of tasks that are kept longer, which become partitions.
       and not exists (select from tasker.kept_moves as m where c.relname like '%\_' || replace(m.suffix, '_', '\_'))
       and p_object is null
  )
  select o.object, md5(o.definition), o.grants
    from (
      select f.object, f.definition, f.grants from functions as f
      union all
      select r.object, r.definition, r.grants from relations as r
      union all
      select 'schema ' || n.nspname, pg_get_userbyid(n.nspowner)::text, tasker.plain_grants(n.nspacl, n.nspowner)
        from ours as n
       where p_object is null
    ) as o;
end;
$$;

comment on function tasker.object_digests is
$$Returns the digests of the functions, views, tables and schemas of pgtasker as they are now. With p_object, returns
only the row of this function. The digests do not depend on the version of PostgreSQL. Leaves out partitions, because
they are created and dropped all the time.$$;
-- <<<

-- >>> db/schema/functions/operate/audit/private/note_objects.sql
create or replace function tasker.note_objects()
  returns void
  language plpgsql
  set search_path = pg_catalog, pg_temp
as $$
begin
  delete from tasker.schema_objects as o;
  insert into tasker.schema_objects (object, definition, grants)
  select d.object, d.definition, d.grants from tasker.object_digests() as d;
end;
$$;

comment on function tasker.note_objects is
$$Writes the digests of all objects into tasker.schema_objects. Each migration calls this function at its end.$$;
-- <<<

-- >>> db/schema/functions/operate/doctor/private/doctor_objects.sql
create or replace function tasker.doctor_objects()
  returns setof tasker.installation_findings
  language plpgsql
  stable
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_names text[];
begin
  v_names := array(select p.object from tasker.object_problems() as p);
  return query
  select
    'objects',
    case when v_names = '{}' then 'ok' else 'warn' end,
    case
      when v_names = '{}' then 'functions, views, tables and privileges are as the migrations left them'
      else format(
        '%s differ from what the migrations made: %s%s', cardinality(v_names), array_to_string(v_names[:10], ', '),
        case when cardinality(v_names) > 10 then ', …' else '' end
      )
    end,
    case when v_names <> '{}' then 'tasker.check_integrity() says how. Undo what was changed by hand, or restore a backup.' end;
end;
$$;

comment on function tasker.doctor_objects is
$$Checks whether functions, views, tables and privileges are as the migrations left them.$$;
-- <<<

-- >>> db/schema/functions/operate/doctor/private/doctor_types.sql
create or replace function tasker.doctor_types()
  returns setof tasker.installation_findings
  language plpgsql
  stable
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_steps    bigint;
  v_versions text[];
  v_programs text[];
begin
  select coalesce(sum(d.steps), 0), coalesce(array_agg(format('%s/%s@%s (%s)', d.namespace, d.name, d.version, coalesce('types ' || d.types_digest, 'types unknown'))), '{}')
    into v_steps, v_versions
    from tasker.list_diverged_templates() as d;
  v_programs := array(select format('%s/%s: %s', r.namespace, r.name, r.finding) from tasker.list_refused_programs() as r);
  return query
  select
    'types',
    case when v_steps = 0 and v_programs = '{}' then 'ok' else 'warn' end,
    concat_ws(
      '; ',
      case
        when v_steps > 0 then format(
          '%s steps wait for a program that fits what they have kept: %s%s', v_steps, array_to_string(v_versions[:5], ', '),
          case when cardinality(v_versions) > 5 then ' and others' else '' end
        )
        when v_programs = '{}' then 'no step waits for a program that fits what it has kept'
      end,
      nullif(array_to_string(v_programs[:5], '; '), '') || case when cardinality(v_programs) > 5 then '; and others' else '' end
    ),
    case
      when v_steps > 0 then 'Two programs may run one version: "tasker template check" compares the types of a file; export a task and replay it (docs/howto/replay.md).'
      when v_programs <> '{}' then 'Two programs have one version: register the new types under a new version.'
    end;
end;
$$;

comment on function tasker.doctor_types is
$$Checks whether steps wait because the programs of one version of a template differ, and whether a program was refused
for such a difference within the last seven days. Checks only the templates that the caller may see.$$;
-- <<<

-- >>> db/schema/functions/operate/doctor/private/doctor_sql.sql
create or replace function tasker.doctor_sql()
  returns setof tasker.installation_findings
  language plpgsql
  stable
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_count    bigint;
  v_problems text[];
begin
  select count(f.function), coalesce(array_agg(format('%s: %s', f.namespace, f.problem) order by f.namespace, f.function) filter (where f.problem is not null), '{}')
    into v_count, v_problems
    from tasker.describe_sql_functions(tasker.bound_namespaces()) as f;
  return query
  select
    'sql steps',
    case when v_problems = '{}' then 'ok' else 'warn' end,
    case
      when v_problems <> '{}' then array_to_string(v_problems[:5], '; ') || case when cardinality(v_problems) > 5 then '; and others' else '' end
      when v_count = 0 then 'no step names a function'
      else format('%s functions that steps name can be called', v_count)
    end,
    case when v_problems <> '{}' then 'tasker sql list shows each one''s. Create the function again, grant its rights, or bind a role: tasker sql bind.' end;
end;
$$;

comment on function tasker.doctor_sql is
$$Checks whether the functions that steps name exist, and whether the bound roles may call them. Checks only the namespaces that the caller may see.$$;
-- <<<

-- >>> db/schema/functions/operate/doctor/private/doctor_timers.sql
create or replace function tasker.doctor_timers()
  returns setof tasker.installation_findings
  language plpgsql
  stable
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_bound text[] := tasker.bound_namespaces();
  v_fails boolean;
  v_first tasker.failed_timers;
begin
  select f.*
    into v_first
    from tasker.failed_timers as f
    join tasker.timers as m
      on m.task_uuid = f.task_uuid
     and m.step_no = f.step_no
     and m.kind = f.kind
     and m.due_at = f.due_at
   where v_bound is null
      or tasker.may_see_task(f.task_uuid)
   order by f.failures desc, f.failed_at desc, f.task_uuid, f.step_no
   limit 1;
  v_fails := found;
  return query
  select
    'timers',
    case when v_fails then 'warn' else 'ok' end,
    case
      when not v_fails then 'none fails'
      else format(
        'timer %s of %s failed %s times, last at %s: %s', v_first.kind, tasker.step_uuid(v_first.task_uuid, v_first.step_no),
        v_first.failures, to_char(v_first.failed_at at time zone 'UTC', 'YYYY-MM-DD HH24:MI:SS"Z"'), v_first.error
      )
    end,
    case when v_fails then 'It is tried again each minute. Mend the cause; the log of the server has every failure.' end;
end;
$$;

comment on function tasker.doctor_timers is
$$Checks whether a timer could not be fired. Checks only the timers that the caller may see.$$;
-- <<<

-- >>> db/schema/functions/operate/doctor/private/doctor_tokens.sql
create or replace function tasker.doctor_tokens()
  returns setof tasker.installation_findings
  language plpgsql
  stable
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_bound boolean := tasker.bound_namespaces() is not null;
  v_count bigint;
  v_names text;
begin
  if not v_bound then
    select
      count(*),
      string_agg(
        format('%s at %s', t.name, to_char(t.expires_at at time zone 'UTC', 'YYYY-MM-DD HH24:MI"Z"')), ', ' order by t.expires_at, t.name
      ) filter (where t.position <= 10)
      into v_count, v_names
      from (
        select e.name, e.expires_at, row_number() over (order by e.expires_at, e.name) as position
          from tasker.ending_tokens() as e
      ) as t;
  end if;
  return query
  select
    'tokens',
    case when v_count > 0 then 'warn' else 'ok' end,
    case
      when v_bound then 'not checked for a role that is bound to namespaces'
      when v_count = 0 then 'none ends within a week'
      when v_count > 10 then format('%s end within a week: %s and %s more', v_count, v_names, v_count - 10)
      else format('end within a week: %s', v_names)
    end,
    case when v_count > 0 then 'Create a token for each and give it to its clients before the old one ends: tasker token create.' end;
end;
$$;

comment on function tasker.doctor_tokens is
$$Checks whether tokens of "tasker serve" expire within a week, and names the first ten of these tokens.$$;
-- <<<

-- >>> db/schema/functions/operate/doctor/private/doctor_queues.sql
create or replace function tasker.doctor_queues()
  returns setof tasker.installation_findings
  language plpgsql
  stable
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_bound   text[] := tasker.bound_namespaces();
  v_missing text[];
begin
  select coalesce(array_agg(q.name order by q.name), '{}')
    into v_missing
    from tasker.task_namespaces as n
   cross join lateral (
     select tasker.step_queue_name(n.name, l.lane)
       from unnest('{high,normal,low}'::tasker.queue_lane[]) as l (lane)
   ) as q (name)
   where n.transport = 'pgmq'
     and (v_bound is null or n.name = any (v_bound))
     and to_regclass('pgmq.' || quote_ident(lower('q_' || q.name))) is null;
  return query
  select
    'queues',
    case when v_missing = '{}' then 'ok' else 'warn' end,
    case
      when v_missing = '{}' then 'every queue of a namespace exists'
      else format('these queues do not exist: %s', array_to_string(v_missing, ', '))
    end,
    case when v_missing <> '{}' then
      'Workers that wait for messages of pgmq get no steps. Create the queues with tasker.ensure_task_queue(name).'
    end;
end;
$$;

comment on function tasker.doctor_queues is
$$Checks whether the pgmq queues to which namespaces announce their steps exist. Checks only the namespaces that the
caller may see.$$;
-- <<<

-- >>> db/schema/functions/operate/doctor/private/doctor_settings.sql
create or replace function tasker.doctor_settings()
  returns setof tasker.installation_findings
  language plpgsql
  stable
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_changed text := (
    select string_agg(format('%s is %s, not %s', s.name, s.value, s.default_value), ', ' order by s.name)
      from tasker.settings as s
     where s.value <> s.default_value
  );
begin
  return query
  select 'settings', 'ok', coalesce(v_changed, 'all have their defaults'), null::text;
end;
$$;

comment on function tasker.doctor_settings is
$$Reports which of pgtasker's settings differ from their defaults.$$;
-- <<<

-- >>> db/schema/functions/operate/doctor/schema_build.sql
create or replace function tasker.schema_build(p_version text)
  returns tasker.schema_state
  language plpgsql
  stable
  security definer
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_state tasker.schema_state;
begin
  perform tasker.check_text_size('version', p_version, 100);
  select encode(sha256(convert_to(
           coalesce(string_agg(b.version || chr(10) || b.files, '' order by b.version collate "C")
                      filter (where b.version <= p_version collate "C"), ''), 'UTF8')), 'hex'),
         max(b.version collate "C")
    into v_state
    from tasker.schema_builds as b;
  return v_state;
end;
$$;

comment on function tasker.schema_build is
$$Returns a digest of the files of the applied migrations up to this version, and the newest applied version. A program
that was built from other files has another digest. A database that lacks migrations of the program has a lower version.
A database with migrations of a later program has a higher version.$$;

grant execute on function tasker.schema_build
  to tasker_submitter, tasker_worker, tasker_orchestrator, tasker_operator, tasker_reader, tasker_server;
-- <<<

-- >>> db/schema/functions/operate/doctor/list_schema_builds.sql
create or replace function tasker.list_schema_builds()
  returns setof tasker.schema_builds
  language plpgsql
  stable
  security definer
  set search_path = pg_catalog, pg_temp
as $$
begin
  return query
  select b.*
    from tasker.schema_builds as b
   order by b.version;
end;
$$;

comment on function tasker.list_schema_builds is
$$Returns for each applied migration the files of db/schema that it was composed of, with their digests. With these rows
"tasker doctor" names the files in which the database and the program differ.$$;

grant execute on function tasker.list_schema_builds
  to tasker_submitter, tasker_worker, tasker_orchestrator, tasker_operator, tasker_reader, tasker_server;
-- <<<

-- >>> db/schema/functions/operate/doctor/check_installation.sql
create or replace function tasker.check_installation()
  returns setof tasker.installation_findings
  language plpgsql
  stable
  security definer
  set search_path = pg_catalog, pg_temp
  set plan_cache_mode = force_generic_plan
  set enable_hashjoin = off
  set enable_mergejoin = off
  set enable_seqscan = off
  set jit = off
  set max_parallel_workers_per_gather = 0
as $$
begin
  return query select d.* from tasker.doctor_server() as d;
  return query select d.* from tasker.doctor_standby() as d;
  return query select d.* from tasker.doctor_durability() as d;
  return query select d.* from tasker.doctor_isolation() as d;
  return query select d.* from tasker.doctor_roles() as d;
  return query select d.* from tasker.doctor_timeouts() as d;
  return query select d.* from tasker.doctor_partitions() as d;
  return query select d.* from tasker.doctor_extensions() as d;
  return query select d.* from tasker.doctor_snapshots() as d;
  return query select d.* from tasker.doctor_autovacuum() as d;
  return query select d.* from tasker.doctor_locks() as d;
  return query select d.* from tasker.doctor_wakeups() as d;
  return query select d.* from tasker.doctor_duties() as d;
  return query select d.* from tasker.doctor_schedules() as d;
  return query select d.* from tasker.doctor_types() as d;
  return query select d.* from tasker.doctor_sql() as d;
  return query select d.* from tasker.doctor_timers() as d;
  return query select d.* from tasker.doctor_tokens() as d;
  return query select d.* from tasker.doctor_objects() as d;
  return query select d.* from tasker.doctor_queues() as d;
  return query select d.* from tasker.doctor_settings() as d;
end;
$$;

comment on function tasker.check_installation is
$$Checks the server and the database that pgtasker runs in. Returns a row for each check with its status ("ok", "warn"
or "fail") and the remedy.

Reads catalogs, settings, tokens, the timers that failed and the waits of diverged steps, but no run table. Locks
nothing. "tasker doctor" shows the rows and adds the checks that need a client: pending migrations, and the difference
between the clocks of client and server.$$;

grant execute on function tasker.check_installation to tasker_orchestrator, tasker_operator, tasker_reader;
-- <<<

insert into tasker.schema_builds (version, files) values ('20261121001250', 'functions/operate/audit/private/note_objects 8060812dd78e3d33
functions/operate/audit/private/object_digests 4411985cb5a87213
functions/operate/audit/private/plain_definition 7e072ce28ddbe4a8
functions/operate/audit/private/plain_grants e32e5a94e8b09b18
functions/operate/doctor/check_installation 07b2f1ed52f29a5a
functions/operate/doctor/list_schema_builds 22d2d2deec128068
functions/operate/doctor/private/doctor_autovacuum 1e48bbc2c0e0fa77
functions/operate/doctor/private/doctor_durability 2c980d5077ccaa7d
functions/operate/doctor/private/doctor_duties 904a0d29cd46c89d
functions/operate/doctor/private/doctor_extensions ffc3a871e953b56e
functions/operate/doctor/private/doctor_isolation 5394cd3c83176059
functions/operate/doctor/private/doctor_locks 75605f1a6a7dcf6a
functions/operate/doctor/private/doctor_objects 8a49209c0db7a965
functions/operate/doctor/private/doctor_partitions ec34c92efba68d38
functions/operate/doctor/private/doctor_queues 53b6b739649c863b
functions/operate/doctor/private/doctor_roles f7a5e5b153345dd5
functions/operate/doctor/private/doctor_schedules 2ae7c1477ac316e5
functions/operate/doctor/private/doctor_server 53e8c77f217b8467
functions/operate/doctor/private/doctor_settings dc7ed8c9d68acb65
functions/operate/doctor/private/doctor_snapshots 74714a7c818456de
functions/operate/doctor/private/doctor_sql 6aa352e4ba7b9bc5
functions/operate/doctor/private/doctor_standby a071e8823fb40ac9
functions/operate/doctor/private/doctor_timeouts f46b1ad4314968b4
functions/operate/doctor/private/doctor_timers 54e58d933cac755a
functions/operate/doctor/private/doctor_tokens b82eff36a544340f
functions/operate/doctor/private/doctor_types 687d67d4a9b04400
functions/operate/doctor/private/doctor_wakeups 36d115d0d861526d
functions/operate/doctor/schema_build e6a87d42e3efbb88
functions/operate/tokens/check_server_login 0144740bc8b5d57c
rows/operate/doctor/installation_findings b613f0c0e5db9781
rows/operate/doctor/schema_state 9520e25dbdb7b441
');

select tasker.note_objects();

reset role;

-- migrate:down
set local citus.enable_ddl_propagation = off; -- Citus would repeat this on its worker nodes
set local role tasker_owner;

delete from tasker.schema_builds where version = '20261121001250';

drop function tasker.check_installation;
drop function tasker.list_schema_builds;
drop function tasker.schema_build;
drop function tasker.doctor_settings;
drop function tasker.doctor_queues;
drop function tasker.doctor_tokens;
drop function tasker.doctor_timers;
drop function tasker.doctor_sql;
drop function tasker.doctor_types;
drop function tasker.doctor_objects;
drop function tasker.note_objects;
drop function tasker.object_digests;
drop function tasker.plain_grants;
drop function tasker.plain_definition;
drop function tasker.doctor_schedules;
drop function tasker.doctor_duties;
drop function tasker.doctor_wakeups;
drop function tasker.doctor_locks;
drop function tasker.doctor_autovacuum;
drop function tasker.doctor_snapshots;
drop function tasker.doctor_extensions;
drop function tasker.doctor_partitions;
drop function tasker.doctor_roles;
drop function tasker.doctor_timeouts;
drop function tasker.doctor_isolation;
drop function tasker.doctor_durability;
drop function tasker.doctor_standby;
drop function tasker.doctor_server;
drop function tasker.check_server_login;
drop view tasker.schema_state;
drop view tasker.installation_findings;

reset role;
