-- growth: ranges made by whom, kept how long, dropped how; housekeeping
-- Composed from db/schema: edit there, then compose again. Frozen by the first release tag.

-- migrate:up
set local citus.enable_ddl_propagation = off; -- Citus would repeat this on its worker nodes
set local role tasker_owner;

-- >>> db/schema/data/partition_settings.sql
-- down: delete from tasker.settings where name = 'partition_lock_timeout_ms';
insert into tasker.settings (name, kind, value, default_value, minimum, maximum, description)
select
  d.name,
  d.kind,
  d.value,
  d.value,
  d.minimum,
  d.maximum,
  d.description
from (values
  ('partition_lock_timeout_ms', 'integer', '200', 10, 10000, 'How long retention may queue for the locks of the run tables, which blocks other sessions; at most four fifths of deadlock_timeout.')
) as d (name, kind, value, minimum, maximum, description);
-- <<<

-- >>> db/schema/rows/operate/partitions/retention_outcomes.sql
create or replace view tasker.retention_outcomes as
select
  '-infinity'::timestamptz as starts_at,
  '-infinity'::timestamptz as ends_at,
  ''::text as outcome,
  ''::text as detail
where false;

comment on view tasker.retention_outcomes is
  'Row type: the outcome for a range whose retention has passed: dropped, evacuated, moving, moved, held or busy.';
-- <<<

-- >>> db/schema/rows/operate/partitions/retention_details.sql
create or replace view tasker.retention_details as
select
  ''::text as namespace,
  null::text as template,
  ''::text as keep_for,
  '-infinity'::timestamptz as set_at,
  ''::text as set_by
where false;

comment on view tasker.retention_details is
  'Row type: how long the tasks of a namespace or of a template are kept.';
comment on column tasker.retention_details.template is
  'Null for all templates of the namespace that have no retention of their own.';
comment on column tasker.retention_details.keep_for is
  'How long a task is kept after the end of its range, as PostgreSQL writes an interval.';
-- <<<

-- >>> db/schema/rows/operate/partitions/range_holds.sql
create or replace view tasker.range_holds as
select
  ''::text as kind,
  '00000000-0000-0000-0000-000000000000'::uuid as task_uuid
where false;

comment on view tasker.range_holds is
  'Row type: a task that holds its range, and why: open, investigated, noted or young.';
-- <<<

-- >>> db/schema/rows/operate/partitions/held_partitions.sql
create or replace view tasker.held_partitions as
select
  '-infinity'::timestamptz as starts_at,
  '-infinity'::timestamptz as ends_at,
  0::bigint as open_tasks,
  0::bigint as investigations,
  0::bigint as young_tasks,
  '00000000-0000-0000-0000-000000000000'::uuid as first_task,
  ''::text as reason
where false;

comment on view tasker.held_partitions is
  'Row type: why a range may not be dropped.';
comment on column tasker.held_partitions.open_tasks is
  'The number of tasks that have not ended.';
comment on column tasker.held_partitions.investigations is
  'The number of tasks whose entry in the dead-letter queue is not resolved.';
comment on column tasker.held_partitions.young_tasks is
  'The number of ended tasks that were created after the end of the range, because no newer range existed, and that are younger than the retention.';
-- <<<

-- >>> db/schema/rows/operate/partitions/partition_sizes.sql
create or replace view tasker.partition_sizes as
select
  '-infinity'::timestamptz as starts_at,
  '-infinity'::timestamptz as ends_at,
  ''::text as suffix,
  ''::text as status,
  0::bigint as tasks,
  0::bigint as steps,
  0::bigint as bytes,
  null::text as detail
where false;

comment on view tasker.partition_sizes is
  'Row type: one range with its size and its status.';
comment on column tasker.partition_sizes.status is
  'ahead, current, kept, expired (to be dropped), held or busy.';
comment on column tasker.partition_sizes.tasks is
  'The number of tasks, estimated from the server''s statistics.';
comment on column tasker.partition_sizes.bytes is
  'The size, in bytes, of all partitions of the range with their indexes.';
-- <<<

-- >>> db/schema/rows/operate/partitions/partition_statuses.sql
create or replace view tasker.partition_statuses as
select
  ''::text as partition_unit,
  0::integer as premake,
  '0'::interval as retention,
  ''::text as backend,
  ''::text as backend_reason,
  0::integer as ranges,
  0::integer as ahead,
  0::integer as held,
  0::integer as expired,
  null::timestamptz as first_starts_at,
  null::timestamptz as last_ends_at,
  '0'::interval as covered_for,
  0::bigint as bytes,
  false::boolean as healthy,
  '{}'::text[] as problems
where false;

comment on view tasker.partition_statuses is
  'Row type: the configuration of partitioning, the ranges that exist ahead of now, and the problems.';
comment on column tasker.partition_statuses.backend_reason is
  'The reason why this backend is used and not the other.';
comment on column tasker.partition_statuses.ahead is
  'The number of ranges that have not begun.';
comment on column tasker.partition_statuses.expired is
  'The number of ranges that still exist although their retention has passed, including held ranges. Ranges of tasks that are kept longer are not counted.';
comment on column tasker.partition_statuses.covered_for is
  'The time from now to the end of the last range. Negative if that range has ended.';
-- <<<

-- >>> db/schema/rows/operate/partitions/growth_analyses.sql
create or replace view tasker.growth_analyses as
select
  0::bigint as tasks,
  0::bigint as steps,
  0::bigint as bytes,
  0::numeric as tasks_per_day,
  0::numeric as bytes_per_day,
  0::numeric as days_observed,
  ''::text as partition_unit,
  ''::text as recommended_unit,
  0::integer as ranges_then,
  0::numeric as bytes_then,
  ''::text as advice
where false;

comment on view tasker.growth_analyses is
  'Row type: the growth of the run tables, and the recommended length of their ranges.';
comment on column tasker.growth_analyses.tasks is
  'The number of tasks, estimated from the server''s statistics.';
comment on column tasker.growth_analyses.days_observed is
  'The number of days that the daily figures cover: at most the last thirty days.';
comment on column tasker.growth_analyses.ranges_then is
  'The number of ranges that will exist with the recommended unit once retention drops as many ranges as are created.';
comment on column tasker.growth_analyses.bytes_then is
  'The size of the run tables, in bytes, once retention drops as much data as is written at the present rate.';
-- <<<

-- >>> db/schema/rows/operate/maintain/cron_jobs.sql
create or replace view tasker.cron_jobs as
select
  ''::text as job_name,
  ''::text as schedule,
  ''::text as command,
  0::bigint as job_id
where false;

comment on view tasker.cron_jobs is
  'Row type: a maintenance call that pg_cron runs.';
-- <<<

-- >>> db/schema/functions/operate/partitions/private/adopt_pg_partman.sql
create or replace function tasker.adopt_pg_partman()
  returns text
  language plpgsql
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_schema text;
begin
  select n.nspname
    into v_schema
    from pg_extension as e
    join pg_namespace as n
      on n.oid = e.extnamespace
   where e.extname = 'pg_partman';
  if not found then
    raise exception using
      errcode = 'TK404',
      message = 'pg_partman is not installed in this database',
      hint    = 'create schema partman; create extension pg_partman schema partman;';
  end if;

  execute format('grant usage on schema %I to tasker_owner', v_schema);
  execute format('grant select, insert, update, delete on table %I.part_config to tasker_owner', v_schema);
  execute format('grant select on table %I.part_config_sub to tasker_owner', v_schema);
  execute format('grant execute on all functions in schema %I to tasker_owner', v_schema);
  return v_schema;
end;
$$;

comment on function tasker.adopt_pg_partman is
$$Allows tasker_owner, and so tasker.ensure_partitions, to use the pg_partman of this database. Returns the schema of
pg_partman.

Idempotent. The owner of the extension, usually a superuser, calls this function. Raises TK404 if pg_partman is not
installed.$$;
-- <<<

-- >>> db/schema/functions/operate/partitions/private/partition_lock_budget.sql
create or replace function tasker.partition_lock_budget()
  returns interval
  language plpgsql
  stable
  set search_path = pg_catalog, pg_temp
as $$
begin
  -- If this session gets into a deadlock, it must give up before the server cancels one of the sessions.
  return least(
    make_interval(secs => tasker.setting_integer('partition_lock_timeout_ms') / 1000.0),
    current_setting('deadlock_timeout')::interval * 0.8
  );
end;
$$;

comment on function tasker.partition_lock_budget is
$$Returns how long one drop may wait for all its locks together. The time is the setting partition_lock_timeout_ms, but
always less than deadlock_timeout.$$;
-- <<<

-- >>> db/schema/functions/operate/partitions/private/partition_relations.sql
create or replace function tasker.partition_relations(p_suffixes text[])
  returns regclass[]
  language plpgsql
  stable
  set search_path = pg_catalog, pg_temp
as $$
begin
  return (
    select array_agg(n.name::regclass order by n.leaf, t.position, n.suffix)
      from tasker.partitioned_tables as t
     cross join lateral (
       select false, '', format('tasker.%I', t.table_name)
       union all
       select true, s.suffix, format('tasker.%I', t.table_name || '_' || s.suffix)
         from unnest(p_suffixes) as s (suffix)
     ) as n (leaf, suffix, name)
  );
end;
$$;

comment on function tasker.partition_relations is
$$Returns the partitioned tables and their partitions in these ranges, in the order in which a drop locks them.$$;
-- <<<

-- >>> db/schema/functions/operate/partitions/private/old_lock_holder.sql
create or replace function tasker.old_lock_holder(p_relations regclass[])
  returns text
  language plpgsql
  volatile
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_until  timestamptz := clock_timestamp() + 5 * tasker.partition_lock_budget();
  v_early  text[];
  v_holder text;
begin
  select array_agg(distinct l.virtualtransaction)
    into v_early
    from pg_locks as l
   where l.relation = any (p_relations)
     and l.database = (select d.oid from pg_database as d where d.datname = current_database())
     and l.granted
     and l.pid is distinct from pg_backend_pid();

  -- Query pg_locks, which blocks no session. A queued lock would block all later sessions.
  loop
    select format('process %s holds %s on %s', coalesce(l.pid::text, '(prepared)'), l.mode, l.relation::regclass)
      into v_holder
      from pg_locks as l
     where l.virtualtransaction = any (v_early)
       and l.relation = any (p_relations)
       and l.database = (select d.oid from pg_database as d where d.datname = current_database())
       and l.granted
     limit 1;
    exit when not found or clock_timestamp() > v_until;
    perform pg_sleep(0.01);
  end loop;
  return v_holder;
end;
$$;

comment on function tasker.old_lock_holder is
$$Returns a description of a transaction that holds a lock on one of these tables for more than five times as long as
one drop may wait for locks. Returns null if there is no such transaction. Waits until shorter transactions have ended,
without queueing for a lock.$$;
-- <<<

-- >>> db/schema/functions/operate/partitions/private/lock_relations.sql
create or replace function tasker.lock_relations(p_relations regclass[])
  returns regclass
  language plpgsql
  set search_path = pg_catalog, pg_temp
  set lock_timeout = '1s'
as $$
declare
  v_until    timestamptz := clock_timestamp() + tasker.partition_lock_budget();
  v_end      timestamptz;
  v_relation regclass;
begin
  loop
    begin
      -- The lock on the first table stops new statements. The other tables become free when the running statements end,
      -- unless a statement has locked the tables in another order and now waits for the first table. So give up soon,
      -- and try again.
      v_end := v_until;
      foreach v_relation in array p_relations loop
        perform set_config(
          'lock_timeout',
          greatest(ceil(extract(epoch from v_end - clock_timestamp()) * 1000), 1)::text || 'ms',
          true
        );
        execute format('lock table only %s in access exclusive mode', v_relation);
        if v_relation = p_relations[1] then
          v_end := least(v_until, clock_timestamp() + interval '25 milliseconds');
        end if;
      end loop;
      return null;
    exception when lock_not_available or deadlock_detected then
      null;
    end;
    exit when clock_timestamp() >= v_until;
    perform pg_sleep(0.005 + 0.02 * random());
  end loop;
  return v_relation;
end;
$$;

comment on function tasker.lock_relations is
$$Locks tables exclusively, in the given order, within the time that one drop may wait for locks
(tasker.partition_lock_budget). Returns null if it has locked all tables. Otherwise holds no lock and returns the table
that it last failed to lock.

Waits for the first table up to this time, and then for all other tables together 25 milliseconds. Starts again while
time is left.$$;
-- <<<

-- >>> db/schema/functions/operate/partitions/private/lock_range.sql
create or replace function tasker.lock_range(p_ranges tasker.partition_ranges[])
  returns text
  language plpgsql
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_relations regclass[];
  v_holder    text;
  v_missing   regclass;
begin
  v_relations := tasker.partition_relations(array(select r.suffix from unnest(p_ranges) as r));

  v_holder := tasker.old_lock_holder(v_relations);
  if v_holder is not null then
    return v_holder;
  end if;
  v_missing := tasker.lock_relations(v_relations);
  if v_missing is null then
    return null;
  end if;

  -- This call blocked other sessions without success. Try again after a minute, then after two minutes, and so on up to
  -- half an hour.
  update tasker.partition_ranges as r
     set busy_count = r.busy_count + 1,
         retry_at   = tasker.clock() + least(interval '1 minute' * 2 ^ least(r.busy_count, 5), interval '30 minutes')
   where r.starts_at = any (array(select u.starts_at from unnest(p_ranges) as u));
  return format('could not lock %s within %s', v_missing, tasker.partition_lock_budget());
end;
$$;

comment on function tasker.lock_range is
$$Locks the run tables and the partitions of these ranges exclusively until the transaction ends. Returns null if it has
got all locks. Otherwise holds no lock and returns the reason.

Checks for long transactions first, so that it seldom queues for locks without success. After a failure, no call tries
this range again for a while.$$;
-- <<<

-- >>> db/schema/functions/operate/partitions/private/kept_templates.sql
create or replace function tasker.kept_templates(p_range tasker.partition_ranges)
  returns uuid[]
  language plpgsql
  stable
  set search_path = pg_catalog, pg_temp
  set timezone = 'UTC'
as $$
declare
  v_kept uuid[];
begin
  if not exists (select from tasker.retentions) then
    return '{}';
  end if;
  execute format(
    $sql$
      select array_agg(k.named_task_uuid order by k.named_task_uuid)
        from tasker.task_namespaces as n
        join tasker.named_tasks as k
          on k.task_namespace_uuid = n.task_namespace_uuid
       cross join lateral (
         -- The retention of a template takes precedence over the retention of its namespace.
         select r.keep_for
           from tasker.retentions as r
          where r.namespace = n.name
            and r.template in (k.name, '')
          order by r.template desc
          limit 1
       ) as o
       where $1 + o.keep_for > tasker.clock()
         and exists (select from tasker.%I as t where t.named_task_uuid = k.named_task_uuid)
    $sql$,
    'tasks_' || p_range.suffix
  ) into v_kept using p_range.ends_at;
  return coalesce(v_kept, '{}');
end;
$$;

comment on function tasker.kept_templates is
$$Returns the templates that have tasks in a range and whose tasks are kept longer than the range.

The cost is one lookup in the range for each template with a retention. There is no cost if no retention is set.$$;
-- <<<

-- >>> db/schema/functions/operate/partitions/private/range_holds.sql
create or replace function tasker.range_holds(p_range tasker.partition_ranges)
  returns setof tasker.range_holds
  language plpgsql
  stable
  set search_path = pg_catalog, pg_temp
  set plan_cache_mode = force_generic_plan
  set enable_hashjoin = off
  set enable_mergejoin = off
  set enable_seqscan = off
  set jit = off
  set max_parallel_workers_per_gather = 0
as $$
declare
  v_retained timestamptz;
begin
  select tasker.clock() - c.retention into strict v_retained from tasker.partition_config as c;

  -- Use constants in the query, so that no other partition is planned or locked.
  return query execute format(
    $sql$
      select 'open', t.task_uuid
        from tasker.tasks as t
       where t.task_uuid >= %1$L
         and t.task_uuid < %2$L
         and not t.complete
      union all
      select 'investigated', d.task_uuid
        from tasker.tasks_dlq as d
       where d.task_uuid >= %1$L
         and d.task_uuid < %2$L
         and d.resolution_status = 'pending'
      union all
      -- A note has not been fired, so another task does not know the end of this task yet, or has not been cancelled
      -- yet.
      select 'noted', m.task_uuid
        from tasker.timers as m
       where m.task_uuid >= %1$L
         and m.task_uuid < %2$L
         and m.kind in ('child_ended', 'cancel_child', 'serve_run')
      union all
      -- A failed task still blocks its sequence.
      select 'noted', r.task_uuid
        from tasker.runs as r
       where r.task_uuid >= %1$L
         and r.task_uuid < %2$L
      union all
      -- These tasks have UUIDs in the last millisecond of the range because no newer range existed.
      select 'young', t.task_uuid
        from tasker.tasks as t
       where t.task_uuid >= %3$L
         and t.task_uuid < %2$L
         and t.requested_at > %4$L
         and t.complete
    $sql$,
    p_range.from_uuid, p_range.to_uuid, tasker.uuid_v7_floor(p_range.ends_at - interval '1 millisecond'), v_retained
  );
end;
$$;

comment on function tasker.range_holds is
$$Returns the tasks for which a range may not be dropped.$$;
-- <<<

-- >>> db/schema/functions/operate/partitions/private/partition_hold.sql
create or replace function tasker.partition_hold(p_range tasker.partition_ranges)
  returns setof tasker.held_partitions
  language plpgsql
  stable
  rows 1
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_hold  tasker.held_partitions;
  v_noted bigint;
begin
  select count(*) filter (where h.kind = 'open'),
         count(*) filter (where h.kind = 'investigated'),
         count(*) filter (where h.kind = 'young'),
         count(*) filter (where h.kind = 'noted'),
         (array_agg(h.task_uuid order by h.task_uuid))[1]
    into v_hold.open_tasks, v_hold.investigations, v_hold.young_tasks, v_noted, v_hold.first_task
    from tasker.range_holds(p_range) as h;

  if v_hold.first_task is null then
    return;
  end if;
  v_hold.starts_at := p_range.starts_at;
  v_hold.ends_at := p_range.ends_at;
  v_hold.reason := 'tasks: ' || concat_ws(
    ', ',
    nullif(v_hold.open_tasks, 0) || ' not ended',
    nullif(v_hold.investigations, 0) || ' under investigation',
    nullif(v_hold.young_tasks, 0) || ' younger than the range',
    nullif(v_noted, 0) || ' with a note to another task'
  );
  return next v_hold;
end;
$$;

comment on function tasker.partition_hold is
$$Returns why a range may not be dropped. Returns no row if the range may be dropped.$$;
-- <<<

-- >>> db/schema/functions/operate/partitions/private/expired_range.sql
create or replace function tasker.expired_range(p_starts_at timestamptz)
  returns tasker.partition_ranges
  language plpgsql
  stable
  set search_path = pg_catalog, pg_temp
  set timezone = 'UTC'
as $$
declare
  v_range   tasker.partition_ranges;
  v_expires timestamptz;
begin
  if p_starts_at is null then
    raise exception using
      errcode = 'TK422',
      message = 'the start of the range is null',
      hint    = 'tasker.list_partition_ranges() shows where each begins.';
  end if;

  select r.* into v_range from tasker.partition_ranges as r where r.starts_at = p_starts_at;
  if not found then
    raise exception using
      errcode = 'TK404',
      message = format('no range begins at %s', p_starts_at),
      hint    = 'tasker.list_partition_ranges() shows them all.';
  end if;

  select v_range.ends_at + c.retention into strict v_expires from tasker.partition_config as c;
  if v_expires > tasker.clock() then
    raise exception using
      errcode = 'TK409',
      message = format('the range that begins at %s is not past its retention', p_starts_at),
      detail  = format('Retention keeps it until %s.', v_expires),
      hint    = 'Set a shorter retention with tasker.setup_partitioning(p_retention => …).';
  end if;
  return v_range;
end;
$$;

comment on function tasker.expired_range is
$$Returns the range that begins at p_starts_at, if it is past its retention. Raises TK404 if no range begins there,
TK409 if the range is not past its retention, and TK422 for null.$$;
-- <<<

-- >>> db/schema/functions/operate/partitions/private/estimated_rows.sql
create or replace function tasker.estimated_rows(p_table regclass)
  returns bigint
  language plpgsql
  stable
  set search_path = pg_catalog, pg_temp
as $$
begin
  -- After a crash the activity statistics are lost, and the statistics of the last vacuum may be old. So the larger
  -- number is the better estimate.
  return greatest(
    pg_stat_get_live_tuples(p_table),
    (select c.reltuples from pg_class as c where c.oid = p_table),
    0
  )::bigint;
end;
$$;

comment on function tasker.estimated_rows is
$$Estimates how many rows a table has, without reading it.$$;
-- <<<

-- >>> db/schema/functions/operate/partitions/held_partitions.sql
create or replace function tasker.held_partitions()
  returns setof tasker.held_partitions
  language plpgsql
  stable
  security definer
  set search_path = pg_catalog, pg_temp
as $$
begin
  return query
  select h.*
    from tasker.partition_config as c
    join tasker.partition_ranges as r
      on r.ends_at <= tasker.clock() - c.retention
   cross join lateral tasker.partition_hold(r) as h
   order by r.starts_at;
end;
$$;

comment on function tasker.held_partitions is
$$Returns the ranges past their retention that may not be dropped, with the reason. The reason is a task that has not
ended, is under investigation or is younger than its range, or whose notes to other tasks have not been fired.

A range may be dropped when these tasks have ended, or after tasker.evacuate_partition.$$;

grant execute on function tasker.held_partitions
  to tasker_orchestrator, tasker_operator, tasker_reader;
-- <<<

-- >>> db/schema/functions/operate/partitions/private/note_kept_change.sql
create or replace function tasker.note_kept_change()
  returns trigger
  language plpgsql
  set search_path = pg_catalog, pg_temp
as $$
begin
  -- The transaction is part of the key, so that no transaction waits for another transaction here.
  insert into tasker.kept_changes (task_uuid)
  select case when tg_op = 'DELETE' then old.task_uuid else new.task_uuid end
   where exists (select from tasker.kept_moves)
  on conflict do nothing;
  return null;
end;
$$;

comment on function tasker.note_kept_change is
$$Trigger function for the partitions of a range that is being moved: records the changed task, so that the move copies
the task again.$$;
-- <<<

-- >>> db/schema/functions/operate/partitions/private/evacuated_range.sql
create or replace function tasker.evacuated_range(p_ranges tasker.partition_ranges[])
  returns tasker.partition_ranges
  language plpgsql
  immutable
as $$
declare
  v_last tasker.partition_ranges := p_ranges[cardinality(p_ranges)];
  v_new  tasker.partition_ranges := p_ranges[1];
begin
  v_new.ends_at := v_last.ends_at;
  v_new.to_uuid := v_last.to_uuid;
  v_new.evacuations := v_new.evacuations + 1;
  v_new.suffix := regexp_replace(v_new.suffix, '(_e[0-9]+)?$', '_e' || v_new.evacuations);
  return v_new;
end;
$$;

comment on function tasker.evacuated_range is
$$Returns the range that replaces these ranges. The new range has the outer bounds of these ranges, and a suffix with
the number of evacuations.$$;
-- <<<

-- >>> db/schema/functions/operate/partitions/private/begin_move.sql
create or replace function tasker.begin_move(p_range tasker.partition_ranges, p_kept uuid[])
  returns text
  language plpgsql
  set search_path = pg_catalog, pg_temp
  set lock_timeout = '1s'
as $$
declare
  v_new   tasker.partition_ranges := tasker.evacuated_range(array[p_range]);
  v_table text;
begin
  perform set_config(
    'lock_timeout', ceil(extract(epoch from tasker.partition_lock_budget()) * 1000)::text || 'ms', true
  );
  perform tasker.create_leaves(v_new.suffix);
  for v_table in select t.table_name from tasker.partitioned_tables as t order by t.position loop
    -- A change that was made before the trigger existed is committed when the first batch reads.
    execute format(
      'create or replace trigger note_kept_change after insert or update or delete on tasker.%I
         for each row execute function tasker.note_kept_change()',
      v_table || '_' || p_range.suffix
    );
    -- With this constraint PostgreSQL attaches the partition without reading its rows.
    execute format(
      'alter table tasker.%I add constraint kept_range check (task_uuid >= %L and task_uuid < %L)',
      v_table || '_' || v_new.suffix, v_new.from_uuid, v_new.to_uuid
    );
  end loop;
  insert into tasker.kept_moves (starts_at, suffix, templates)
  values (p_range.starts_at, v_new.suffix, p_kept);
  return null;
exception
  when lock_not_available or deadlock_detected then
    return sqlerrm;
end;
$$;

comment on function tasker.begin_move is
$$Creates the partitions to which the kept tasks of a range are copied, and the triggers that record changes in the
range. Returns null, or the reason why it could not do so.

Locks the partitions of the range against writers for a moment. Waits for these locks at most partition_lock_timeout_ms.$$;
-- <<<

-- >>> db/schema/functions/operate/partitions/private/copy_stragglers.sql
create or replace function tasker.copy_stragglers(p_task_uuids uuid[], p_from_suffixes text[], p_to_suffix text)
  returns void
  language plpgsql
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_table   text;
  v_columns text;
  v_suffix  text;
begin
  for v_table in select t.table_name from tasker.partitioned_tables as t order by t.position loop
    select string_agg(quote_ident(a.attname), ', ' order by a.attnum)
      into v_columns
      from pg_attribute as a
     where a.attrelid = format('tasker.%I', v_table)::regclass
       and a.attnum > 0
       and not a.attisdropped
       and a.attgenerated = '';

    foreach v_suffix in array p_from_suffixes loop
      execute format(
        'insert into tasker.%1$I (%2$s) select %2$s from tasker.%3$I as o where o.task_uuid = any ($1)',
        v_table || '_' || p_to_suffix, v_columns, v_table || '_' || v_suffix
      ) using p_task_uuids;
    end loop;
  end loop;
end;
$$;

comment on function tasker.copy_stragglers is
$$Copies all rows of some tasks, unchanged, from partitions to new tables that have no triggers yet.$$;
-- <<<

-- >>> db/schema/functions/operate/partitions/private/copy_kept.sql
create or replace function tasker.copy_kept(p_range tasker.partition_ranges, p_suffix text, p_task_uuids uuid[], p_again boolean)
  returns void
  language plpgsql
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_table text;
begin
  if p_again then
    for v_table in select t.table_name from tasker.partitioned_tables as t order by t.position loop
      execute format('delete from tasker.%I as o where o.task_uuid = any ($1)', v_table || '_' || p_suffix) using p_task_uuids;
    end loop;
  end if;
  perform tasker.copy_stragglers(p_task_uuids, array[p_range.suffix], p_suffix);
  if not p_again then
    -- The retries and losses in the log are still counted under the old suffix.
    execute format(
      $sql$
        insert into tasker.step_totals as o (partition_suffix, settled, complete, error, cancelled, resolved)
        select $1, true,
               count(*) filter (where s.state = 'complete'), count(*) filter (where s.state = 'error'),
               count(*) filter (where s.state = 'cancelled'), count(*) filter (where s.state = 'resolved_manually')
          from tasker.%I as s
         where s.task_uuid = any ($2)
        on conflict (partition_suffix, settled) do update
           set complete  = o.complete + excluded.complete,
               error     = o.error + excluded.error,
               cancelled = o.cancelled + excluded.cancelled,
               resolved  = o.resolved + excluded.resolved
      $sql$,
      'workflow_steps_' || p_suffix
    ) using p_suffix, p_task_uuids;
  end if;
end;
$$;

comment on function tasker.copy_kept is
$$Copies all rows of some tasks, unchanged, to the new partitions of their range, and counts their ended steps there.
With p_again, the tasks were copied before and have changed since then.$$;
-- <<<

-- >>> db/schema/functions/operate/partitions/private/next_kept.sql
create or replace function tasker.next_kept(p_range tasker.partition_ranges, p_move tasker.kept_moves, p_limit integer)
  returns uuid[]
  language plpgsql
  set search_path = pg_catalog, pg_temp
  set plan_cache_mode = force_generic_plan
  set enable_hashjoin = off
  set enable_mergejoin = off
  set enable_seqscan = off
  set jit = off
  set max_parallel_workers_per_gather = 0
as $$
declare
  v_tasks     uuid[];
  v_templates uuid[];
begin
  -- The index of the tasks of a template leads only to kept tasks.
  execute format(
    $sql$
      select array_agg(o.task_uuid), array_agg(o.template)
        from (
          select k.template, l.task_uuid
            from unnest($1::uuid[]) with ordinality as k (template, no)
           cross join lateral (
             select t.task_uuid
               from tasker.%I as t
              where t.named_task_uuid = k.template
                and t.task_uuid > case when k.template = $2 then $3 else '00000000-0000-0000-0000-000000000000' end
              order by t.task_uuid
              limit $4
           ) as l
           where $2 is null or k.template >= $2
           order by k.no, l.task_uuid
           limit $4
        ) as o
    $sql$,
    'tasks_' || p_range.suffix
  ) into v_tasks, v_templates using p_move.templates, p_move.template, p_move.task_uuid, p_limit;
  if v_tasks is null then
    return '{}';
  end if;
  update tasker.kept_moves as m
     set template  = v_templates[cardinality(v_tasks)],
         task_uuid = v_tasks[cardinality(v_tasks)],
         tasks     = m.tasks + cardinality(v_tasks)
   where m.starts_at = p_range.starts_at;
  return v_tasks;
end;
$$;

comment on function tasker.next_kept is
$$Returns the next tasks of a range that are kept longer, and records how far the move has come. The caller copies them
in the same transaction.$$;
-- <<<

-- >>> db/schema/functions/operate/partitions/private/missing_holds.sql
create or replace function tasker.missing_holds(p_range tasker.partition_ranges, p_suffix text, p_limit integer)
  returns uuid[]
  language plpgsql
  stable
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_tasks uuid[];
begin
  execute format(
    $sql$
      select array_agg(o.task_uuid)
        from (
          select distinct h.task_uuid
            from tasker.range_holds($1) as h
           where exists (select from tasker.%I as t where t.task_uuid = h.task_uuid)
             and not exists (select from tasker.%I as t where t.task_uuid = h.task_uuid)
           limit $2
        ) as o
    $sql$,
    'tasks_' || p_range.suffix, 'tasks_' || p_suffix
  ) into v_tasks using p_range, p_limit;
  return coalesce(v_tasks, '{}');
end;
$$;

comment on function tasker.missing_holds is
$$Returns tasks that hold a range and were not copied to its new partitions.$$;
-- <<<

-- >>> db/schema/functions/operate/partitions/private/changed_kept.sql
create or replace function tasker.changed_kept(p_range tasker.partition_ranges, p_suffix text, p_limit integer)
  returns uuid[]
  language plpgsql
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_tasks uuid[];
begin
  -- A task that was not copied yet will be copied with this change.
  execute format(
    $sql$
      with noted as (
        delete from tasker.kept_changes as c
         where (c.task_uuid, c.xact) in (
           select o.task_uuid, o.xact
             from tasker.kept_changes as o
            where o.task_uuid >= $1
              and o.task_uuid < $2
            order by o.task_uuid
            limit $3
         )
        returning c.task_uuid
      )
      select array_agg(distinct n.task_uuid)
        from noted as n
       where exists (select from tasker.%I as t where t.task_uuid = n.task_uuid)
    $sql$,
    'tasks_' || p_suffix
  ) into v_tasks using p_range.from_uuid, p_range.to_uuid, p_limit;
  return coalesce(v_tasks, '{}');
end;
$$;

comment on function tasker.changed_kept is
$$Returns tasks that have changed since they were copied, and deletes the records of these changes. The caller copies
the tasks again in the same transaction.$$;
-- <<<

-- >>> db/schema/functions/operate/partitions/private/finish_move.sql
create or replace function tasker.finish_move(p_range tasker.partition_ranges, p_move tasker.kept_moves)
  returns text
  language plpgsql
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_new    tasker.partition_ranges := tasker.evacuated_range(array[p_range]);
  v_detail text;
  v_table  text;
begin
  v_detail := tasker.lock_range(array[p_range]);
  if v_detail is not null then
    return v_detail;
  end if;

  -- From here on no other session can change a task of the range.
  perform tasker.copy_kept(p_range, v_new.suffix, tasker.changed_kept(p_range, v_new.suffix, null), true);
  perform tasker.copy_kept(p_range, v_new.suffix, tasker.missing_holds(p_range, v_new.suffix, null), false);
  delete from tasker.kept_moves as m where m.starts_at = p_range.starts_at;
  perform tasker.drop_partition_range(p_range.starts_at);
  insert into tasker.partition_ranges (starts_at, ends_at, suffix, evacuations, kept)
  values (v_new.starts_at, v_new.ends_at, v_new.suffix, v_new.evacuations, p_move.templates);
  perform tasker.finish_leaves(v_new.suffix);
  perform tasker.attach_leaves(v_new);
  for v_table in select t.table_name from tasker.partitioned_tables as t order by t.position loop
    execute format('alter table tasker.%I drop constraint kept_range', v_table || '_' || v_new.suffix);
  end loop;
  -- All tasks of these templates are in the new partitions. The totals do not change, they only get the new suffix.
  update tasker.task_totals as o
     set partition_suffix = v_new.suffix
   where o.partition_suffix = p_range.suffix
     and o.named_task_uuid = any (p_move.templates);
  return null;
end;
$$;

comment on function tasker.finish_move is
$$Replaces a range by the copies of its kept tasks, and drops the other tasks. Returns null, or the reason why it could not lock the range.

Locks the run tables exclusively, as tasker.apply_retention does. While it holds the locks, copies only tasks that have
changed since the last batch.$$;
-- <<<

-- >>> db/schema/functions/operate/partitions/private/move_kept.sql
create or replace function tasker.move_kept(p_range tasker.partition_ranges, p_kept uuid[], p_limit integer)
  returns tasker.retention_outcomes
  language plpgsql
  set search_path = pg_catalog, pg_temp
  set timezone = 'UTC'
as $$
declare
  v_move   tasker.kept_moves;
  v_answer tasker.retention_outcomes;
  v_tasks  uuid[];
  v_left   integer := p_limit;
  v_table  text;
begin
  v_answer.starts_at := p_range.starts_at;
  v_answer.ends_at := p_range.ends_at;
  v_answer.outcome := 'moving';
  select m.* into v_move from tasker.kept_moves as m where m.starts_at = p_range.starts_at for update;
  if not found then
    v_answer.detail := tasker.begin_move(p_range, p_kept);
    v_answer.outcome := case when v_answer.detail is null then 'moving' else 'busy' end;
    v_answer.detail := coalesce(v_answer.detail, 'begun');
    return v_answer;
  elsif v_move.templates <> p_kept then
    -- Another retention was set in the meantime. Truncate the tables, which no other session reads.
    for v_table in select t.table_name from tasker.partitioned_tables as t loop
      execute format('truncate tasker.%I', v_table || '_' || v_move.suffix);
    end loop;
    delete from tasker.step_totals as o where o.partition_suffix = v_move.suffix;
    update tasker.kept_moves as m
       set templates = p_kept, template = null, task_uuid = null, tasks = 0
     where m.starts_at = p_range.starts_at
    returning m.* into v_move;
  end if;

  -- Copy changed tasks first, so that the next batch replaces the copy of an erased task.
  v_tasks := tasker.changed_kept(p_range, v_move.suffix, v_left);
  perform tasker.copy_kept(p_range, v_move.suffix, v_tasks, true);
  v_left := v_left - cardinality(v_tasks);
  if v_left > 0 then
    v_tasks := tasker.next_kept(p_range, v_move, v_left);
    perform tasker.copy_kept(p_range, v_move.suffix, v_tasks, false);
    v_left := v_left - cardinality(v_tasks);
  end if;
  if v_left > 0 then
    v_tasks := tasker.missing_holds(p_range, v_move.suffix, v_left);
    perform tasker.copy_kept(p_range, v_move.suffix, v_tasks, false);
    v_left := v_left - cardinality(v_tasks);
  end if;

  select m.tasks into v_move.tasks from tasker.kept_moves as m where m.starts_at = p_range.starts_at;
  v_answer.detail := format('%s tasks copied', v_move.tasks);
  if v_left > 0 then
    v_answer.detail := tasker.finish_move(p_range, v_move);
    v_answer.outcome := case when v_answer.detail is null then 'moved' else 'busy' end;
    v_answer.detail := coalesce(v_answer.detail, format('%s tasks moved to partitions _%s', v_move.tasks, v_move.suffix));
  end if;
  return v_answer;
end;
$$;

comment on function tasker.move_kept is
$$Copies the next kept tasks of a range, at most p_limit of them. When no task is left, replaces the range by the
copies. If the range cannot be locked, a later call tries again.

Each call runs in its own transaction. After a crash the next call continues. Reads the tasks without locks. If a task
changes after it was copied, a trigger records the change, and the task is copied again.$$;
-- <<<

-- >>> db/schema/functions/operate/partitions/apply_retention.sql
create or replace function tasker.apply_retention()
  returns setof tasker.retention_outcomes
  language plpgsql
  security definer
  set search_path = pg_catalog, pg_temp
  set timezone = 'UTC'
as $$
declare
  v_range  tasker.partition_ranges;
  v_answer tasker.retention_outcomes;
  v_kept   uuid[];
begin
  perform tasker.check_unbound();
  perform tasker.check_isolation();
  -- The holder of the turn is doing the same work, or leaves it to the next call.
  if not tasker.take_partition_turn() then
    return;
  end if;

  for v_range in
    select r.*
      from tasker.partition_config as c
      join tasker.partition_ranges as r
        on r.ends_at <= tasker.clock() - c.retention
     order by r.starts_at
  loop
    v_answer.starts_at := v_range.starts_at;
    v_answer.ends_at := v_range.ends_at;

    -- A moved range stays until the retention of one of its templates has passed.
    v_kept := tasker.kept_templates(v_range);
    continue when v_range.kept <> '{}' and v_range.kept <@ v_kept;

    if v_kept = '{}' then
      perform tasker.forget_move(v_range);
    end if;
    v_answer.outcome := 'held';
    select h.reason into v_answer.detail from tasker.partition_hold(v_range) as h where v_kept = '{}' or h.young_tasks > 0;
    if found then
      return next v_answer;
      continue;
    end if;

    v_answer.outcome := 'busy';
    if v_range.retry_at > tasker.clock() then
      v_answer.detail := format('tried %s times; the next time at %s', v_range.busy_count, v_range.retry_at);
      return next v_answer;
      continue;
    end if;
    if v_kept <> '{}' then
      v_answer := tasker.move_kept(v_range, v_kept, 1000);
      return next v_answer;
      exit when v_answer.outcome <> 'busy';
      continue;
    end if;
    v_answer.detail := tasker.lock_range(array[v_range]);
    if v_answer.detail is not null then
      return next v_answer;
      -- One call queues without success at most once.
      exit when exists (
        select from tasker.partition_ranges as r where r.starts_at = v_range.starts_at and r.retry_at > tasker.clock()
      );
      continue;
    end if;

    -- Check again under the lock. From here on no session can reopen a task.
    v_answer.outcome := 'held';
    select h.reason into v_answer.detail from tasker.partition_hold(v_range) as h;
    if not found then
      perform tasker.drop_partition_range(v_range.starts_at);
      v_answer.outcome := 'dropped';
      v_answer.detail := format('partitions _%s', v_range.suffix);
    end if;
    return next v_answer;
    -- The locks last until the transaction ends, so one call drops one range.
    return;
  end loop;
end;
$$;

comment on function tasker.apply_retention is
$$Drops the oldest range past its retention that nothing holds, with the outcome "dropped". Also returns the older
ranges, with the outcome "held" and the task that holds the range, or "busy" and the process that is in the way. Each
call drops only one range. If tasks of the range are kept longer (tasker.set_retention), each call copies at most 1,000
of them ("moving"), and the last call replaces the range by the copies ("moved"). Call this function, each time in its
own transaction, until no outcome is "dropped", "moving" or "moved".

Idempotent. Returns no row if no range is past its retention, or if another session changes partitions for longer than a
second. Locks the run tables exclusively, in the engine's order, for the few milliseconds of a drop. Waits for these
locks only if no long transaction is in the way, and at most partition_lock_timeout_ms in total. After a wait without
success, does not wait for this range again for at least a minute. Raises TK409 if the isolation level is above READ
COMMITTED, and TK403 if the caller is bound to namespaces.$$;

grant execute on function tasker.apply_retention to tasker_orchestrator, tasker_operator;
-- <<<

-- >>> db/schema/functions/operate/partitions/private/lock_stragglers.sql
create or replace function tasker.lock_stragglers(p_from_uuid uuid, p_to_uuid uuid)
  returns uuid[]
  language plpgsql
  set search_path = pg_catalog, pg_temp
  set lock_timeout = '1s'
  set plan_cache_mode = force_generic_plan
  set enable_hashjoin = off
  set enable_mergejoin = off
  set enable_seqscan = off
  set jit = off
  set max_parallel_workers_per_gather = 0
as $$
declare
  v_tasks uuid[];
  v_steps integer;
begin
  perform set_config(
    'lock_timeout', ceil(extract(epoch from tasker.partition_lock_budget()) * 1000)::text || 'ms', true
  );
  -- Lock tasks, then steps, as the engine does. Use constants, so that PostgreSQL prunes the other
  -- partitions.
  execute format(
    $sql$
      select array_agg(l.task_uuid order by l.task_uuid)
        from (
          select o.task_uuid
            from tasker.tasks as o
           where o.task_uuid >= %1$L
             and o.task_uuid < %2$L
             and not o.complete
          union
          select d.task_uuid
            from tasker.tasks_dlq as d
           where d.task_uuid >= %1$L
             and d.task_uuid < %2$L
             and d.resolution_status = 'pending'
           order by task_uuid
        ) as h
       cross join lateral (
         select t.task_uuid
           from tasker.tasks as t
          where t.task_uuid = h.task_uuid
            and t.task_uuid >= %1$L
            and t.task_uuid < %2$L
            for update
       ) as l
    $sql$,
    p_from_uuid, p_to_uuid
  ) into v_tasks;

  execute format(
    $sql$
      select count(*)
        from (
          select
            from tasker.workflow_steps as s
           where s.task_uuid >= %1$L
             and s.task_uuid < %2$L
             and s.task_uuid = any ($1)
           order by s.task_uuid, s.step_no
             for update of s
        ) as l
    $sql$,
    p_from_uuid, p_to_uuid
  ) into v_steps using v_tasks;
  return coalesce(v_tasks, '{}');
end;
$$;

comment on function tasker.lock_stragglers is
$$Locks the tasks between two UUIDs that have not ended or are under investigation, and their steps. Returns these
tasks, which no other session can change from then on.$$;
-- <<<

-- >>> db/schema/functions/operate/partitions/private/ranges_to_evacuate.sql
create or replace function tasker.ranges_to_evacuate(p_range tasker.partition_ranges)
  returns tasker.partition_ranges[]
  language plpgsql
  stable
as $$
declare
  v_before tasker.partition_ranges;
begin
  -- Merge the range with the preceding range if that range was evacuated, too, so that the number of evacuated ranges
  -- does not grow. Do not merge with a range of kept tasks, which may have very many tasks.
  select r.* into v_before
    from tasker.partition_ranges as r
   where r.ends_at <= p_range.starts_at
   order by r.starts_at desc
   limit 1;
  return case when v_before.evacuations > 0 and v_before.kept = '{}' then array[v_before, p_range] else array[p_range] end;
end;
$$;

comment on function tasker.ranges_to_evacuate is
$$Returns a range, and before it the preceding range if that range was evacuated.$$;
-- <<<

-- >>> db/schema/functions/operate/partitions/evacuate_partition.sql
create or replace function tasker.evacuate_partition(
  p_starts_at  timestamptz,
  p_limit      integer      default 1000,
  p_actor      text         default null,
  p_reason     text         default null
)
  returns setof tasker.retention_outcomes
  language plpgsql
  security definer
  set search_path = pg_catalog, pg_temp
  set timezone = 'UTC'
as $$
declare
  v_range    tasker.partition_ranges;
  v_old      tasker.partition_ranges[];
  v_new      tasker.partition_ranges;
  v_hold     tasker.held_partitions;
  v_answer   tasker.retention_outcomes;
  v_tasks    uuid[];
begin
  p_limit := coalesce(p_limit, 1000);
  perform tasker.check_unbound();
  perform tasker.check_isolation();
  perform tasker.administer(p_actor, p_reason);
  v_range := tasker.expired_range(p_starts_at);
  perform tasker.check_limit(p_limit, 100000);
  v_answer.starts_at := v_range.starts_at;
  v_answer.ends_at := v_range.ends_at;
  v_answer.outcome := 'busy';
  if not tasker.take_partition_turn() then
    v_answer.detail := 'another session is changing partitions';
    return next v_answer;
    return;
  end if;

  v_answer.outcome := 'held';
  select h.* into v_hold from tasker.partition_hold(v_range) as h;
  if not found then
    raise exception using
      errcode = 'TK409',
      message = format('nothing holds the range that begins at %s', v_range.starts_at),
      hint    = 'tasker.apply_retention() drops it.';
  end if;
  v_answer.detail := case
    when v_hold.young_tasks > 0 then v_hold.reason
    when v_hold.open_tasks + v_hold.investigations > p_limit then
      format('%s, more than the %s that may be copied at once', v_hold.reason, p_limit)
    when tasker.kept_templates(v_range) <> '{}' then
      'tasks are kept longer: tasker.apply_retention() moves them, with the tasks that hold the range'
  end;
  if v_answer.detail is not null then
    return next v_answer;
    return;
  end if;

  v_old := tasker.ranges_to_evacuate(v_range);
  v_new := tasker.evacuated_range(v_old);

  begin
    v_tasks := tasker.lock_stragglers(v_new.from_uuid, v_new.to_uuid);
    perform tasker.forget_move(v_range);
    perform tasker.create_leaves(v_new.suffix);
    perform tasker.copy_stragglers(v_tasks, array(select o.suffix from unnest(v_old) as o), v_new.suffix);
    perform tasker.finish_leaves(v_new.suffix);

    v_answer.outcome := 'busy';
    v_answer.detail := tasker.lock_range(v_old);
    -- A task may have been reopened before the locks were granted.
    if v_answer.detail is null and v_tasks <> tasker.lock_stragglers(v_new.from_uuid, v_new.to_uuid) then
      v_answer.detail := 'a task in the range was reopened meanwhile';
    end if;
    if v_answer.detail is not null then
      raise exception using errcode = 'TK409', message = v_answer.detail,
      hint    = 'See tasker.held_partitions().';
    end if;

    perform tasker.drop_partition_range(o.starts_at) from unnest(v_old) as o;
    insert into tasker.partition_ranges (starts_at, ends_at, suffix, evacuations)
    values (v_new.starts_at, v_new.ends_at, v_new.suffix, v_new.evacuations);
    perform tasker.attach_leaves(v_new);

    v_answer.starts_at := v_new.starts_at;
    v_answer.outcome := 'evacuated';
    v_answer.detail := format('%s tasks moved to partitions _%s', cardinality(v_tasks), v_new.suffix);
  exception
    when sqlstate 'TK409' then
      v_answer.detail := sqlerrm;
    when lock_not_available or deadlock_detected then
      v_answer.detail := sqlerrm;
  end;
  return next v_answer;
end;
$$;

comment on function tasker.evacuate_partition is
$$Rebuilds a held range with only the tasks that hold it, and drops all other tasks. The tasks that hold a range are
open tasks and tasks under investigation. The steps, edges, history, audit and UUIDs of these tasks do not change, and
the function writes no row into the logs. The outcome is "evacuated", "held" (too many tasks, young tasks, or tasks that
are kept longer) or "busy" (with the process that is in the way).

The cost depends on the number of tasks that hold the range, not on the size of the range. Adjacent evacuated ranges are
merged, and are dropped like any other range when their tasks have ended. Locks the tasks that hold the range and their
steps, and then the run tables, as tasker.apply_retention does. Call this function in its own transaction. Raises TK404
if no range begins at p_starts_at. Raises TK409 if the range is not past its retention or if the isolation level is
above READ COMMITTED. Raises TK422 for a wrong argument, and TK403 if the caller is bound to namespaces.$$;

grant execute on function tasker.evacuate_partition to tasker_operator;
-- <<<

-- >>> db/schema/functions/operate/partitions/partition_sizes.sql
create or replace function tasker.partition_sizes()
  returns setof tasker.partition_sizes
  language plpgsql
  stable
  security definer
  set search_path = pg_catalog, pg_temp
  set timezone = 'UTC'
as $$
begin
  return query
  select
    r.starts_at,
    r.ends_at,
    r.suffix,
    case
      when r.starts_at > tasker.clock() then 'ahead'
      when r.ends_at > tasker.clock() then 'current'
      when r.ends_at > tasker.clock() - c.retention then 'kept'
      when h.reason is not null then 'held'
      when r.kept <> '{}' then 'kept'
      when r.retry_at > tasker.clock() then 'busy'
      else 'expired'
    end,
    s.tasks,
    s.steps,
    s.bytes,
    coalesce(
      h.reason,
      case when r.retry_at > tasker.clock() then format('retention tries again at %s', r.retry_at) end,
      case when m.tasks is not null then format('%s tasks that are kept longer were copied', m.tasks) end,
      case when r.kept <> '{}' then 'only tasks that are kept longer' end,
      case when r.evacuations > 0 then 'only tasks that held it' end
    )
  from tasker.partition_config as c
  cross join tasker.partition_ranges as r
  cross join lateral (
    select
      coalesce(sum(tasker.estimated_rows(n.leaf)) filter (where t.table_name = 'tasks'), 0)::bigint,
      coalesce(sum(tasker.estimated_rows(n.leaf)) filter (where t.table_name = 'workflow_steps'), 0)::bigint,
      coalesce(sum(pg_total_relation_size(n.leaf)), 0)::bigint
    from tasker.partitioned_tables as t
    cross join lateral to_regclass(format('tasker.%I', t.table_name || '_' || r.suffix)) as n (leaf)
  ) as s (tasks, steps, bytes)
  left join tasker.kept_moves as m
    on m.starts_at = r.starts_at
  left join lateral tasker.partition_hold(r) as h
    on r.ends_at <= tasker.clock() - c.retention
  order by r.starts_at;
end;
$$;

comment on function tasker.partition_sizes is
$$Returns every range with its size, its estimated rows, its status ("ahead", "current", "kept", "expired", "held" or
"busy") and the reason if it is held.

The number of rows is an estimate from the server's statistics. Only the tasks that hold an expired range are counted
exactly.$$;

grant execute on function tasker.partition_sizes to tasker_orchestrator, tasker_operator, tasker_reader;
-- <<<

-- >>> db/schema/functions/operate/partitions/private/partman_retention.sql
create or replace function tasker.partman_retention()
  returns text[]
  language plpgsql
  stable
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_config regclass;
  v_tables text[];
begin
  select to_regclass(format('%I.part_config', n.nspname))
    into v_config
    from pg_extension as e
    join pg_namespace as n
      on n.oid = e.extnamespace
   where e.extname = 'pg_partman'
     and has_schema_privilege('tasker_owner', n.oid, 'usage'); -- otherwise to_regclass raises an error
  if v_config is null or not has_table_privilege('tasker_owner', v_config, 'select') then
    return '{}';
  end if;
  execute format(
    'select array_agg(c.parent_table order by c.parent_table) from %s as c where c.parent_table like $1 and c.retention is not null',
    v_config
  )
    into v_tables
   using 'tasker.%';
  return coalesce(v_tables, '{}');
end;
$$;

comment on function tasker.partman_retention is
$$Returns the run tables for which pg_partman has a retention of its own in part_config.$$;
-- <<<

-- >>> db/schema/functions/operate/partitions/private/partition_problems.sql
create or replace function tasker.partition_problems(p_status tasker.partition_statuses)
  returns text[]
  language plpgsql
  stable
  set search_path = pg_catalog, pg_temp
  set timezone = 'UTC'
as $$
declare
  v_config tasker.partition_config;
begin
  select c.* into strict v_config from tasker.partition_config as c;

  return array(
    select p.problem
      from (
        select 1, case
          when p_status.covered_for <= interval '0' then
            'no partition covers the current time: new tasks go into the last one; call tasker.ensure_partitions()'
          when p_status.covered_for < least(interval '7 days', v_config.partition_interval * v_config.premake) then
            format('ranges end at %s; call tasker.ensure_partitions()', p_status.last_ends_at)
        end
        union all
        select 2, case
          when not exists (
            select
              from tasker.partition_ranges as r
             where r.starts_at <= tasker.clock()
               and r.ends_at > tasker.clock()
          ) and p_status.covered_for > interval '0' then
            'a gap between ranges covers the current time; call tasker.ensure_partitions()'
        end
        union all
        select 3, case
          when exists (
            select
              from tasker.partition_ranges as r
             where r.starts_at > tasker.clock() + make_interval(secs => tasker.setting_integer('uuid_tolerance_seconds'))
               and r.ends_at > r.starts_at + v_config.partition_interval
          ) then
            format('ranges ahead are longer than 1 %s; call tasker.setup_partitioning(''%s'') again',
                   p_status.partition_unit, v_config.partition_interval)
        end
        union all
        select 4, case
          when v_config.backend = 'pg_partman' and p_status.backend <> 'pg_partman' then
            format('pg_partman is configured, but %s', p_status.backend_reason)
          when v_config.pg_partman_problem is not null and p_status.backend = 'pg_partman' then
            p_status.backend_reason
        end
        union all
        select 5, case
          when p_status.expired > p_status.held + 1 then
            format('%s ranges are past their retention; call tasker.apply_retention()', p_status.expired - p_status.held)
        end
        union all
        select 6, case
          when p_status.held > 0 then
            format('%s ranges are past their retention but held; tasker.held_partitions() says why', p_status.held)
        end
        union all
        select 7, format('retention queued %s times in vain for range _%s', r.busy_count, r.suffix)
          from tasker.partition_ranges as r
         where r.busy_count >= 5
        union all
        select 10, format('%s tasks were copied out of the range from %s since %s, and the move has not ended; call tasker.apply_retention()', m.tasks, m.starts_at, m.begun_at)
          from tasker.kept_moves as m
         where m.begun_at < tasker.clock() - interval '1 day'
        union all
        -- Every new session loads these ranges, a few dozen catalog entries for each range.
        select 8, case
          when p_status.ranges > 100 then
            format('%s ranges: sessions need many locks and much memory; choose a longer interval or a shorter retention', p_status.ranges)
        end
        union all
        -- The retention of pg_partman does not know which tasks are open.
        select 9, format(
            'pg_partman would drop ranges of %s by itself, with open tasks in them; set retention in its part_config to null, and let tasker.apply_retention() do it',
            u.parent
          )
          from unnest(tasker.partman_retention()) as u (parent)
      ) as p (position, problem)
     where p.problem is not null
     order by p.position, p.problem
  );
end;
$$;

comment on function tasker.partition_problems is
$$Returns the problems of the ranges, each with its remedy.$$;
-- <<<

-- >>> db/schema/functions/operate/partitions/partition_status.sql
create or replace function tasker.partition_status()
  returns setof tasker.partition_statuses
  language plpgsql
  stable
  rows 1
  security definer
  set search_path = pg_catalog, pg_temp
  set timezone = 'UTC'
as $$
declare
  v_config tasker.partition_config;
  v_status tasker.partition_statuses;
begin
  select c.* into strict v_config from tasker.partition_config as c;
  v_status.partition_unit := tasker.partition_unit(v_config.partition_interval);
  v_status.premake := v_config.premake;
  v_status.retention := v_config.retention;
  select b.backend, b.reason into v_status.backend, v_status.backend_reason from tasker.partition_backend() as b;

  select count(*),
         count(*) filter (where r.starts_at > tasker.clock()),
         count(*) filter (where r.ends_at <= tasker.clock() - v_config.retention and r.kept = '{}'),
         min(r.starts_at),
         max(r.ends_at),
         coalesce(max(r.ends_at), tasker.clock()) - tasker.clock()
    into v_status.ranges, v_status.ahead, v_status.expired,
         v_status.first_starts_at, v_status.last_ends_at, v_status.covered_for
    from tasker.partition_ranges as r;

  select count(*) into v_status.held from tasker.held_partitions();
  select coalesce(sum(s.bytes), 0) into v_status.bytes from tasker.partition_sizes() as s;

  v_status.problems := tasker.partition_problems(v_status);
  v_status.healthy := cardinality(v_status.problems) = 0;
  return next v_status;
end;
$$;

comment on function tasker.partition_status is
$$Returns which manager creates the partitions and why it was chosen, how far ahead ranges reach, how many ranges are
past their retention or held, and a list of problems. Partitioning is healthy if this list is empty.$$;

grant execute on function tasker.partition_status to tasker_orchestrator, tasker_operator, tasker_reader;
-- <<<

-- >>> db/schema/functions/operate/partitions/private/drop_unused_ranges.sql
create or replace function tasker.drop_unused_ranges()
  returns boolean
  language plpgsql
  set search_path = pg_catalog, pg_temp
  set timezone = 'UTC'
as $$
declare
  v_ranges tasker.partition_ranges[];
  v_range  tasker.partition_ranges;
  v_used   boolean;
begin
  select array_agg(r order by r.starts_at)
    into v_ranges
    from tasker.partition_config as c
    join tasker.partition_ranges as r
      on r.starts_at > tasker.clock() + make_interval(secs => tasker.setting_integer('uuid_tolerance_seconds'))
     and (
       r.starts_at <> tasker.partition_floor(r.starts_at, c.partition_interval)
       or r.ends_at <> r.starts_at + c.partition_interval
     );
  if v_ranges is null then
    return false;
  elsif tasker.lock_range(v_ranges) is not null then
    return false;
  end if;

  foreach v_range in array v_ranges loop
    execute format('select exists (select from tasker.%I)', 'tasks_' || v_range.suffix) into v_used;
    if not v_used then
      perform tasker.drop_partition_range(v_range.starts_at);
    end if;
  end loop;
  return true;
end;
$$;

comment on function tasker.drop_unused_ranges is
$$Drops the ranges that have not begun, contain no task and have another interval than configured. Returns true if it
has locked the run tables exclusively for that, until the transaction ends, and false if there are no such ranges, or it
could not get the locks.$$;
-- <<<

-- >>> db/schema/functions/operate/partitions/private/check_partition_config.sql
create or replace function tasker.check_partition_config(p_config tasker.partition_config)
  returns void
  language plpgsql
  immutable
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_ranges numeric;
begin
  if tasker.partition_unit(p_config.partition_interval) is null then
    raise exception using
      errcode = 'TK422',
      message = format('ranges cannot be %s long', p_config.partition_interval),
      hint    = 'An interval is 1 month, 7 days, 1 day or 1 hour.';
  elsif p_config.premake not between 1 and 100 then
    raise exception using
      errcode = 'TK422',
      message = format('premake is %s; it must be between 1 and 100', p_config.premake),
      hint    = 'It is the number of ranges created ahead; the default is 3.';
  elsif p_config.retention not between interval '1 day' and interval '100 years' then
    raise exception using
      errcode = 'TK422',
      message = format('retention is %s; it must be between 1 day and 100 years', p_config.retention),
      hint    = 'It is how long a range is kept after its end; the default is 90 days.';
  elsif p_config.backend not in ('auto', 'builtin', 'pg_partman') then
    raise exception using
      errcode = 'TK422',
      message = format('there is no backend "%s"', left(p_config.backend, 100)),
      hint    = 'A backend is auto, builtin or pg_partman.';
  end if;

  v_ranges := ceil(extract(epoch from p_config.retention) / extract(epoch from p_config.partition_interval))
    + p_config.premake + 1;
  if v_ranges > 1300 then
    raise exception using
      errcode = 'TK422',
      message = format('that would be %s ranges', v_ranges),
      detail  = format(
        'Retention %s in ranges of 1 %s, and %s ahead.',
        p_config.retention, tasker.partition_unit(p_config.partition_interval), p_config.premake
      ),
      hint    = 'Each range costs every session memory and locks: about 20 are good, 100 are many. Choose a longer interval or a shorter retention.';
  end if;
end;
$$;

comment on function tasker.check_partition_config is
$$Raises TK422 if a configuration of the run tables' partitions is invalid.$$;
-- <<<

-- >>> db/schema/functions/operate/partitions/private/configure_partitions.sql
create or replace function tasker.configure_partitions(
  p_interval  interval,
  p_premake   integer,
  p_retention interval,
  p_backend   text
)
  returns boolean
  language plpgsql
  set search_path = pg_catalog, pg_temp
  set timezone = 'UTC'
as $$
declare
  v_before  tasker.partition_config;
  v_config  tasker.partition_config;
  v_backend tasker.partition_backends;
begin
  perform tasker.check_isolation();
  select c.* into strict v_before from tasker.partition_config as c;
  v_config := v_before;
  v_config.partition_interval := coalesce(p_interval, v_config.partition_interval);
  v_config.premake := coalesce(p_premake, v_config.premake);
  v_config.retention := coalesce(p_retention, v_config.retention);
  v_config.backend := coalesce(p_backend, v_config.backend);
  perform tasker.check_partition_config(v_config);

  perform tasker.take_turn('partitions');
  update tasker.partition_config as c
     set partition_interval = v_config.partition_interval,
         premake = v_config.premake,
         retention = v_config.retention,
         backend = v_config.backend,
         pg_partman_problem = null
   where c is distinct from v_config;

  if p_backend = 'pg_partman' then
    select b.* into strict v_backend from tasker.partition_backend() as b;
    if v_backend.backend <> 'pg_partman' then
      raise exception using
        errcode = 'TK409',
        message = 'pg_partman cannot create the partitions',
        detail  = v_backend.reason,
        hint    = 'With backend "auto" the built-in manager creates them until pg_partman can.';
    end if;
  end if;

  if v_config.partition_interval is not distinct from v_before.partition_interval then
    return true;
  end if;
  return not tasker.drop_unused_ranges();
end;
$$;

comment on function tasker.configure_partitions is
$$Checks and stores how the run tables are partitioned, and drops unused ranges of another interval. Returns true if
this transaction may create ranges, and false if it has locked the run tables exclusively and should end soon.$$;
-- <<<

-- >>> db/schema/functions/operate/partitions/setup_partitioning.sql
-- The function uses "begin atomic" and does not pin search_path, like ensure_partitions, which it calls.
create or replace function tasker.setup_partitioning(
  p_interval   interval  default null,
  p_premake    integer   default null,
  p_retention  interval  default null,
  p_backend    text      default null,
  p_actor      text      default null,
  p_reason     text      default null
)
  returns setof tasker.partition_statuses
  language sql
  security definer
begin atomic
  select tasker.check_unbound();
  select tasker.administer(p_actor, p_reason);
  select case
    when tasker.configure_partitions(p_interval, p_premake, p_retention, p_backend)
      then tasker.make_partitions(current_setting('search_path'))
  end;
  select s.* from tasker.partition_status() as s;
end;

comment on function tasker.setup_partitioning is
$$Sets the length of ranges (1 month, 7 days, 1 day or 1 hour), how many ranges are created ahead, how long a range is
kept, and which manager creates partitions ("auto", "builtin" or "pg_partman"). A null argument leaves its value
unchanged. Returns the row of tasker.partition_status.

Idempotent. The call is safe in a database with data, because ranges that have begun stay. If the interval changes,
ranges that have not begun are dropped, and the new ranges begin without a gap where the last remaining range ends. Call
tasker.ensure_partitions() afterwards until it returns 0. Locks the run tables exclusively only to drop such ranges, as
tasker.apply_retention does. If it cannot drop them, partition_status says so, and another call tries again. Call this
function in its own transaction. Raises TK422 for invalid values, and TK409 if pg_partman is requested and cannot create
the partitions, or if the isolation level is above READ COMMITTED.$$;

grant execute on function tasker.setup_partitioning to tasker_operator;
-- <<<

-- >>> db/schema/functions/operate/partitions/list_retentions.sql
create or replace function tasker.list_retentions()
  returns setof tasker.retention_details
  language plpgsql
  stable
  security definer
  set search_path = pg_catalog, pg_temp
  set intervalstyle = 'postgres'
as $$
declare
  v_bound text[] := tasker.bound_namespaces();
begin
  return query
  select r.namespace, nullif(r.template, ''), r.keep_for::text, r.set_at, r.set_by
    from tasker.retentions as r
   where v_bound is null or r.namespace = any (v_bound)
   order by r.namespace, r.template;
end;
$$;

comment on function tasker.list_retentions is
$$Returns the namespaces and templates whose tasks are kept longer than the ranges, and for how long. A bound caller
sees only its own namespaces.$$;

grant execute on function tasker.list_retentions to tasker_orchestrator, tasker_operator, tasker_reader;
-- <<<

-- >>> db/schema/functions/operate/partitions/set_retention.sql
create or replace function tasker.set_retention(
  p_namespace  text,
  p_template   text,
  p_keep_for   interval,
  p_actor      text      default null,
  p_reason     text      default null
)
  returns setof tasker.retention_details
  language plpgsql
  security definer
  set search_path = pg_catalog, pg_temp
as $$
begin
  perform tasker.check_bound_namespaces(array[p_namespace]);
  perform tasker.administer(p_actor, p_reason);
  perform tasker.check_namespace_exists(p_namespace);
  if p_keep_for not between interval '1 day' and interval '100 years' then
    raise exception using
      errcode = 'TK422',
      message = format('tasks cannot be kept for %s', p_keep_for),
      hint    = 'Choose between 1 day and 100 years, or null for as long as the range.';
  elsif p_template is not null and not exists (
    select
      from tasker.named_tasks as k
      join tasker.task_namespaces as n
        on n.task_namespace_uuid = k.task_namespace_uuid
     where n.name = p_namespace
       and k.name = p_template
  ) then
    raise exception using
      errcode = 'TK404',
      message = format('no template "%s/%s" is registered', p_namespace, left(p_template, 100)),
      hint    = 'Register the template first, or set the retention of the namespace.';
  end if;

  if p_keep_for is null then
    delete from tasker.retentions as r
     where r.namespace = p_namespace
       and r.template = coalesce(p_template, '');
  else
    insert into tasker.retentions as r (namespace, template, keep_for, set_by)
    values (p_namespace, coalesce(p_template, ''), p_keep_for, tasker.actor_name(p_actor))
    on conflict (namespace, template) do update
       set keep_for = excluded.keep_for, set_at = excluded.set_at, set_by = excluded.set_by
     where r.keep_for is distinct from excluded.keep_for;
  end if;
  return query
  select l.*
    from tasker.list_retentions() as l
   where l.namespace = p_namespace
     and l.template is not distinct from p_template;
end;
$$;

comment on function tasker.set_retention is
$$Keeps the tasks of a template, in all its versions, longer than their ranges are kept: until p_keep_for after the end
of their range. Without p_template, this applies to all templates of the namespace that have no retention of their own.
A null p_keep_for deletes the retention. Returns the retention, or no row if it was deleted.

A retention that is shorter than the retention of the ranges has no effect. A retention applies to tasks that exist when
their range is past the retention of the ranges. Then tasker.apply_retention moves these tasks before it drops the
range. Idempotent. The default of p_actor is the caller's role. Locks the row of the retention. Raises TK404 if there is
no such namespace or template, TK422 for an interval that is out of range, and TK403 if the caller is bound to other
namespaces.$$;

grant execute on function tasker.set_retention to tasker_operator;
-- <<<

-- >>> db/schema/functions/operate/partitions/analyze_growth.sql
create or replace function tasker.analyze_growth()
  returns setof tasker.growth_analyses
  language plpgsql
  stable
  rows 1
  security definer
  set search_path = pg_catalog, pg_temp
  set timezone = 'UTC'
  set plan_cache_mode = force_generic_plan
  set enable_hashjoin = off
  set enable_mergejoin = off
  set enable_seqscan = off
  set jit = off
  set max_parallel_workers_per_gather = 0
as $$
declare
  v_config  tasker.partition_config;
  v_growth  tasker.growth_analyses;
  v_since   timestamptz;
  v_first   timestamptz;
  v_recent  numeric;
  v_bytes   numeric;
begin
  select c.* into strict v_config from tasker.partition_config as c;
  v_growth.partition_unit := tasker.partition_unit(v_config.partition_interval);

  -- The period begins with the first task, but at most thirty days ago. The key leads to the first task.
  select tasker.uuid_v7_time(t.task_uuid) into v_first from tasker.tasks as t order by t.task_uuid limit 1;
  v_since := greatest(v_first, tasker.clock() - interval '30 days');
  v_growth.days_observed := round(
    greatest(extract(epoch from tasker.clock() - v_since) / 86400, 1.0 / 24), 3
  );

  -- This assumes that the tasks of a range are spread evenly over the part of the range that has passed.
  select
    coalesce(sum(s.tasks), 0),
    coalesce(sum(s.steps), 0),
    coalesce(sum(s.bytes), 0),
    coalesce(sum(s.tasks * p.share), 0),
    coalesce(sum(s.bytes * p.share), 0)
  into v_growth.tasks, v_growth.steps, v_growth.bytes, v_recent, v_bytes
  from tasker.partition_sizes() as s
  cross join lateral (
    select case
      when least(s.ends_at, tasker.clock()) > greatest(s.starts_at, v_since) then
        extract(epoch from least(s.ends_at, tasker.clock()) - greatest(s.starts_at, v_since))
        / greatest(extract(epoch from least(s.ends_at, tasker.clock()) - greatest(s.starts_at, v_first)), 1)
      else 0
    end
  ) as p (share);

  v_growth.tasks_per_day := round(v_recent / coalesce(v_growth.days_observed, 1), 1);
  v_growth.bytes_per_day := round(v_bytes / coalesce(v_growth.days_observed, 1), 0);
  v_growth.days_observed := coalesce(v_growth.days_observed, 0);
  v_growth.recommended_unit := case
    when v_growth.tasks_per_day > 1000000 then 'day'
    when v_growth.tasks_per_day >= 100000 then 'week'
    else 'month'
  end;
  v_growth.ranges_then := ceil(
    extract(epoch from v_config.retention) / extract(epoch from ('1 ' || v_growth.recommended_unit)::interval)
  ) + 1 + v_config.premake;
  v_growth.bytes_then := round(v_growth.bytes_per_day * extract(epoch from v_config.retention) / 86400, 0);

  v_growth.advice := case
    when v_first is null then
      'there are no tasks yet'
    when v_growth.days_observed < 1 then
      format('too early to tell: the first task is %s hours old', round(v_growth.days_observed * 24, 1))
    when v_growth.recommended_unit = v_growth.partition_unit then
      format('%s tasks a day suit ranges of one %s', v_growth.tasks_per_day, v_growth.partition_unit)
    else
      format(
        '%s tasks a day call for ranges of one %s: tasker.setup_partitioning(''1 %s'')',
        v_growth.tasks_per_day, v_growth.recommended_unit, v_growth.recommended_unit
      )
  end;
  return next v_growth;
end;
$$;

comment on function tasker.analyze_growth is
$$Returns by how many tasks and bytes a day the run tables grew over the last thirty days, which interval of ranges
suits this growth, and how much retention will then keep. The interval is a day for more than a million tasks a day, a
week for 100,000 tasks a day or more, and otherwise a month.

Estimates from the server's statistics and reads only one row.$$;

grant execute on function tasker.analyze_growth to tasker_orchestrator, tasker_operator, tasker_reader;
-- <<<

-- >>> db/schema/functions/operate/partitions/gc_identities.sql
create or replace function tasker.gc_identities(p_limit integer default 5000)
  returns integer
  language plpgsql
  security definer
  set search_path = pg_catalog, pg_temp
  set plan_cache_mode = force_generic_plan
  set enable_hashjoin = off
  set enable_mergejoin = off
  set enable_seqscan = off
  set jit = off
  set max_parallel_workers_per_gather = 0
as $$
declare
  v_limit   integer := coalesce(p_limit, 5000);
  v_hashes  bytea[];
  v_deleted integer;
  v_range   tasker.partition_ranges;
  v_seen    bytea[];
  v_tasks   uuid[];
  v_left    integer;
begin
  perform tasker.check_limit(v_limit, 100000);
  -- Find the identities between the existing ranges and before the first range. Retention dropped the tasks of these
  -- identities with their range. Skip locked identities, which another transaction is taking over.
  v_hashes := array(
    select l.identity_hash
      from (
        select
          coalesce(lag(r.to_uuid) over (order by r.from_uuid), '00000000-0000-0000-0000-000000000000') as from_uuid,
          r.from_uuid as to_uuid
        from tasker.partition_ranges as r
      ) as gap
     cross join lateral (
       select i.identity_hash
         from tasker.task_identities as i
        where i.task_uuid >= gap.from_uuid
          and i.task_uuid < gap.to_uuid
        order by i.task_uuid
        limit v_limit
          for update skip locked
     ) as l
     where gap.from_uuid < gap.to_uuid
     limit v_limit
  );

  -- In an evacuated range, read each identity only once, because such a range may have very many tasks.
  v_left := v_limit - cardinality(v_hashes);
  select r.* into v_range
    from tasker.partition_ranges as r
   where r.evacuations > 0
     and r.collected is distinct from r.to_uuid
   order by r.starts_at
   limit 1;
  if found and v_left > 0 then
    select array_agg(l.identity_hash), array_agg(l.task_uuid)
      into v_seen, v_tasks
      from (
        select i.identity_hash, i.task_uuid
          from tasker.task_identities as i
         where i.task_uuid > coalesce(v_range.collected, v_range.from_uuid)
           and i.task_uuid < v_range.to_uuid
         order by i.task_uuid
         limit v_left
           for update skip locked
      ) as l;
    v_hashes := v_hashes || array(
      select l.identity_hash
        from unnest(v_seen, v_tasks) as l (identity_hash, task_uuid)
       where not exists (select from tasker.tasks as t where t.task_uuid = l.task_uuid)
    );
    update tasker.partition_ranges as r
       set collected = case when cardinality(v_tasks) = v_left then v_tasks[v_left] else r.to_uuid end
     where r.starts_at = v_range.starts_at;
  end if;

  delete from tasker.task_identities as i
   where i.identity_hash = any (v_hashes);
  get diagnostics v_deleted = row_count;
  return v_deleted;
end;
$$;

comment on function tasker.gc_identities is
$$Deletes at most p_limit identities (default 5,000) whose tasks retention has dropped, and returns how many it deleted.
An identity that has expired stays until its task is dropped, so that an audit finds the identity of each task. Call
this function until it returns 0.

Idempotent. Deletes only rows that are no longer needed, because an expired identity is free for a new task at once.
Locks identities without waiting, and skips identities that another transaction is creating or taking over. Raises TK422
for a limit below 1 or above 100000.$$;

grant execute on function tasker.gc_identities to tasker_orchestrator, tasker_operator;
-- <<<

-- >>> db/schema/functions/operate/partitions/gc_queue_archives.sql
create or replace function tasker.gc_queue_archives(p_limit integer default 5000)
  returns integer
  language plpgsql
  security definer
  set search_path = pg_catalog, pg_temp
  set timezone = 'UTC'
as $$
declare
  v_limit   integer := coalesce(p_limit, 5000);
  v_before  timestamptz;
  v_archive regclass;
  v_now     integer;
  v_deleted integer := 0;
begin
  perform tasker.check_unbound();
  perform tasker.check_limit(v_limit, 100000);
  perform tasker.check_pgmq_access('usage');
  select tasker.clock() - c.retention into strict v_before from tasker.partition_config as c;

  -- Purge only archives of the queues of namespaces and of the engine. The owners of other archives purge them.
  -- Find the archives by name and not by pgmq's list, which tasker_owner may not be allowed to read. Partitioned
  -- archives are left to the role that partitioned them.
  for v_archive in
    select k.oid::regclass
      from pg_class as k
      join pg_class as q
        on q.relnamespace = k.relnamespace
       and q.relname = 'q' || substr(k.relname, 2)
     where k.relnamespace = to_regnamespace('pgmq')
       and k.relkind = 'r'
       and not k.relispartition
       and k.relname ~ '^a_(worker_.+_queue(_high|_low)?|orchestration.*)$'
       and has_table_privilege(k.oid, 'select')
       and has_table_privilege(k.oid, 'delete')
       and tasker.pgmq_table_is_trusted(k.oid)
     order by k.relname
  loop
    execute format(
      $sql$
        delete from %1$s as a
         using (
           select o.msg_id
             from %1$s as o
            where o.archived_at < $1
            order by o.archived_at
            limit $2
              for update skip locked
         ) as d
         where a.msg_id = d.msg_id
      $sql$,
      v_archive
    ) using v_before, v_limit - v_deleted;
    get diagnostics v_now = row_count;
    v_deleted := v_deleted + v_now;
    exit when v_deleted >= v_limit;
  end loop;
  return v_deleted;
end;
$$;

comment on function tasker.gc_queue_archives is
$$Deletes at most p_limit archived messages (default 5,000) that are older than the retention, from the queues of
namespaces and of the engine. Returns how many it deleted. Call this function until it returns 0.

Idempotent. Locks the messages that it deletes. Skips other queues of pgmq, partitioned archives, archives that
tasker_owner may not read or delete from, and archives of a role whose triggers must not run with the rights of
tasker_owner. Raises TK422 for a limit below 1 or above 100000, and TK403 if tasker_owner may not use schema pgmq.$$;

grant execute on function tasker.gc_queue_archives to tasker_orchestrator, tasker_operator;
-- <<<

-- >>> db/schema/functions/operate/partitions/analyze_parents.sql
create or replace function tasker.analyze_parents(p_older_than interval default interval '1 day')
  returns text
  language plpgsql
  security definer
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_table text;
begin
  perform tasker.check_period('age', p_older_than);
  if not tasker.take_partition_turn() then
    return null;
  end if;

  select t.table_name
    into v_table
    from tasker.partitioned_tables as t
   cross join lateral pg_stat_get_last_analyze_time(format('tasker.%I', t.table_name)::regclass) as s (analyzed_at)
   where s.analyzed_at is null
      or s.analyzed_at < clock_timestamp() - coalesce(p_older_than, interval '1 day')
   order by s.analyzed_at nulls first, t.position
   limit 1;
  if found then
    execute format(
      case when current_setting('server_version_num')::integer >= 180000 then 'analyze only tasker.%I' else 'analyze tasker.%I' end,
      v_table
    );
  end if;
  return v_table;
end;
$$;

comment on function tasker.analyze_parents is
$$Analyzes the run table with the oldest statistics if they are older than p_older_than (default: a day), and returns
the name of the table. Returns null if no table is due. Autovacuum analyzes partitions, but never their parents. Call
this function until it returns null.

Locks the row "partitions" of tasker.turns, so that other sessions cannot create or drop partitions while this function
runs. On large tables it runs for some seconds. Does not block readers or writers. Call this function in its own
transaction.$$;

grant execute on function tasker.analyze_parents to tasker_orchestrator, tasker_operator;
-- <<<

-- >>> db/schema/functions/operate/maintain/note_cron_job.sql
create or replace function tasker.note_cron_job(
  p_job_name  text,
  p_was       text,
  p_becomes   text,
  p_actor     text  default null,
  p_reason    text  default null
)
  returns boolean
  language plpgsql
  security definer
  set search_path = pg_catalog, pg_temp
as $$
begin
  perform tasker.check_unbound();
  perform tasker.administer(p_actor, p_reason);
  if (p_job_name in ('pgtasker-maintenance', 'pgtasker-orchestrate', 'pgtasker-sql', 'pgtasker-sql-alone') and num_nonnulls(p_was, p_becomes) > 0) is not true then
    raise exception using
      errcode = 'TK422',
      message = format('%s is not a change of a job of pgtasker', coalesce('"' || left(p_job_name, 100) || '"', 'null')),
      hint    = 'Call tasker.setup_cron(), which notes what it changes.';
  end if;
  perform tasker.check_text_size('job', p_was, 4000);
  perform tasker.check_text_size('job', p_becomes, 4000);
  perform tasker.note_administration(
    'cron_jobs', p_job_name, null, case when p_was is null then 'insert' when p_becomes is null then 'delete' else 'update' end,
    to_jsonb(p_was), to_jsonb(p_becomes)
  );
  return true;
end;
$$;

comment on function tasker.note_cron_job is
$$Writes into tasker.administration_log that a job of pg_cron has changed, and returns true. Only tasker.setup_cron
calls this function. Jobs belong to the caller, so setup_cron runs with the rights of the caller. With these rights
alone it could not write the log.

Locks no row. Raises TK422 for a job that setup_cron does not create, TK413 for a long text, and TK403 if the caller is
bound to namespaces.$$;

grant execute on function tasker.note_cron_job to tasker_operator;
-- <<<

-- >>> db/schema/functions/operate/maintain/setup_cron.sql
create or replace function tasker.setup_cron(
  p_enabled  boolean  default true,
  p_actor    text     default null,
  p_reason   text     default null
)
  returns setof tasker.cron_jobs
  language plpgsql
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_job tasker.cron_jobs;
  v_was text;
begin
  if to_regprocedure('cron.schedule(text,text,text)') is null then
    raise exception using
      errcode = 'TK404',
      message = 'pg_cron is not installed in this database',
      hint    = 'It needs shared_preload_libraries, cron.database_name and "create extension pg_cron". Any other scheduler can call the same functions: see docs/operations.md.';
  elsif not has_schema_privilege('cron', 'usage') then
    raise exception using
      errcode = 'TK403',
      message = format('%s may not use schema cron', current_user),
      hint    = format('grant usage on schema cron to %I;', current_user);
  end if;

  for v_job.job_name, v_job.schedule, v_job.command in
    select 'pgtasker-' || j.name, j.schedule, j.command
      from (values
        (
          'maintenance', '* * * * *',
          'do $do$ begin loop perform from tasker.run_maintenance(); exit when not found; commit; end loop; end $do$'
        ),
        ('orchestrate', '* * * * *', 'select tasker.orchestrate(p_processor_uuid => md5(''pg_cron'')::uuid)'),
        (
          -- Run ready SQL steps for almost a minute, if a role is bound for them.
          'sql', '* * * * *',
          'do $do$ declare v_end timestamptz := clock_timestamp() + interval ''55 s''; v_more boolean; begin loop '
            || 'select r.more into v_more from tasker.run_sql_steps() as r; commit; '
            || 'exit when clock_timestamp() > v_end or not exists (select from tasker.list_sql_functions() as f where f.role is not null); '
            || 'if not v_more then perform pg_sleep(0.5); end if; end loop; end $do$'
        ),
        -- SQL steps that must be alone in their call, because the time-out of a statement can only be set before the
        -- statement begins.
        ('sql-alone', '* * * * *', 'select tasker.begin_sql_step(); select tasker.run_sql_steps(1)')
      ) as j (name, schedule, command)
  loop
    -- If another login has a job with the same name, it is a different job.
    execute $q$ select j.jobid, j.schedule || ' ' || j.command from cron.job as j where j.jobname = $1 and j.username = current_user $q$
       into v_job.job_id, v_was
      using v_job.job_name;
    if coalesce(p_enabled, true) then
      execute 'select cron.schedule($1, $2, $3)'
         into v_job.job_id
        using v_job.job_name, v_job.schedule, v_job.command;
      if v_was is distinct from v_job.schedule || ' ' || v_job.command then
        perform tasker.note_cron_job(v_job.job_name, v_was, v_job.schedule || ' ' || v_job.command, p_actor, p_reason);
      end if;
      return next v_job;
    elsif v_job.job_id is not null then
      -- pg_cron raises an error for a job that does not exist.
      execute 'select cron.unschedule($1)' using v_job.job_id;
      perform tasker.note_cron_job(v_job.job_name, v_was, null, p_actor, p_reason);
      return next v_job;
    end if;
  end loop;
end;
$$;

comment on function tasker.setup_cron is
$$Creates jobs of pg_cron that run every minute, and returns them. One job calls tasker.run_maintenance until no duty is
due, each time in its own transaction. Another job calls tasker.orchestrate, and appears in the logs as the processor
md5('pg_cron')::uuid. If a role is bound for SQL steps, other jobs run SQL steps. These jobs run ready SQL steps within
half a second, and each minute one SQL step that must be alone in its call because of its time-out. If p_enabled is
false, removes the jobs and returns the removed jobs. The log of administration says which jobs changed.

Idempotent. Locks no row of schema tasker. The jobs belong to the caller and run with the caller's rights, so the caller
must be a role that can log in and is a member of tasker_operator. Raises TK404 if pg_cron is not in this database, and
TK403 if the caller may not use schema cron or is bound to namespaces.$$;

grant execute on function tasker.setup_cron to tasker_operator;
-- <<<

insert into tasker.schema_builds (version, files) values ('20261121001300', 'data/partition_settings 6811f6270a5db4aa
functions/operate/maintain/note_cron_job b27b634d77e0d707
functions/operate/maintain/setup_cron 38f8e3c6d4f0c134
functions/operate/partitions/analyze_growth db4d025ddf0460a3
functions/operate/partitions/analyze_parents 8f5ab2755359e499
functions/operate/partitions/apply_retention 51ca8abb2d6fdd4c
functions/operate/partitions/evacuate_partition 9c0afe1463f1b646
functions/operate/partitions/gc_identities 147149f0c1799e70
functions/operate/partitions/gc_queue_archives 933dc2a4257f77d8
functions/operate/partitions/held_partitions d0ae9d5f777f66d0
functions/operate/partitions/list_retentions 18294d2110430c4a
functions/operate/partitions/partition_sizes 44f006fabbaafa3b
functions/operate/partitions/partition_status 093cba40806e743a
functions/operate/partitions/private/adopt_pg_partman 3e4f3677ac5aa4c2
functions/operate/partitions/private/begin_move 7da216b1602dee48
functions/operate/partitions/private/changed_kept 43ee815a53c880f9
functions/operate/partitions/private/check_partition_config 08d2eba69f0b7983
functions/operate/partitions/private/configure_partitions 037aedddbcfd3cd6
functions/operate/partitions/private/copy_kept 5c8e83abbc842d7f
functions/operate/partitions/private/copy_stragglers 3e2a3669c58840f5
functions/operate/partitions/private/drop_unused_ranges c4d8777f929e9523
functions/operate/partitions/private/estimated_rows d4e4bf51c22bdf73
functions/operate/partitions/private/evacuated_range 860334e61b5517b9
functions/operate/partitions/private/expired_range 6669f6c1cb34b33a
functions/operate/partitions/private/finish_move 273f8ca9bd427511
functions/operate/partitions/private/kept_templates 761e8cae4d53ec82
functions/operate/partitions/private/lock_range c7700ee584873399
functions/operate/partitions/private/lock_relations d5dc29642fdae81c
functions/operate/partitions/private/lock_stragglers f8ec8e7607e447b9
functions/operate/partitions/private/missing_holds 0c0308d41adc07c7
functions/operate/partitions/private/move_kept cf69e1d2028c94dc
functions/operate/partitions/private/next_kept 130ac53c99380315
functions/operate/partitions/private/note_kept_change ea047817713e1521
functions/operate/partitions/private/old_lock_holder 4a82698f1d074b60
functions/operate/partitions/private/partition_hold cb3c9c419e90fc91
functions/operate/partitions/private/partition_lock_budget d63f9baa8f2c072b
functions/operate/partitions/private/partition_problems 1e2c99e640bb7b17
functions/operate/partitions/private/partition_relations fe8430d95d0914a9
functions/operate/partitions/private/partman_retention 8e60adcaf29db907
functions/operate/partitions/private/range_holds 7e513d9b1e1dae37
functions/operate/partitions/private/ranges_to_evacuate 0d75cab38f0fa472
functions/operate/partitions/set_retention 8217132682b23cba
functions/operate/partitions/setup_partitioning 344c68e1b69cab24
rows/operate/maintain/cron_jobs e4334fc1667c1095
rows/operate/partitions/growth_analyses 86ca36ce7482e487
rows/operate/partitions/held_partitions 9ef2aa7a75d3a1af
rows/operate/partitions/partition_sizes c435320504493ff9
rows/operate/partitions/partition_statuses d69cccb43b0a915a
rows/operate/partitions/range_holds 810fd157d98629d3
rows/operate/partitions/retention_details d597c8836bfc9a3a
rows/operate/partitions/retention_outcomes 0a9e1b91e3c5bcfc
');

select tasker.note_objects();

reset role;

-- migrate:down
set local citus.enable_ddl_propagation = off; -- Citus would repeat this on its worker nodes
set local role tasker_owner;

delete from tasker.schema_builds where version = '20261121001300';

drop function tasker.setup_cron;
drop function tasker.note_cron_job;
drop function tasker.analyze_parents;
drop function tasker.gc_queue_archives;
drop function tasker.gc_identities;
drop function tasker.analyze_growth;
drop function tasker.set_retention;
drop function tasker.list_retentions;
drop function tasker.setup_partitioning;
drop function tasker.configure_partitions;
drop function tasker.check_partition_config;
drop function tasker.drop_unused_ranges;
drop function tasker.partition_status;
drop function tasker.partition_problems;
drop function tasker.partman_retention;
drop function tasker.partition_sizes;
drop function tasker.evacuate_partition;
drop function tasker.ranges_to_evacuate;
drop function tasker.lock_stragglers;
drop function tasker.apply_retention;
drop function tasker.move_kept;
drop function tasker.finish_move;
drop function tasker.changed_kept;
drop function tasker.missing_holds;
drop function tasker.next_kept;
drop function tasker.copy_kept;
drop function tasker.copy_stragglers;
drop function tasker.begin_move;
drop function tasker.evacuated_range;
drop function tasker.note_kept_change;
drop function tasker.held_partitions;
drop function tasker.estimated_rows;
drop function tasker.expired_range;
drop function tasker.partition_hold;
drop function tasker.range_holds;
drop function tasker.kept_templates;
drop function tasker.lock_range;
drop function tasker.lock_relations;
drop function tasker.old_lock_holder;
drop function tasker.partition_relations;
drop function tasker.partition_lock_budget;
drop function tasker.adopt_pg_partman;
drop view tasker.cron_jobs;
drop view tasker.growth_analyses;
drop view tasker.partition_statuses;
drop view tasker.partition_sizes;
drop view tasker.held_partitions;
drop view tasker.range_holds;
drop view tasker.retention_details;
drop view tasker.retention_outcomes;
delete from tasker.settings where name = 'partition_lock_timeout_ms';

select tasker.note_objects();

reset role;
