-- partitions: ranges of the run tables, made ahead
-- Composed from db/schema: edit there, then compose again. Frozen by the first release tag.

-- migrate:up
set local citus.enable_ddl_propagation = off; -- Citus would repeat this on its worker nodes
set local role tasker_owner;

-- >>> db/schema/functions/operate/partitions/private/partition_unit.sql
create or replace function tasker.partition_unit(p_interval interval)
  returns text
  language sql
  immutable
  parallel safe
begin atomic
  -- Compare the fields of the interval, because for PostgreSQL thirty days are equal to a month, and 24 hours to a day.
  select case array[
      extract(year from p_interval) * 12 + extract(month from p_interval),
      extract(day from p_interval),
      extract(hour from p_interval) * 3600 + extract(minute from p_interval) * 60 + extract(second from p_interval)
    ]
    when '{1,0,0}' then 'month'
    when '{0,7,0}' then 'week'
    when '{0,1,0}' then 'day'
    when '{0,0,3600}' then 'hour'
  end;
end;

comment on function tasker.partition_unit is
$$Returns the unit of an interval that is exactly one month, week, day or hour. These four intervals are the possible
lengths of ranges. Returns null for any other interval.$$;
-- <<<

-- >>> db/schema/tables/operate/partitions/partition_config.sql
create table tasker.partition_config (
  only_row            boolean   not null  default true,
  partition_interval  interval  not null  default '1 month',
  premake             integer   not null  default 3,
  retention           interval  not null  default '90 days',
  backend             text      not null  default 'auto',
  pg_partman_problem  text,

  constraint partition_config_pkey
    primary key (only_row),
  constraint partition_config_only_row_check
    check (only_row),
  constraint partition_config_partition_interval_check
    check (tasker.partition_unit(partition_interval) is not null),
  constraint partition_config_premake_check
    check (premake between 1 and 100),
  constraint partition_config_retention_check
    check (retention >= interval '1 day'),
  constraint partition_config_backend_check
    check (backend in ('auto', 'builtin', 'pg_partman'))
);

comment on table tasker.partition_config is
  'The configuration of the partitions of the run tables. tasker.setup_partitioning sets the one row.';
comment on column tasker.partition_config.premake is
  'The number of ranges that should exist after the current range.';
comment on column tasker.partition_config.backend is
  'The manager that creates partitions. "auto" means pg_partman if pg_partman can create the ranges, and otherwise the engine itself.';
comment on column tasker.partition_config.pg_partman_problem is
  'The reason why the last attempt of pg_partman failed. Null if it did not fail.';
-- <<<

-- >>> db/schema/data/partition_config.sql
-- down: delete from tasker.partition_config;
insert into tasker.partition_config default values;
-- <<<

-- >>> db/schema/tables/operate/partitions/partitioned_tables.sql
create table tasker.partitioned_tables (
  table_name      text      not null,
  position        smallint  not null,
  storage         text      not null,

  constraint partitioned_tables_pkey
    primary key (table_name),
  constraint partitioned_tables_position_key
    unique (position)
);

comment on table tasker.partitioned_tables is
  'The tables that are partitioned by the same ranges, in the order in which the engine locks them, with the storage parameters of their partitions.';
-- <<<

-- >>> db/schema/data/partitioned_tables.sql
-- down: delete from tasker.partitioned_tables;
-- Tasks and steps are updated in place. Their pages have free space, so that updates stay HOT. Logs are never
-- updated and need no such space.
insert into tasker.partitioned_tables (table_name, position, storage)
values
  ('tasks', 1,
   'fillfactor = 70, autovacuum_vacuum_scale_factor = 0.05, autovacuum_analyze_scale_factor = 0.05'),
  ('workflow_steps', 2,
   'fillfactor = 50, autovacuum_vacuum_scale_factor = 0.05, autovacuum_analyze_scale_factor = 0.05'),
  ('added_step_edges', 3,
   'fillfactor = 100, autovacuum_vacuum_insert_scale_factor = 0.2'),
  ('task_log', 4,
   'fillfactor = 100, autovacuum_vacuum_insert_scale_factor = 0.2'),
  ('step_log', 5,
   'fillfactor = 100, autovacuum_vacuum_insert_scale_factor = 0.2'),
  ('task_signals', 6,
   'fillfactor = 90, autovacuum_vacuum_scale_factor = 0.05, autovacuum_analyze_scale_factor = 0.05'),
  ('kept_results', 7,
   'fillfactor = 100, autovacuum_vacuum_scale_factor = 0.05, autovacuum_analyze_scale_factor = 0.05'),
  ('step_streams', 8,
   'fillfactor = 70, autovacuum_vacuum_scale_factor = 0.05, autovacuum_analyze_scale_factor = 0.05'),
  ('stream_items', 9,
   'fillfactor = 100, autovacuum_vacuum_insert_scale_factor = 0.2'),
  ('task_attributes', 10,
   'fillfactor = 90, autovacuum_vacuum_scale_factor = 0.05, autovacuum_analyze_scale_factor = 0.05');
-- <<<

-- >>> db/schema/tables/operate/partitions/partition_ranges.sql
create table tasker.partition_ranges (
  starts_at    timestamptz  not null,
  ends_at      timestamptz  not null,
  from_uuid    uuid         not null  generated always as (tasker.uuid_v7_floor(starts_at)) stored,
  to_uuid      uuid         not null  generated always as (tasker.uuid_v7_floor(ends_at)) stored,
  suffix       text         not null,
  created_at   timestamptz  not null  default tasker.clock(),
  evacuations  integer      not null  default 0,
  busy_count   integer      not null  default 0,
  retry_at     timestamptz,
  kept         uuid[]       not null  default '{}',
  collected    uuid,

  constraint partition_ranges_pkey
    primary key (starts_at),
  constraint partition_ranges_suffix_key
    unique (suffix),
  constraint partition_ranges_suffix_check
    check (suffix ~ '^p[0-9]{8}(_[0-9]{6})?(_e[0-9]+)?$'),
  constraint partition_ranges_order_check
    check (starts_at < ends_at),
  constraint partition_ranges_counts_check
    check (evacuations >= 0 and busy_count >= 0),
  constraint partition_ranges_no_overlap_excl
    exclude using gist (tstzrange(starts_at, ends_at) with &&)
);

comment on table tasker.partition_ranges is
  'The existing ranges. Each range has one partition of every partitioned table. A transaction that creates or drops these partitions also inserts or deletes the row.';
comment on column tasker.partition_ranges.evacuations is
  'The number of times that the range was rebuilt with only the tasks that prevented its drop. 0 for a complete range.';
comment on column tasker.partition_ranges.busy_count is
  'The number of times that retention waited for the locks of the range and did not get them.';
comment on column tasker.partition_ranges.retry_at is
  'The time before which retention does not wait for the locks of the range again.';
comment on column tasker.partition_ranges.kept is
  'The templates whose tasks were moved into this range because they are kept longer (tasker.retentions). Empty for a complete range.';
comment on column tasker.partition_ranges.collected is
  'The task up to which the identities of tasks that an evacuation dropped were deleted. Null if this deletion has not begun.';
-- <<<

-- >>> db/schema/tables/operate/partitions/kept_moves.sql
create table tasker.kept_moves (
  starts_at  timestamptz  not null,
  suffix     text         not null,
  templates  uuid[]       not null,
  template   uuid,
  task_uuid  uuid,
  tasks      bigint       not null  default 0,
  begun_at   timestamptz  not null  default tasker.clock(),

  constraint kept_moves_pkey
    primary key (starts_at)
);

comment on table tasker.kept_moves is
  'The ranges past their retention whose kept tasks are being copied to new partitions. A row is deleted when its range is replaced or dropped.';
comment on column tasker.kept_moves.suffix is
  'The suffix of the names of the new partitions. The new partitions are attached when the old ones are dropped.';
comment on column tasker.kept_moves.templates is
  'The templates whose tasks are kept. If tasks of a further template must be kept, the move begins again.';
comment on column tasker.kept_moves.template is
  'The template of the last task that was copied. The column task_uuid has that task. Null before the first batch.';
comment on column tasker.kept_moves.tasks is
  'The number of tasks that were copied.';
-- <<<

-- >>> db/schema/tables/operate/partitions/kept_changes.sql
create table tasker.kept_changes (
  task_uuid  uuid    not null,
  xact       bigint  not null  default pg_current_xact_id()::text::bigint,

  constraint kept_changes_pkey
    primary key (task_uuid, xact)
);

comment on table tasker.kept_changes is
  'Tasks that changed while their range was being moved (tasker.kept_moves), each with the transaction that changed it. The move copies these tasks again.';
-- <<<

-- >>> db/schema/functions/operate/partitions/private/partition_floor.sql
create or replace function tasker.partition_floor(p_at timestamptz, p_interval interval)
  returns timestamptz
  language plpgsql
  immutable
  set search_path = pg_catalog, pg_temp
  set timezone = 'UTC'
as $$
begin
  return date_trunc(tasker.partition_unit(p_interval), p_at);
end;
$$;

comment on function tasker.partition_floor is
$$Returns the beginning of the range that contains p_at: the hour, the day, the Monday or the first of the month. The
beginning is computed in UTC, whatever the session's time zone.$$;
-- <<<

-- >>> db/schema/functions/operate/partitions/private/copy_statement_triggers.sql
create or replace function tasker.copy_statement_triggers(p_from_table text, p_to_table text)
  returns void
  language plpgsql
  set search_path = pg_catalog, pg_temp
  set quote_all_identifiers = off
as $$
declare
  v_trigger record;
begin
  for v_trigger in
    select t.tgname, t.tgenabled, pg_get_triggerdef(t.oid) as definition
      from pg_trigger as t
     where t.tgrelid = format('tasker.%I', p_from_table)::regclass
       and not t.tgisinternal
       and t.tgtype & 1 = 0  -- for each statement
     order by t.tgname
  loop
    execute replace(
      v_trigger.definition, format(' ON tasker.%I ', p_from_table), format(' ON tasker.%I ', p_to_table)
    );
    if v_trigger.tgenabled = 'A' then
      execute format('alter table tasker.%I enable always trigger %I', p_to_table, v_trigger.tgname);
    end if;
  end loop;
end;
$$;

comment on function tasker.copy_statement_triggers is
$$Gives a partition the statement-level triggers of its parent, which it does not inherit.$$;
-- <<<

-- >>> db/schema/rows/operate/partitions/partition_backends.sql
create or replace view tasker.partition_backends as
select
  ''::text as backend,
  ''::text as reason,
  null::text as schema_name,
  null::text as version
where false;

comment on view tasker.partition_backends is
  'Row type: which manager creates partitions, and why.';
-- <<<

-- >>> db/schema/functions/operate/partitions/private/partition_backend.sql
create or replace function tasker.partition_backend()
  returns setof tasker.partition_backends
  language plpgsql
  stable
  rows 1
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_config  tasker.partition_config;
  v_answer  tasker.partition_backends;
  v_numbers text;
begin
  select c.* into strict v_config from tasker.partition_config as c;

  select n.nspname, e.extversion
    into v_answer.schema_name, v_answer.version
    from pg_extension as e
    join pg_namespace as n
      on n.oid = e.extnamespace
   where e.extname = 'pg_partman';

  v_numbers := substring(v_answer.version from '^[0-9]+[.][0-9]+');
  v_answer.backend := 'builtin';
  v_answer.reason := case
    when v_config.backend = 'builtin' then
      'the built-in manager is configured'
    when v_answer.version is null then
      'pg_partman is not installed in this database'
    when v_numbers is null or string_to_array(v_numbers, '.')::integer[] < array[5, 2] then
      format('pg_partman %s cannot partition by a uuid; 5.2 and newer can', v_answer.version)
    when not coalesce(
      has_schema_privilege('tasker_owner', v_answer.schema_name, 'usage')
      and has_table_privilege('tasker_owner', to_regclass(format('%I.part_config', v_answer.schema_name)), 'select')
      and has_table_privilege('tasker_owner', to_regclass(format('%I.part_config', v_answer.schema_name)), 'insert')
      and has_table_privilege('tasker_owner', to_regclass(format('%I.part_config', v_answer.schema_name)), 'update')
      and has_table_privilege('tasker_owner', to_regclass(format('%I.part_config_sub', v_answer.schema_name)), 'select'),
      false
    ) then
      format('tasker_owner may not use pg_partman %s; its owner must call tasker.adopt_pg_partman()', v_answer.version)
  end;

  if v_answer.reason is null then
    v_answer.backend := 'pg_partman';
    v_answer.reason := case
      when v_config.pg_partman_problem is null then
        format('pg_partman %s is installed in schema %s', v_answer.version, v_answer.schema_name)
      else
        format(
          'pg_partman %s failed last time, and the built-in manager took over: %s',
          v_answer.version, v_config.pg_partman_problem
        )
    end;
  end if;
  return next v_answer;
end;
$$;

comment on function tasker.partition_backend is
$$Returns which manager creates the next partitions, pg_partman or the built-in manager, and why.

The function checks this at each call, so no other call is needed after installing, dropping or upgrading the extension.$$;
-- <<<

-- >>> db/schema/functions/operate/partitions/private/create_leaves.sql
create or replace function tasker.create_leaves(p_suffix text)
  returns void
  language plpgsql
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_table tasker.partitioned_tables;
begin
  for v_table in select t.* from tasker.partitioned_tables as t order by t.position loop
    execute format(
      'create table tasker.%1$I (like tasker.%2$I including all) with (%3$s)',
      v_table.table_name || '_' || p_suffix, v_table.table_name, v_table.storage
    );
  end loop;
end;
$$;

comment on function tasker.create_leaves is
$$Creates for each partitioned table a table with the same columns and with the storage parameters of a partition. The
new tables are not attached and have no triggers.

Does not block readers or writers.$$;
-- <<<

-- >>> db/schema/functions/operate/partitions/private/finish_leaves.sql
create or replace function tasker.finish_leaves(p_suffix text)
  returns void
  language plpgsql
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_table text;
begin
  -- Attaching a partition adds only row-level triggers. Without copies of the statement-level triggers, a statement on
  -- the partition itself would bypass them.
  for v_table in select t.table_name from tasker.partitioned_tables as t order by t.position loop
    perform tasker.copy_statement_triggers(v_table, v_table || '_' || p_suffix);
    -- An index on an empty table has a summary of the first range, and each insert would have to widen this summary.
    perform brin_desummarize_range(i.indexrelid, 0)
       from pg_index as i
       join pg_class as x
         on x.oid = i.indexrelid
       join pg_am as m
         on m.oid = x.relam
        and m.amname = 'brin'
      where i.indrelid = format('tasker.%I', v_table || '_' || p_suffix)::regclass;
  end loop;
end;
$$;

comment on function tasker.finish_leaves is
$$Gives the partitions of one range the statement-level triggers, which partitions do not inherit, and leaves their BRIN indexes without summaries.

Call this function only for tables that other sessions cannot see yet.$$;
-- <<<

-- >>> db/schema/functions/operate/partitions/private/attach_leaves.sql
create or replace function tasker.attach_leaves(p_range tasker.partition_ranges)
  returns void
  language plpgsql
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_table text;
begin
  for v_table in select t.table_name from tasker.partitioned_tables as t order by t.position loop
    execute format(
      'alter table tasker.%1$I attach partition tasker.%2$I for values from (%3$L) to (%4$L)',
      v_table, v_table || '_' || p_range.suffix, p_range.from_uuid, p_range.to_uuid
    );
  end loop;
end;
$$;

comment on function tasker.attach_leaves is
$$Attaches the tables that tasker.create_leaves has created as the partitions of a range.

Locks the parents against other DDL, in the engine's order. Does not block readers or writers.$$;
-- <<<

-- >>> db/schema/functions/operate/partitions/private/create_leaves_by_partman.sql
create or replace function tasker.create_leaves_by_partman(p_schema text, p_range tasker.partition_ranges)
  returns void
  language plpgsql
  set search_path = pg_catalog, pg_temp
  set timezone = 'UTC'
as $$
declare
  v_config tasker.partition_config;
  v_table  tasker.partitioned_tables;
  v_parent text;
  v_leaf   text;
  v_bound  text;
begin
  select c.* into strict v_config from tasker.partition_config as c;

  for v_table in select t.* from tasker.partitioned_tables as t order by t.position loop
    v_parent := 'tasker.' || v_table.table_name;
    v_leaf := v_table.table_name || '_' || p_range.suffix;

    -- Insert the row that create_parent would write. Do not call create_parent, because it also locks the parent
    -- exclusively and creates partitions of its own choice. The retention of pg_partman stays off, because pg_partman
    -- does not know which tasks are open, nor that the tables of a range are dropped together.
    execute format(
      $sql$
        insert into %1$I.part_config as c (
          parent_table, control, partition_type, partition_interval, premake, time_encoder, time_decoder,
          datetime_string, automatic_maintenance, infinite_time_partitions, jobmon
        )
        values ($1, 'task_uuid', 'range', $2, $3, $4, $5, $6, 'off', true, false)
        on conflict (parent_table) do update
           set partition_interval = excluded.partition_interval,
               premake = excluded.premake,
               datetime_string = excluded.datetime_string,
               automatic_maintenance = 'off',
               infinite_time_partitions = true,
               retention = null
         where (c.partition_interval, c.premake, c.datetime_string, c.automatic_maintenance, c.retention)
               is distinct from
               (excluded.partition_interval, excluded.premake, excluded.datetime_string, 'off', null)
      $sql$,
      p_schema
    ) using v_parent, v_config.partition_interval::text, v_config.premake,
            format('%I.uuid7_time_encoder', p_schema), format('%I.uuid7_time_decoder', p_schema),
            case when v_config.partition_interval < interval '1 day' then 'YYYYMMDD_HH24MISS' else 'YYYYMMDD' end;

    execute format(
      'select %I.create_partition_time(p_parent_table := $1, p_partition_times := array[$2])', p_schema
    ) using v_parent, p_range.starts_at;

    select pg_get_expr(k.relpartbound, k.oid)
      into v_bound
      from pg_class as k
     where k.oid = to_regclass(format('tasker.%I', v_leaf))
       and k.relispartition;
    if v_bound is distinct from format('FOR VALUES FROM (%L) TO (%L)', p_range.from_uuid, p_range.to_uuid) then
      raise exception using
        errcode = 'TK409',
        message = format('it created %s with bounds %s', v_leaf, coalesce(v_bound, '(none)')),
        hint    = 'With backend "builtin" pgtasker creates the partitions itself: tasker.setup_partitioning(p_backend => ''builtin'').';
    end if;

    execute format('alter table tasker.%I set (%s)', v_leaf, v_table.storage);
  end loop;
end;
$$;

comment on function tasker.create_leaves_by_partman is
$$Registers the tables with pg_partman, lets pg_partman create and attach the partitions of a range, and checks these
partitions.

pg_partman changes the search_path of the session, and tasker.ensure_partitions restores it. Does not catch the errors
of pg_partman. Raises TK409 if the bounds of a partition are not the bounds of the range.$$;
-- <<<

-- >>> db/schema/functions/operate/partitions/private/create_partition_range.sql
create or replace function tasker.create_partition_range(p_starts_at timestamptz, p_ends_at timestamptz)
  returns void
  language plpgsql
  set search_path = pg_catalog, pg_temp
  set timezone = 'UTC'
as $$
declare
  v_range   tasker.partition_ranges;
  v_backend tasker.partition_backends;
  v_problem text;
begin
  insert into tasker.partition_ranges (starts_at, ends_at, suffix)
  values (
    p_starts_at,
    p_ends_at,
    to_char(p_starts_at, case
      when p_ends_at - p_starts_at < interval '1 day' then '"p"YYYYMMDD_HH24MISS'
      else '"p"YYYYMMDD'
    end)
  )
  returning * into v_range;

  select b.* into strict v_backend from tasker.partition_backend() as b;

  -- pg_partman creates whole intervals only. If it fails, the built-in manager takes over.
  if v_backend.backend = 'pg_partman' and exists (
    select
      from tasker.partition_config as c
     where p_starts_at + c.partition_interval = p_ends_at
  ) then
    begin
      perform tasker.create_leaves_by_partman(v_backend.schema_name, v_range);
      perform tasker.finish_leaves(v_range.suffix);
    exception when others then
      v_problem := split_part(sqlerrm, E'\n', 1);
    end;

    update tasker.partition_config as c
       set pg_partman_problem = v_problem
     where c.pg_partman_problem is distinct from v_problem;
    if v_problem is null then
      return;
    end if;
  end if;

  -- Create a copy of the parent and attach it, because this does not block writers of the parent, unlike "partition
  -- of".
  perform tasker.create_leaves(v_range.suffix);
  perform tasker.finish_leaves(v_range.suffix);
  perform tasker.attach_leaves(v_range);
end;
$$;

comment on function tasker.create_partition_range is
$$Creates one range: a partition of every partitioned table, with storage parameters and triggers. If pg_partman can
create the partitions, it creates them, otherwise this function does.

Locks the parents against other DDL, in the engine's order. Does not block readers or writers.$$;
-- <<<

-- >>> db/schema/functions/operate/partitions/private/forget_move.sql
create or replace function tasker.forget_move(p_range tasker.partition_ranges)
  returns void
  language plpgsql
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_suffix text;
  v_table  text;
begin
  delete from tasker.kept_moves as m where m.starts_at = p_range.starts_at returning m.suffix into v_suffix;
  if not found then
    return;
  end if;
  delete from tasker.kept_changes as c
   where c.task_uuid >= p_range.from_uuid
     and c.task_uuid < p_range.to_uuid;
  delete from tasker.step_totals as o where o.partition_suffix = v_suffix;
  for v_table in select t.table_name from tasker.partitioned_tables as t order by t.position desc loop
    execute format('drop table tasker.%I', v_table || '_' || v_suffix);
  end loop;
end;
$$;

comment on function tasker.forget_move is
$$Drops the copies of a range's kept tasks, if there are any. The triggers that record changes stay until the range is
dropped, but no longer record anything.$$;
-- <<<

-- >>> db/schema/functions/operate/partitions/private/drop_partition_range.sql
create or replace function tasker.drop_partition_range(p_starts_at timestamptz)
  returns void
  language plpgsql
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_range  tasker.partition_ranges;
  v_suffix text;
  v_table  text;
begin
  delete from tasker.partition_ranges as r
   where r.starts_at = p_starts_at
  returning r.* into strict v_range;
  v_suffix := v_range.suffix;
  perform tasker.forget_move(v_range);
  -- A down migration has already dropped the feed.
  if to_regclass('tasker.missed_events') is not null then
    perform tasker.note_missed_events(v_suffix);
  end if;

  for v_table in select t.table_name from tasker.partitioned_tables as t order by t.position desc loop
    execute format('drop table tasker.%I', v_table || '_' || v_suffix);
  end loop;
end;
$$;

comment on function tasker.drop_partition_range is
$$Drops one range with all its rows: the reverse of create_partition_range. Records the subscriptions that had not read
all events of the range. Does not check whether the range is still in use.

Locks the parents exclusively. Down migrations call this function. Retention locks the parents in the engine's order before it calls this function.$$;
-- <<<

-- >>> db/schema/functions/operate/partitions/private/take_partition_turn.sql
create or replace function tasker.take_partition_turn()
  returns boolean
  language plpgsql
  set search_path = pg_catalog, pg_temp
  set lock_timeout = '1s'
as $$
begin
  -- Jobs with the same schedule start at the same moment, and most of them take only a few milliseconds. So wait a
  -- little.
  perform from tasker.turns as t where t.name = 'partitions' for update;
  return true;
exception
  when lock_not_available then
    return false;
end;
$$;

comment on function tasker.take_partition_turn is
$$Prevents other sessions from creating or dropping partitions until the transaction ends. Returns false if another
session has been doing so for longer than a second.$$;
-- <<<

-- >>> db/schema/functions/operate/partitions/private/make_partitions.sql
create or replace function tasker.make_partitions(p_search_path text)
  returns integer
  language plpgsql
  set search_path = pg_catalog, pg_temp
  set timezone = 'UTC'
as $$
declare
  v_config  tasker.partition_config;
  v_at      timestamptz;
  v_start   timestamptz;
  v_end     timestamptz;
  v_last    timestamptz;
  v_created integer := 0;
begin
  -- Only one session creates partitions at a time. A second session usually has nothing left to do.
  if not tasker.take_partition_turn() then
    return 0;
  end if;

  select c.* into strict v_config from tasker.partition_config as c;

  -- A UUID that a caller made may have a time a little in the past, so the range of that time is needed, too.
  v_at := tasker.clock() - make_interval(secs => tasker.setting_integer('uuid_tolerance_seconds'));
  v_last := tasker.partition_floor(tasker.clock(), v_config.partition_interval)
    + v_config.premake * v_config.partition_interval;

  -- Go from one time that no range covers to the next. There may be ranges of another interval between the two times.
  while v_at <= v_last loop
    select r.ends_at
      into v_end
      from tasker.partition_ranges as r
     where r.starts_at <= v_at
       and r.ends_at > v_at;

    if not found then
      -- Each new range needs about forty entries of the server's lock table until the commit.
      exit when v_created = 32;
      v_start := tasker.partition_floor(v_at, v_config.partition_interval);
      select greatest(v_start, max(r.ends_at) filter (where r.ends_at <= v_at)),
             least(v_start + v_config.partition_interval, min(r.starts_at) filter (where r.starts_at > v_at))
        into v_start, v_end
        from tasker.partition_ranges as r;
      perform tasker.create_partition_range(v_start, v_end);
      v_created := v_created + 1;
    end if;
    v_at := v_end;
  end loop;

  -- Restore the search_path, which pg_partman has set for the session. Do so last, because all other names here must be
  -- resolved before.
  if v_created > 0 and (select b.backend = 'pg_partman' from tasker.partition_backend() as b) then
    perform set_config('search_path', p_search_path, false);
  end if;
  return v_created;
end;
$$;

comment on function tasker.make_partitions is
$$Creates the missing ranges, at most 32 of them, and returns how many it created. If pg_partman has created a range,
then sets the session's search_path to p_search_path.$$;
-- <<<

-- >>> db/schema/functions/operate/partitions/ensure_partitions.sql
-- The function uses "begin atomic" and does not pin search_path, because it must see the caller's search_path.
-- pg_partman sets the search_path for the whole session.
create or replace function tasker.ensure_partitions()
  returns integer
  language sql
  security definer
begin atomic
  select tasker.make_partitions(current_setting('search_path'));
end;

comment on function tasker.ensure_partitions is
$$Creates the missing ranges from the current range to the configured number of ranges ahead, and returns how many
ranges it created. Each call creates at most 32 ranges, so call this function until it returns 0.

Idempotent. Locks the row "partitions" of tasker.turns, and for a new range the row of tasker.settings_now. Returns 0 if
another session keeps the row "partitions" locked for longer than a second. pg_partman creates the ranges if it is
installed and can do so, otherwise the built-in manager creates them. tasker.partition_status says which manager is
used, and why. Maintenance calls this function in its own transaction. Do not call it inside a client's transaction.$$;

grant execute on function tasker.ensure_partitions to tasker_orchestrator, tasker_operator;
-- <<<

-- >>> db/schema/functions/operate/partitions/list_partition_ranges.sql
create or replace function tasker.list_partition_ranges()
  returns setof tasker.partition_ranges
  language plpgsql
  stable
  security definer
  set search_path = pg_catalog, pg_temp
as $$
begin
  return query
  select r.*
    from tasker.partition_ranges as r
   order by r.starts_at;
end;
$$;

comment on function tasker.list_partition_ranges is
$$Returns the existing ranges, oldest first. If no later range exists, the last range also takes all new tasks after its
end.$$;

grant execute on function tasker.list_partition_ranges
  to tasker_orchestrator, tasker_operator, tasker_reader;
-- <<<

-- >>> db/schema/functions/kernel/ident/private/new_task_uuid.sql
create or replace function tasker.new_task_uuid(p_micros bigint, p_random bigint)
  returns uuid
  language sql
  immutable
begin atomic
  select encode(
    int8send(((p_micros / 1000) << 16) | x'7000'::bigint | ((p_micros % 1000) * 4096 / 1000))
    || int8send(p_random & x'3fffffffffff0000'::bigint | x'8000000000000000'::bigint),
    'hex'
  )::uuid;
end;

comment on function tasker.new_task_uuid is
$$Returns a UUID of version 7 for a new task from a time in microseconds since 1970, the variant and 46 random bits. The last 16 bits are zero. The function is inlined.$$;
-- <<<

-- >>> db/schema/functions/kernel/ident/private/mint_task_uuids.sql
create or replace function tasker.mint_task_uuids(p_count integer, p_range_ends_at timestamptz)
  returns uuid[]
  language plpgsql
  volatile
as $$
declare
  v_last   bigint := floor(extract(epoch from p_range_ends_at) * 1000000) - 1;
  -- The tasks of one statement share the statement's clock. The time elapsed since then keeps the tasks of several
  -- calls in order.
  v_first  bigint := floor(
    (date_part('epoch', clock_timestamp()) + date_part('epoch', tasker.clock() - statement_timestamp())) * 1000000
  );
  v_seed   bigint := uuid_hash_extended(gen_random_uuid(), 0);
begin
  if v_last is null then
    raise exception using
      errcode = 'TK507',
      message = 'there is no partition for a new task',
      hint    = 'Call tasker.ensure_partitions() as tasker_operator.';
  end if;

  -- Each task gets another microsecond, because creating a task takes much longer than that. The random bits are hashes
  -- under one random seed, because a random UUID for each task would cost as much as an insertion. If maintenance is
  -- late, the newest range takes the tasks in its last millisecond, so that their times repeat.
  return array(
    select tasker.new_task_uuid(
        case when v_first + i > v_last then v_last - v_last % 1000 + (v_first + i) % 1000 else v_first + i end,
        hashint8extended(i, v_seed)
      )
      from generate_series(0, p_count - 1) as i
  );
end;
$$;

comment on function tasker.mint_task_uuids is
$$Returns UUIDs for new tasks, in ascending order. They are of version 7, their last 16 bits are zero, and their times lie before the end of the newest range that has begun.

If no range covers the current time, the times of the UUIDs lie in the last millisecond of the newest past range, so that work continues without maintenance. Raises TK507 if there is no such range.$$;
-- <<<

-- >>> db/schema/functions/kernel/ident/private/mint_task_uuid.sql
create or replace function tasker.mint_task_uuid()
  returns uuid
  language sql
  volatile
begin atomic
  select (
    tasker.mint_task_uuids(
      1,
      (select r.ends_at
         from tasker.partition_ranges as r
        where r.starts_at <= tasker.clock()
        order by r.starts_at desc
        limit 1)
    )
  )[1];
end;

comment on function tasker.mint_task_uuid is
$$Returns one UUID for a new task, as mint_task_uuids does for many tasks.$$;
-- <<<

-- >>> db/schema/functions/kernel/create/check_task_uuid.sql
create or replace function tasker.check_task_uuid(p_task_uuid uuid)
  returns uuid
  language plpgsql
  stable
  security definer
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_tolerance interval := make_interval(secs => tasker.setting_integer('uuid_tolerance_seconds'));
begin
  if p_task_uuid is null or not tasker.is_task_uuid(p_task_uuid) then
    raise exception using
      errcode = 'TK422',
      message = format('%s is not the UUID of a task', coalesce(p_task_uuid::text, 'null')),
      detail  = 'A task''s UUID is of version 7 and ends in four zeros, where its steps carry their number.',
      hint    = 'Omit it and the database makes one, or make it with the Go function executor.NewTaskUUID.';
  end if;

  if abs(extract(epoch from tasker.uuid_v7_time(p_task_uuid) - tasker.clock())) > extract(epoch from v_tolerance) then
    raise exception using
      errcode = 'TK422',
      message = format('the time in task UUID %s is too far from now', p_task_uuid),
      detail  = format(
        'It is %s; the server''s clock is %s. They may differ by %s.',
        to_char(tasker.uuid_v7_time(p_task_uuid) at time zone 'UTC', 'YYYY-MM-DD HH24:MI:SS"Z"'),
        to_char(tasker.clock() at time zone 'UTC', 'YYYY-MM-DD HH24:MI:SS"Z"'),
        v_tolerance
      ),
      hint    = 'Check the client''s clock, or omit the UUID and the database makes one.';
  end if;

  if not exists (
    select
      from tasker.partition_ranges as r
     where r.from_uuid <= p_task_uuid
       and r.to_uuid > p_task_uuid
  ) then
    raise exception using
      errcode = 'TK507',
      message = format('there is no partition for task UUID %s', p_task_uuid),
      hint    = 'Call tasker.ensure_partitions() as tasker_operator, or omit the UUID.';
  end if;
  return p_task_uuid;
end;
$$;

comment on function tasker.check_task_uuid is
$$Returns the task UUID that a caller has chosen if a task may be created with it.

Raises TK422 if the UUID does not have the form of a task's UUID, or if its time differs from now by more than the setting uuid_tolerance_seconds. Raises TK507 if there is no partition for it.$$;

grant execute on function tasker.check_task_uuid
  to tasker_submitter, tasker_worker, tasker_orchestrator, tasker_operator;
-- <<<

-- >>> db/schema/data/partitions.sql
-- down: select tasker.drop_partition_range(r.starts_at) from tasker.partition_ranges as r;

select tasker.ensure_partitions();
-- <<<

insert into tasker.schema_builds (version, files) values ('20261121000600', 'data/partition_config 7e90e243e79142aa
data/partitioned_tables 557cfec86199e1ba
data/partitions d5e907fc658cc94e
functions/kernel/create/check_task_uuid 6215c4b470bf1f5d
functions/kernel/ident/private/mint_task_uuid c8fcd3dcf53f9ff0
functions/kernel/ident/private/mint_task_uuids 6c07c545d8624191
functions/kernel/ident/private/new_task_uuid 80cc90593c89d7e9
functions/operate/partitions/ensure_partitions 501946fa8dbdd065
functions/operate/partitions/list_partition_ranges 361c616517a3fb0f
functions/operate/partitions/private/attach_leaves dbd8c0a662141b0f
functions/operate/partitions/private/copy_statement_triggers 648a8aac1093ef53
functions/operate/partitions/private/create_leaves ba323ad8982c77d7
functions/operate/partitions/private/create_leaves_by_partman 1b8c1624647cfe45
functions/operate/partitions/private/create_partition_range 367d19e7f976897f
functions/operate/partitions/private/drop_partition_range 56fb1471fb15c9c3
functions/operate/partitions/private/finish_leaves a29092454e1a5192
functions/operate/partitions/private/forget_move edabe3c5d1764392
functions/operate/partitions/private/make_partitions 81f36fcdf79e36e1
functions/operate/partitions/private/partition_backend a7bf397e0c92463c
functions/operate/partitions/private/partition_floor 76d3bedc2028bec5
functions/operate/partitions/private/partition_unit 5e5b39a34c5e1f05
functions/operate/partitions/private/take_partition_turn e254eb0f31935c24
rows/operate/partitions/partition_backends 710b79f8b97dced7
tables/operate/partitions/kept_changes 22a95f93481542e5
tables/operate/partitions/kept_moves d08fc7ec1cb0d812
tables/operate/partitions/partition_config 659bb6625a38cde9
tables/operate/partitions/partition_ranges 02473943234ba5b8
tables/operate/partitions/partitioned_tables 1b317a50a2e168e0
');

reset role;

-- migrate:down
set local citus.enable_ddl_propagation = off; -- Citus would repeat this on its worker nodes
set local role tasker_owner;

delete from tasker.schema_builds where version = '20261121000600';

select tasker.drop_partition_range(r.starts_at) from tasker.partition_ranges as r;
drop function tasker.check_task_uuid;
drop function tasker.mint_task_uuid;
drop function tasker.mint_task_uuids;
drop function tasker.new_task_uuid;
drop function tasker.list_partition_ranges;
drop function tasker.ensure_partitions;
drop function tasker.make_partitions;
drop function tasker.take_partition_turn;
drop function tasker.drop_partition_range;
drop function tasker.forget_move;
drop function tasker.create_partition_range;
drop function tasker.create_leaves_by_partman;
drop function tasker.attach_leaves;
drop function tasker.finish_leaves;
drop function tasker.create_leaves;
drop function tasker.partition_backend;
drop view tasker.partition_backends;
drop function tasker.copy_statement_triggers;
drop function tasker.partition_floor;
drop table tasker.kept_changes;
drop table tasker.kept_moves;
drop table tasker.partition_ranges;
delete from tasker.partitioned_tables;
drop table tasker.partitioned_tables;
delete from tasker.partition_config;
drop table tasker.partition_config;
drop function tasker.partition_unit;

reset role;
