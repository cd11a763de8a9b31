-- administration: what changes that is not a task's leaves an entry
-- Composed from db/schema: edit there, then compose again. Frozen by the first release tag.

-- migrate:up
set local citus.enable_ddl_propagation = off; -- Citus would repeat this on its worker nodes
set local role tasker_owner;

-- >>> db/schema/tables/operate/partitions/retentions.sql
create table tasker.retentions (
  namespace  text         not null,
  template   text         not null  default '',
  keep_for   interval     not null,
  set_at     timestamptz  not null  default tasker.clock(),
  set_by     text         not null,

  constraint retentions_pkey
    primary key (namespace, template),
  constraint retentions_namespace_fkey
    foreign key (namespace) references tasker.task_namespaces (name),
  constraint retentions_keep_for_check
    check (keep_for between interval '1 day' and interval '100 years')
);

comment on table tasker.retentions is
  'Namespaces and templates whose tasks are kept longer than their range. tasker.set_retention writes the rows.';
comment on column tasker.retentions.template is
  'The name of the template. The empty text means all templates of the namespace that have no row of their own.';
comment on column tasker.retentions.keep_for is
  'How long a task is kept after the end of its range.';
-- <<<

-- >>> db/schema/tables/operate/administration/administered_tables.sql
create table tasker.administered_tables (
  name         text     not null,
  key_columns  text[]   not null,
  left_out     text[]   not null  default '{}',
  seeded       boolean  not null  default false,

  constraint administered_tables_pkey
    primary key (name)
);

comment on table tasker.administered_tables is
  'The tables whose rows belong to no task. Their changes are in tasker.administration_log.';
comment on column tasker.administered_tables.name is
  'The name of the table. It includes the schema unless the schema is tasker.';
comment on column tasker.administered_tables.key_columns is
  'The columns that identify an object for people.';
comment on column tasker.administered_tables.left_out is
  'The columns that the engine writes while it works, and secrets. The log does not have these columns.';
comment on column tasker.administered_tables.seeded is
  'Whether migrations insert rows into the table. The log has no entry for such a row until the row changes.';
-- <<<

-- >>> db/schema/data/administered_tables.sql
-- down: delete from tasker.administered_tables;
insert into tasker.administered_tables (name, key_columns, left_out, seeded)
values
  ('access_maps', '{claim,value}', '{}', false),
  ('access_sessions', '{session_uuid}', '{token_hash,sign_in_hash,claims,sealed,renewable,seen_at,refresh_at}', false),
  ('access_tokens', '{name}', '{token_hash}', false),
  ('erasures', '{task_uuid}', '{}', false),
  ('handler_pauses', '{namespace,handler}', '{}', false),
  ('incident_acknowledgements', '{incident}', '{}', false),
  ('limit_bounds', '{namespace,name,limit_key}', '{limit_no}', false),
  ('limits', '{namespace,name}', '{limit_no,version,with_places}', false),
  (
    'mass_actions', '{selection_uuid}', '{stage,stage_at,since,paced,acted_at,ran_at,judged_to,waits,open,passed,failed,skipped}', false
  ),
  ('named_tasks', '{name,version}', '{configuration,content_hash,total_steps,root_steps,waiting_roots}', false),
  ('partition_config', '{only_row}', '{pg_partman_problem}', true),
  ('partition_ranges', '{suffix}', '{busy_count,retry_at,kept,collected}', true),
  ('retentions', '{namespace,template}', '{}', false),
  ('role_bindings', '{role,namespace}', '{}', false),
  (
    'schedules', '{namespace,schedule}',
    '{schedule_uuid,anchor_at,next_tick_at,due_at,queued_tick_at,backfill_next_at,last_tick_at,last_task_uuid,running_tasks,caught_up,tick_count,failures,last_error,last_error_at,checked_at}',
    false
  ),
  ('sql_roles', '{namespace}', '{}', false),
  ('settings', '{name}', '{kind,default_value,minimum,maximum,choices,description}', true),
  (
    'subscriptions', '{subscription}',
    '{snapshot,snapshot_at,since,until,until_at,window_no,place_at,place_task_uuid,place_step_no,place_sort_key,list_no,list_end,last_key,slice_seconds,reader_uuid,reader,leased_until,delivered,dead,failures,last_error,last_error_at,next_attempt_at}',
    false
  ),
  ('task_namespaces', '{name}', '{}', false);
-- <<<

-- >>> db/schema/tables/operate/administration/administration_log.sql
create table tasker.administration_log (
  entry_no    bigint       not null  generated always as identity,
  logged_at   timestamptz  not null  default tasker.clock(),
  kind        text         not null,
  object      text         not null,
  namespaces  text[],
  action      text         not null,
  call        text,
  login       text         not null  default session_user,
  role        text                   default tasker.set_role(),
  token       text                   default tasker.token_name(),
  actor       text,
  reason      text,
  was         jsonb,
  becomes     jsonb,

  constraint administration_log_pkey
    primary key (entry_no),
  constraint administration_log_action_check
    check (action in ('insert', 'update', 'delete', 'truncate'))
);

create index administration_log_object_idx
  on tasker.administration_log (kind, object, entry_no);

comment on index tasker.administration_log_object_idx is
  'Serves the history of one object, and the check that the object matches its newest entry.';

comment on table tasker.administration_log is
  'The changes of all objects outside of tasks: settings, bindings, tokens, access maps, sessions, templates, limits, schedules, subscriptions, namespaces, partitions, queues. Rows never change.';
comment on column tasker.administration_log.namespaces is
  'The namespaces that the object belongs to. Null if the object concerns all namespaces.';
comment on column tasker.administration_log.call is
  'The function that changed the object. Null if a statement of the owner changed it directly.';
comment on column tasker.administration_log.actor is
  'The name that the caller gave for itself, or else the name that is stored in the object.';
comment on column tasker.administration_log.reason is
  'The reason that the caller gave for the change.';
comment on column tasker.administration_log.was is
  'The object before the change, without secrets and without the values that the engine writes while it works. Null if the object was new.';
-- <<<

-- >>> db/schema/rows/operate/administration/administration_entries.sql
create or replace view tasker.administration_entries as
select
  0::bigint as entry_no,
  '-infinity'::timestamptz as logged_at,
  ''::text as kind,
  ''::text as object,
  null::text[] as namespaces,
  ''::text as action,
  null::text as call,
  ''::text as login,
  null::text as role,
  null::text as token,
  null::text as actor,
  null::jsonb as was,
  null::jsonb as becomes,
  null::text as reason
where false;

comment on view tasker.administration_entries is
  'Row type: a change of an object that belongs to no task.';
comment on column tasker.administration_entries.namespaces is
  'The namespaces that the object belongs to. Null if the object concerns all namespaces.';
comment on column tasker.administration_entries.call is
  'The function that changed the object. Null if a statement of the owner changed it directly.';
comment on column tasker.administration_entries.actor is
  'The name that the caller gave for itself, or else the name that is stored in the object.';
comment on column tasker.administration_entries.was is
  'The object before the change. Null if the change created the object.';
comment on column tasker.administration_entries.becomes is
  'The object after the change. Null if the change deleted the object.';
comment on column tasker.administration_entries.reason is
  'The reason that the caller gave for the change.';
-- <<<

-- >>> db/schema/functions/kernel/access/private/current_act.sql
create or replace function tasker.current_act(p_call text)
  returns text[]
  language plpgsql
  stable
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_act text[];
begin
  -- A session may write any text into this setting. But a function with a reason has replaced the entry of the session.
  if exists (
    select
      from pg_proc as p
     where p.oid = to_regproc(case when p_call like '%.%' then p_call else 'tasker.' || p_call end)
       and 'p_reason' = any (p.proargnames)
  ) then
    select string_to_array(e.act, chr(31))
      into v_act
      from string_to_table(current_setting('tasker.act', true), chr(30)) as e (act)
     where split_part(e.act, chr(31), 1) = p_call;
  end if;
  return array[nullif(v_act[2], ''), nullif(v_act[3], '')];
end;
$$;

comment on function tasker.current_act is
$$Returns the actor and the reason that the caller passed to the running public function, as tasker.administer recorded them.$$;
-- <<<

-- >>> db/schema/functions/kernel/access/private/administered_table.sql
create or replace function tasker.administered_table(p_kind text)
  returns text
  language plpgsql
  immutable
  set search_path = pg_catalog, pg_temp
as $$
begin
  return case when p_kind like '%.%' then p_kind else 'tasker.' || p_kind end;
end;
$$;

comment on function tasker.administered_table is
$$Returns the table, with its schema, of a kind of administered object. The kind includes the schema unless the schema is tasker.$$;
-- <<<

-- >>> db/schema/functions/kernel/access/private/function_on_stack.sql
create or replace function tasker.function_on_stack(p_stack text)
  returns text
  language plpgsql
  stable
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_head text := left(p_stack, strpos(p_stack, 'tasker.calling_function(') - 1); -- begins a line that names a function
  v_line text;
  v_text text[];
begin
  -- Regular expressions cost much more here than these comparisons.
  foreach v_line in array (string_to_array(p_stack, chr(10)))[2:] loop
    if starts_with(v_line, v_head) then
      v_text := string_to_array(split_part(substr(v_line, length(v_head) + 1), '(', 1), '.');
    else
      -- The name of a function in SQL stands in the quotation marks of the language of the messages. The texts of most
      -- statements have brackets.
      continue when strpos(v_line, 'SQL') = 0 or strpos(v_line, '(') > 0;
      v_text := string_to_array(translate(v_line, '«»„“”「」', '"""""""'), '"');
      continue when strpos(v_text[1], 'SQL') = 0;
      v_text := array['tasker', btrim(v_text[2], ' ' || chr(160))];
    end if;
    if v_text[1] in ('tasker', 'tasklib')
       and exists (select from pg_proc as p where p.proname = v_text[2] and p.pronamespace = to_regnamespace(v_text[1]) and p.prosecdef) then
      return case v_text[1] when 'tasklib' then 'tasklib.' else '' end || v_text[2];
    end if;
  end loop;
  return null;
end;
$$;

comment on function tasker.function_on_stack is
$$Returns the innermost public function in a call stack of tasker.calling_function, or null if the stack has no public function. The stack is in the language of the server's messages (lc_messages). Its first line shows how a line names a function in that language.$$;
-- <<<

-- >>> db/schema/functions/kernel/access/private/calling_function.sql
create or replace function tasker.calling_function()
  returns text
  language plpgsql
  stable
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_stack text;
begin
  get diagnostics v_stack = pg_context;
  return tasker.function_on_stack(v_stack);
end;
$$;

comment on function tasker.calling_function is
$$Returns the name of the innermost public function that is running, with its schema unless the schema is tasker. Returns null if no such function is running. The search ends at that function, because its callers may have any name.$$;
-- <<<

-- >>> db/schema/functions/kernel/access/private/administer.sql
create or replace function tasker.administer(p_actor text, p_reason text)
  returns void
  language plpgsql
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_call text := tasker.calling_function();
begin
  perform tasker.check_given_name('actor', p_actor, 200);
  perform tasker.check_text_size('reason', p_reason, 1000);
  -- Keep an entry for each function that the transaction has called, so that a function keeps its own entry if it calls
  -- another function.
  perform set_config('tasker.act', concat_ws(
    chr(30),
    (
      select string_agg(e.act, chr(30))
        from string_to_table(current_setting('tasker.act', true), chr(30)) as e (act)
       where split_part(e.act, chr(31), 1) <> v_call
    ),
    concat_ws(chr(31), v_call, coalesce(p_actor, ''), translate(p_reason, chr(30) || chr(31), ''))
  ), true);
end;
$$;

comment on function tasker.administer is
$$Records the actor and the reason of a change, for the entries that the calling function writes into tasker.administration_log. Every public function with p_actor and p_reason that changes an object outside of tasks calls this function first, so no entry has the reason of an earlier call. Raises TK413 or TK422 for a name or a reason that cannot be stored.$$;
-- <<<

-- >>> db/schema/functions/operate/administration/private/object_namespaces.sql
create or replace function tasker.object_namespaces(p_kind text, p_row jsonb)
  returns text[]
  language plpgsql
  stable
  set search_path = pg_catalog, pg_temp
as $$
begin
  return case
    when p_kind = 'task_namespaces' then array[p_row ->> 'name']
    when p_kind = 'named_tasks' then (
      select array[n.name] from tasker.task_namespaces as n where n.task_namespace_uuid = (p_row ->> 'task_namespace_uuid')::uuid
    )
    when p_row ? 'namespace' then array[p_row ->> 'namespace']
    when jsonb_typeof(p_row -> 'namespaces') = 'array' then array(select jsonb_array_elements_text(p_row -> 'namespaces'))
  end;
end;
$$;

comment on function tasker.object_namespaces is
$$Returns the namespaces that an administered object belongs to, or null if the object concerns all namespaces.$$;
-- <<<

-- >>> db/schema/functions/operate/administration/private/object_key.sql
create or replace function tasker.object_key(p_kind tasker.administered_tables, p_row jsonb)
  returns text
  language plpgsql
  stable
  set search_path = pg_catalog, pg_temp
as $$
begin
  return concat_ws(
    '/', case when p_kind.name = 'named_tasks' then (tasker.object_namespaces('named_tasks', p_row))[1] end,
    (select string_agg(p_row ->> k.name, '/' order by k.no) from unnest(p_kind.key_columns) with ordinality as k (name, no))
  );
end;
$$;

comment on function tasker.object_key is
$$Returns the name of an object in the log of administration: the values of its key columns with slashes in between. The
name of a template begins with its namespace.$$;
-- <<<

-- >>> db/schema/functions/operate/administration/private/administered_row.sql
create or replace function tasker.administered_row(p_kind tasker.administered_tables, p_row jsonb)
  returns jsonb
  language plpgsql
  stable
  set search_path = pg_catalog, pg_temp
as $$
begin
  -- Keep the name of a role for people, and its oid so that the role is found again after it was renamed.
  return (p_row - p_kind.left_out) || case
    when p_row ? 'role' then jsonb_build_object('role_oid', (p_row ->> 'role')::regrole::oid::text)
    else '{}'
  end;
end;
$$;

comment on function tasker.administered_row is
$$Returns the columns of a row that the log of administration keeps.$$;
-- <<<

-- >>> db/schema/functions/operate/administration/private/log_administration.sql
create or replace function tasker.log_administration()
  returns trigger
  language plpgsql
  set search_path = pg_catalog, pg_temp
  set quote_all_identifiers = off
  set timezone = 'UTC'
  set datestyle = 'ISO, MDY'
  set intervalstyle = 'postgres'
  set extra_float_digits = 1
  set bytea_output = 'hex'
as $$
declare
  v_kind       tasker.administered_tables;
  v_was        jsonb;
  v_is         jsonb;
  v_namespaces text[];
  v_before     text[];
  v_call       text := tasker.calling_function();
  v_act        text[];
  v_actor      text;
begin
  -- Logical replication also brings the rows of the log.
  if exists (select from pg_stat_subscription as s where s.pid = pg_backend_pid()) then
    return null;
  end if;
  select a.* into v_kind from tasker.administered_tables as a where a.name = case tg_table_schema when 'tasker' then '' else tg_table_schema || '.' end || tg_table_name;
  -- An erasure changes the existing entries, because a new entry would have the data.
  if tasker.is_running('erase_rows(uuid,boolean)') then
    return null;
  end if;
  v_act := tasker.current_act(v_call);
  if tg_op = 'TRUNCATE' then
    insert into tasker.administration_log (kind, object, action, call, actor, reason)
    values (v_kind.name, '*', 'truncate', v_call, v_act[1], v_act[2]);
    return null;
  end if;

  if tg_op <> 'INSERT' then
    v_was := tasker.administered_row(v_kind, to_jsonb(old));
  end if;
  if tg_op <> 'DELETE' then
    v_is := tasker.administered_row(v_kind, to_jsonb(new));
  end if;
  if v_was = v_is then
    return null;
  end if;
  v_namespaces := tasker.object_namespaces(v_kind.name, coalesce(v_is, v_was));
  if v_was is not null and v_is is not null then
    -- An object that moves between namespaces is shown to readers of both namespaces.
    v_before := tasker.object_namespaces(v_kind.name, v_was);
    v_namespaces := case when v_before is not null and v_namespaces is not null then array(
      select unnest(v_namespaces) union select unnest(v_before) order by 1
    ) end;
  end if;
  -- The name that the caller gave itself in this call, otherwise the name that the object has.
  v_actor := case
    when v_act[1] is not null then v_act[1]
    when v_was ->> 'paused_by' is distinct from v_is ->> 'paused_by' then v_is ->> 'paused_by'
    when v_was ->> 'revoked_by' is distinct from v_is ->> 'revoked_by' then v_is ->> 'revoked_by'
    else coalesce(v_is ->> 'erased_by', v_is ->> 'ended_by', v_is ->> 'updated_by', v_is ->> 'changed_by', v_is ->> 'bound_by', v_is ->> 'created_by')
  end;
  insert into tasker.administration_log (kind, object, namespaces, action, call, actor, reason, was, becomes)
  values (
    v_kind.name, tasker.object_key(v_kind, coalesce(v_is, v_was)), v_namespaces, lower(tg_op), v_call, v_actor, v_act[2],
    v_was, v_is
  );
  return null;
end;
$$;

comment on function tasker.log_administration is
$$Trigger function: writes into tasker.administration_log each change in a table of tasker.administered_tables, by any
function or statement. Ignores columns that the engine writes while it works. Ignores changes by logical replication,
which also brings the rows of the log.$$;
-- <<<

-- >>> db/schema/functions/kernel/access/private/note_administration.sql
create or replace function tasker.note_administration(
  p_kind        text,
  p_object      text,
  p_namespaces  text[],
  p_action      text,
  p_was         jsonb  default null,
  p_becomes     jsonb  default null
)
  returns void
  language plpgsql
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_call text   := tasker.calling_function();
  v_act  text[] := tasker.current_act(v_call);
begin
  insert into tasker.administration_log (kind, object, namespaces, action, call, actor, reason, was, becomes)
  values (p_kind, p_object, nullif(array_remove(p_namespaces, null), '{}'), p_action, v_call, v_act[1], v_act[2], p_was, p_becomes);
end;
$$;

comment on function tasker.note_administration is
$$Writes into tasker.administration_log a change that a function has made outside the tables of pgtasker, such as the creation of a queue.$$;
-- <<<

-- >>> db/schema/functions/features/feed/private/shown_subscription.sql
create or replace function tasker.shown_subscription(p_row jsonb)
  returns jsonb
  language plpgsql
  stable
  set search_path = pg_catalog, pg_temp
as $$
begin
  return case
    when jsonb_typeof(p_row -> 'target') = 'object' then jsonb_set(p_row, '{target}', tasker.shown_target(p_row -> 'target'))
    else p_row
  end;
end;
$$;

comment on function tasker.shown_subscription is
$$Returns a subscription's row from the log of administration with the target as tasker.shown_target shows it to the caller.$$;
-- <<<

-- >>> db/schema/functions/operate/administration/list_administration.sql
create or replace function tasker.list_administration(
  p_kind    text     default null,
  p_object  text     default null,
  p_before  bigint   default null,
  p_limit   integer  default 100
)
  returns setof tasker.administration_entries
  language plpgsql
  stable
  security definer
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_bound text[] := tasker.bound_namespaces();
begin
  p_limit := coalesce(p_limit, 100);
  perform tasker.check_limit(p_limit, 10000);
  perform tasker.check_text_size('kind', p_kind, 100);
  perform tasker.check_text_size('object', p_object, 500);
  return query
  select
    l.entry_no, l.logged_at, l.kind, l.object, l.namespaces, l.action, l.call, l.login, l.role, l.token, l.actor,
    case when l.kind = 'subscriptions' then tasker.shown_subscription(l.was) else l.was end,
    case when l.kind = 'subscriptions' then tasker.shown_subscription(l.becomes) else l.becomes end,
    l.reason
  from tasker.administration_log as l
  where (p_kind is null or l.kind = p_kind)
    and (p_object is null or l.object = p_object)
    and (p_before is null or l.entry_no < p_before)
    and (v_bound is null or l.namespaces <@ v_bound and l.namespaces <> '{}')
  order by l.entry_no desc
  limit p_limit;
end;
$$;

comment on function tasker.list_administration is
$$Returns the changes of settings, bindings, tokens, templates, limits, schedules, subscriptions, namespaces, partitions
and queues, the newest change first. Each row says when, why and by which function, login, role and token the object was
changed, the name that the caller gave itself, and the object before and after. With p_kind (the name of a table) or
p_object, returns only the changes of this table or object. For the next page, pass the last entry_no of this page as
p_before. Leaves out secrets and the columns that the engine writes while it works.

A bound caller sees the changes of an object if all namespaces of the object are its own. Raises TK422 for a limit out
of range, and TK413 for a long argument.$$;

grant execute on function tasker.list_administration to tasker_orchestrator, tasker_operator, tasker_reader;
-- <<<

-- >>> db/schema/tables/operate/incidents/incident_acknowledgements.sql
create table tasker.incident_acknowledgements (
  incident         text         not null,
  namespaces       text[],
  severity         smallint     not null,
  acknowledged_at  timestamptz  not null,
  acknowledged_by  text         not null,
  until            timestamptz,
  reason           text,

  constraint incident_acknowledgements_pkey
    primary key (incident),
  constraint incident_acknowledgements_severity_check
    check (severity between 1 and 3)
);

comment on table tasker.incident_acknowledgements is
  'Incidents that a person has acknowledged. Such an incident is shown only for information until the given time, until it ends or until it becomes more severe.';
comment on column tasker.incident_acknowledgements.namespaces is
  'The namespace of the incident. Null if the incident concerns the whole database.';
comment on column tasker.incident_acknowledgements.severity is
  'The severity that was acknowledged. An incident with a higher severity is shown again.';
-- <<<

-- >>> db/schema/tables/operate/selections/selections.sql
create table tasker.selections (
  selection_uuid  uuid         not null  default tasker.uuid_generate_v7(),
  kind            text         not null,
  filters         jsonb        not null,
  words           text         not null,
  entries         integer      not null,
  more            boolean      not null,
  namespaces      text[]       not null,
  created_at      timestamptz  not null  default tasker.clock(),
  created_by      text         not null,
  created_login   text         not null,

  constraint selections_pkey
    primary key (selection_uuid),
  constraint selections_kind_check
    check (kind in ('tasks', 'steps', 'dead_letters')),
  constraint selections_entries_check
    check (entries between 0 and 10000)
);

comment on table tasker.selections is
  'Sets of tasks, steps or dead-letter entries. The entries are fixed when the set is created, so that a mass action acts on exactly the entries that a person was shown.';
comment on column tasker.selections.filters is
  'The filters that found the entries. The empty object if a caller named the entries one by one.';
comment on column tasker.selections.words is
  'A description of the set in words, with the number of its entries.';
comment on column tasker.selections.more is
  'Whether more entries matched than a selection holds.';
comment on column tasker.selections.namespaces is
  'The namespaces of the entries. A caller that may work in all of these namespaces sees the selection.';
-- <<<

-- >>> db/schema/tables/operate/mass/mass_actions.sql
create table tasker.mass_actions (
  selection_uuid  uuid         not null,
  namespaces      text[]       not null,
  action          text         not null,
  arguments       jsonb        not null,
  entries         integer      not null,
  reason          text         not null,
  canary          boolean      not null,
  canary_seconds  integer      not null,
  per_minute      integer,
  stop_share      numeric      not null,
  started_at      timestamptz  not null  default tasker.clock(),
  started_by      text         not null,
  started_login   text         not null,
  state           text         not null  default 'running',
  stopped_by      text,
  stopped_why     text,
  ended_at        timestamptz,
  stage           smallint     not null,
  stage_at        timestamptz  not null  default tasker.clock(),
  since           timestamptz  not null  default tasker.clock(),
  paced           integer      not null  default 0,
  acted_at        timestamptz,
  ran_at          timestamptz,
  judged_to       integer      not null  default 0,
  waits           integer      not null,
  open            integer      not null  default 0,
  passed          integer      not null  default 0,
  failed          integer      not null  default 0,
  skipped         integer      not null  default 0,

  constraint mass_actions_pkey
    primary key (selection_uuid),
  constraint mass_actions_selection_uuid_fkey
    foreign key (selection_uuid) references tasker.selections (selection_uuid) on delete cascade,
  constraint mass_actions_action_check
    check (action in ('reset', 'cancel', 'fork', 'resolve', 'retry', 'complete', 'requeue')),
  constraint mass_actions_state_check
    check (state in ('running', 'stopped', 'done')),
  constraint mass_actions_stage_check
    check (stage between 1 and 3),
  constraint mass_actions_stopped_check
    check ((state = 'stopped') = (stopped_by is not null)),
  constraint mass_actions_ended_check
    check ((state = 'done') = (ended_at is not null)),
  constraint mass_actions_counts_check
    check (waits + open + passed + failed + skipped = entries)
);

create index mass_actions_due_idx
  on tasker.mass_actions (ran_at nulls first)
  where state = 'running' or state = 'done' and open > 0;

create index mass_actions_stopped_idx
  on tasker.mass_actions (selection_uuid)
  where state = 'stopped';

comment on index tasker.mass_actions_stopped_idx is
  'Serves incidents: the mass actions that stopped before their end.';
comment on index tasker.mass_actions_due_idx is
  'Serves the maintenance duty mass_actions: the mass actions that have entries to act on, or outcomes to check.';

comment on table tasker.mass_actions is
  'Actions on selections, at most one action on each selection. The maintenance duty mass_actions acts on the entries in bounded batches.';
comment on column tasker.mass_actions.arguments is
  'The arguments of the action: version, from_step and cancel of a fork, results of a completion.';
comment on column tasker.mass_actions.stage is
  'The stage of the action. Stage 1 acts on one entry, stage 2 on ten more, and stage 3 on the rest. A stage begins when the outcomes of the stage before are known.';
comment on column tasker.mass_actions.since is
  'The time when the action was started or last resumed. The canary and the stop rule count the entries that were acted on since then.';
comment on column tasker.mass_actions.paced is
  'The number of entries that the action has acted on since the third stage began. This number is compared with the rate.';
comment on column tasker.mass_actions.stop_share is
  'The largest allowed share of failures among the known outcomes. The action stops when the share is larger.';
comment on column tasker.mass_actions.stopped_by is
  'The operator who stopped the action, or "stop rule" or "canary".';
comment on column tasker.mass_actions.judged_to is
  'The last entry whose outcome was checked. The next check begins after this entry.';
-- <<<

-- >>> db/schema/tables/operate/erase/erasures.sql
create table tasker.erasures (
  task_uuid  uuid         not null,
  namespace  text         not null,
  root_uuid  uuid         not null,
  erased_at  timestamptz  not null,
  erased_by  text         not null,
  reason     text         not null,
  steps      integer      not null,
  digest     text         not null,
  remains    text         not null,

  constraint erasures_pkey
    primary key (task_uuid),
  constraint erasures_digests_check
    check (length(digest) = 64 and length(remains) = 64 and translate(digest || remains, '0123456789abcdef', '') = '')
);

comment on table tasker.erasures is
  'The tasks whose data was erased, with the caller, the time and the reason. A row remains after retention drops its task. The table is not partitioned.';
comment on column tasker.erasures.root_uuid is
  'The task for which the erasure was requested: the task itself, or a task above it.';
comment on column tasker.erasures.erased_by is
  'The name that the caller gave for itself, or else its role. tasker.administration_log also has the login.';
comment on column tasker.erasures.digest is
  'SHA-256, in hexadecimal digits, of the rows of the task before the erasure (tasker.run_digest). A copy, such as a backup, can be compared with this digest.';
comment on column tasker.erasures.remains is
  'SHA-256 of the rows that the erasure left. tasker.check_integrity() computes it again.';
-- <<<

-- >>> db/schema/triggers/operate/administration/administration.sql
-- The triggers fire after the change, so that a refused change leaves no entry. The engine's own writes call no trigger function:
-- the trigger on updates of a subscription names columns, and the trigger on updates of a schedule has a condition.
create or replace trigger access_maps_log_change
  after insert or update or delete on tasker.access_maps
  for each row execute function tasker.log_administration();

create or replace trigger access_maps_log_truncate
  after truncate on tasker.access_maps
  for each statement execute function tasker.log_administration();

create or replace trigger access_sessions_log_change
  after insert or update of issuer, subject, email, signed_in_at, ends_at, ended_at, ended_by or delete on tasker.access_sessions
  for each row execute function tasker.log_administration();

create or replace trigger access_sessions_log_truncate
  after truncate on tasker.access_sessions
  for each statement execute function tasker.log_administration();

create or replace trigger access_tokens_log_change
  after insert or update or delete on tasker.access_tokens
  for each row execute function tasker.log_administration();

create or replace trigger access_tokens_log_truncate
  after truncate on tasker.access_tokens
  for each statement execute function tasker.log_administration();

create or replace trigger handler_pauses_log_change
  after insert or update or delete on tasker.handler_pauses
  for each row execute function tasker.log_administration();

create or replace trigger handler_pauses_log_truncate
  after truncate on tasker.handler_pauses
  for each statement execute function tasker.log_administration();

create or replace trigger incident_acknowledgements_log_change
  after insert or update or delete on tasker.incident_acknowledgements
  for each row execute function tasker.log_administration();

create or replace trigger incident_acknowledgements_log_truncate
  after truncate on tasker.incident_acknowledgements
  for each statement execute function tasker.log_administration();

create or replace trigger limit_bounds_log_change
  after insert or update or delete on tasker.limit_bounds
  for each row execute function tasker.log_administration();

create or replace trigger limit_bounds_log_truncate
  after truncate on tasker.limit_bounds
  for each statement execute function tasker.log_administration();

create or replace trigger limits_log_change
  after insert or update or delete on tasker.limits
  for each row execute function tasker.log_administration();

create or replace trigger limits_log_truncate
  after truncate on tasker.limits
  for each statement execute function tasker.log_administration();

create or replace trigger mass_actions_log_update
  after update of state, stopped_by, stopped_why, ended_at, arguments, reason on tasker.mass_actions
  for each row
  when (old.state <> new.state or (old.arguments, old.reason) is distinct from (new.arguments, new.reason))
  execute function tasker.log_administration();

create or replace trigger mass_actions_log_change
  after insert or delete on tasker.mass_actions
  for each row execute function tasker.log_administration();

create or replace trigger mass_actions_log_truncate
  after truncate on tasker.mass_actions
  for each statement execute function tasker.log_administration();

create or replace trigger named_tasks_log_change
  after insert or update or delete on tasker.named_tasks
  for each row execute function tasker.log_administration();

create or replace trigger named_tasks_log_truncate
  after truncate on tasker.named_tasks
  for each statement execute function tasker.log_administration();

create or replace trigger partition_config_log_change
  after insert or update or delete on tasker.partition_config
  for each row execute function tasker.log_administration();

create or replace trigger partition_config_log_truncate
  after truncate on tasker.partition_config
  for each statement execute function tasker.log_administration();

create or replace trigger partition_ranges_log_change
  after insert or update of starts_at, ends_at, suffix, evacuations or delete on tasker.partition_ranges
  for each row execute function tasker.log_administration();

create or replace trigger partition_ranges_log_truncate
  after truncate on tasker.partition_ranges
  for each statement execute function tasker.log_administration();

create or replace trigger retentions_log_change
  after insert or update or delete on tasker.retentions
  for each row execute function tasker.log_administration();

create or replace trigger retentions_log_truncate
  after truncate on tasker.retentions
  for each statement execute function tasker.log_administration();

create or replace trigger role_bindings_log_change
  after insert or update or delete on tasker.role_bindings
  for each row execute function tasker.log_administration();

create or replace trigger role_bindings_log_truncate
  after truncate on tasker.role_bindings
  for each statement execute function tasker.log_administration();

create or replace trigger sql_roles_log_change
  after insert or update or delete on tasker.sql_roles
  for each row execute function tasker.log_administration();

create or replace trigger sql_roles_log_truncate
  after truncate on tasker.sql_roles
  for each statement execute function tasker.log_administration();

create or replace trigger schedules_log_update
  after update on tasker.schedules
  for each row
  when (
    (old.task_name, old.task_version, old.cron, old.every_seconds, old.timezone, old.jitter_seconds, old.starts_at, old.ends_at, old.catch_up,
     old.catch_up_limit, old.overlap, old.context, old.priority, old.tags, old.deadline_seconds, old.paused_at, old.paused_by,
     old.backfill_until, old.updated_by, old.updated_at, old.creator_namespaces, old.namespace, old.schedule)
    is distinct from
    (new.task_name, new.task_version, new.cron, new.every_seconds, new.timezone, new.jitter_seconds, new.starts_at, new.ends_at, new.catch_up,
     new.catch_up_limit, new.overlap, new.context, new.priority, new.tags, new.deadline_seconds, new.paused_at, new.paused_by,
     new.backfill_until, new.updated_by, new.updated_at, new.creator_namespaces, new.namespace, new.schedule)
  )
  execute function tasker.log_administration();

create or replace trigger schedules_log_change
  after insert or delete on tasker.schedules
  for each row execute function tasker.log_administration();

create or replace trigger schedules_log_truncate
  after truncate on tasker.schedules
  for each statement execute function tasker.log_administration();

create or replace trigger settings_log_change
  after insert or update or delete on tasker.settings
  for each row execute function tasker.log_administration();

create or replace trigger settings_log_truncate
  after truncate on tasker.settings
  for each statement execute function tasker.log_administration();

create or replace trigger subscriptions_log_update
  after update of subscription, namespaces, templates, kinds, events, target, placed_at, updated_at, updated_by on tasker.subscriptions
  for each row execute function tasker.log_administration();

create or replace trigger subscriptions_log_change
  after insert or delete on tasker.subscriptions
  for each row execute function tasker.log_administration();

create or replace trigger subscriptions_log_truncate
  after truncate on tasker.subscriptions
  for each statement execute function tasker.log_administration();

create or replace trigger task_namespaces_log_change
  after insert or update or delete on tasker.task_namespaces
  for each row execute function tasker.log_administration();

create or replace trigger task_namespaces_log_truncate
  after truncate on tasker.task_namespaces
  for each statement execute function tasker.log_administration();

create or replace trigger administration_log_append_only
  before update or delete on tasker.administration_log
  for each row execute function tasker.refuse_log_change('administration_log');

create or replace trigger administration_log_no_truncate
  before truncate on tasker.administration_log
  for each statement execute function tasker.refuse_log_change('administration_log');

comment on trigger access_maps_log_change on tasker.access_maps is
  'Writes tasker.administration_log.';
comment on trigger access_maps_log_truncate on tasker.access_maps is
  'Writes tasker.administration_log.';
comment on trigger access_sessions_log_change on tasker.access_sessions is
  'Writes tasker.administration_log.';
comment on trigger access_sessions_log_truncate on tasker.access_sessions is
  'Writes tasker.administration_log.';
comment on trigger access_tokens_log_change on tasker.access_tokens is
  'Writes tasker.administration_log.';
comment on trigger access_tokens_log_truncate on tasker.access_tokens is
  'Writes tasker.administration_log.';
comment on trigger handler_pauses_log_change on tasker.handler_pauses is
  'Writes the object before and after the change into tasker.administration_log, with the caller and the reason.';
comment on trigger handler_pauses_log_truncate on tasker.handler_pauses is
  'Writes into tasker.administration_log that all rows were deleted.';
comment on trigger incident_acknowledgements_log_change on tasker.incident_acknowledgements is
  'Writes the object before and after the change into tasker.administration_log, with the caller and the reason.';
comment on trigger incident_acknowledgements_log_truncate on tasker.incident_acknowledgements is
  'Writes into tasker.administration_log that all rows were deleted.';
comment on trigger limit_bounds_log_change on tasker.limit_bounds is
  'Writes tasker.administration_log.';
comment on trigger limit_bounds_log_truncate on tasker.limit_bounds is
  'Writes tasker.administration_log.';
comment on trigger limits_log_change on tasker.limits is
  'Writes tasker.administration_log.';
comment on trigger limits_log_truncate on tasker.limits is
  'Writes tasker.administration_log.';
comment on trigger mass_actions_log_update on tasker.mass_actions is
  'Writes tasker.administration_log.';
comment on trigger mass_actions_log_change on tasker.mass_actions is
  'Writes tasker.administration_log.';
comment on trigger mass_actions_log_truncate on tasker.mass_actions is
  'Writes tasker.administration_log.';
comment on trigger named_tasks_log_change on tasker.named_tasks is
  'Writes tasker.administration_log.';
comment on trigger named_tasks_log_truncate on tasker.named_tasks is
  'Writes tasker.administration_log.';
comment on trigger partition_config_log_change on tasker.partition_config is
  'Writes tasker.administration_log.';
comment on trigger partition_config_log_truncate on tasker.partition_config is
  'Writes tasker.administration_log.';
comment on trigger partition_ranges_log_change on tasker.partition_ranges is
  'Writes tasker.administration_log.';
comment on trigger partition_ranges_log_truncate on tasker.partition_ranges is
  'Writes tasker.administration_log.';
comment on trigger retentions_log_change on tasker.retentions is
  'Writes tasker.administration_log.';
comment on trigger retentions_log_truncate on tasker.retentions is
  'Writes tasker.administration_log.';
comment on trigger role_bindings_log_change on tasker.role_bindings is
  'Writes tasker.administration_log.';
comment on trigger role_bindings_log_truncate on tasker.role_bindings is
  'Writes tasker.administration_log.';
comment on trigger sql_roles_log_change on tasker.sql_roles is
  'Writes tasker.administration_log.';
comment on trigger sql_roles_log_truncate on tasker.sql_roles is
  'Writes tasker.administration_log.';
comment on trigger schedules_log_update on tasker.schedules is
  'Writes tasker.administration_log.';
comment on trigger schedules_log_change on tasker.schedules is
  'Writes tasker.administration_log.';
comment on trigger schedules_log_truncate on tasker.schedules is
  'Writes tasker.administration_log.';
comment on trigger settings_log_change on tasker.settings is
  'Writes tasker.administration_log.';
comment on trigger settings_log_truncate on tasker.settings is
  'Writes tasker.administration_log.';
comment on trigger subscriptions_log_update on tasker.subscriptions is
  'Writes tasker.administration_log.';
comment on trigger subscriptions_log_change on tasker.subscriptions is
  'Writes tasker.administration_log.';
comment on trigger subscriptions_log_truncate on tasker.subscriptions is
  'Writes tasker.administration_log.';
comment on trigger task_namespaces_log_change on tasker.task_namespaces is
  'Writes tasker.administration_log.';
comment on trigger task_namespaces_log_truncate on tasker.task_namespaces is
  'Writes tasker.administration_log.';
comment on trigger administration_log_append_only on tasker.administration_log is
  'Refuses, with TK403, every change of a row.';
comment on trigger administration_log_no_truncate on tasker.administration_log is
  'Refuses, with TK403, to truncate the table.';
-- <<<

-- >>> db/schema/triggers/operate/administration/administration_always.sql
-- down: nothing
-- Like the guards of tasks, these triggers also fire in sessions with session_replication_role = replica.
alter table tasker.access_maps
  enable always trigger access_maps_log_change,
  enable always trigger access_maps_log_truncate;

alter table tasker.access_sessions
  enable always trigger access_sessions_log_change,
  enable always trigger access_sessions_log_truncate;

alter table tasker.access_tokens
  enable always trigger access_tokens_log_change,
  enable always trigger access_tokens_log_truncate;

alter table tasker.handler_pauses
  enable always trigger handler_pauses_log_change,
  enable always trigger handler_pauses_log_truncate;

alter table tasker.incident_acknowledgements
  enable always trigger incident_acknowledgements_log_change,
  enable always trigger incident_acknowledgements_log_truncate;

alter table tasker.limit_bounds
  enable always trigger limit_bounds_log_change,
  enable always trigger limit_bounds_log_truncate;

alter table tasker.limits
  enable always trigger limits_log_change,
  enable always trigger limits_log_truncate;

alter table tasker.mass_actions
  enable always trigger mass_actions_log_update,
  enable always trigger mass_actions_log_change,
  enable always trigger mass_actions_log_truncate;

alter table tasker.named_tasks
  enable always trigger named_tasks_log_change,
  enable always trigger named_tasks_log_truncate;

alter table tasker.partition_config
  enable always trigger partition_config_log_change,
  enable always trigger partition_config_log_truncate;

alter table tasker.partition_ranges
  enable always trigger partition_ranges_log_change,
  enable always trigger partition_ranges_log_truncate;

alter table tasker.retentions
  enable always trigger retentions_log_change,
  enable always trigger retentions_log_truncate;

alter table tasker.role_bindings
  enable always trigger role_bindings_log_change,
  enable always trigger role_bindings_log_truncate;
alter table tasker.sql_roles
  enable always trigger sql_roles_log_change,
  enable always trigger sql_roles_log_truncate;

alter table tasker.schedules
  enable always trigger schedules_log_change,
  enable always trigger schedules_log_truncate,
  enable always trigger schedules_log_update;

alter table tasker.settings
  enable always trigger settings_log_change,
  enable always trigger settings_log_truncate;

alter table tasker.subscriptions
  enable always trigger subscriptions_log_change,
  enable always trigger subscriptions_log_truncate,
  enable always trigger subscriptions_log_update;

alter table tasker.task_namespaces
  enable always trigger task_namespaces_log_change,
  enable always trigger task_namespaces_log_truncate;

alter table tasker.administration_log
  enable always trigger administration_log_append_only,
  enable always trigger administration_log_no_truncate;
-- <<<

-- >>> db/schema/triggers/operate/erase/erasures.sql
create or replace trigger erasures_refuse_change
  before update or delete on tasker.erasures
  for each row execute function tasker.refuse_log_change('erasures');

create or replace trigger erasures_no_truncate
  before truncate on tasker.erasures
  for each statement execute function tasker.refuse_log_change('erasures');

create or replace trigger erasures_log_change
  after insert or update or delete on tasker.erasures
  for each row execute function tasker.log_administration();

create or replace trigger erasures_log_truncate
  after truncate on tasker.erasures
  for each statement execute function tasker.log_administration();

comment on trigger erasures_refuse_change on tasker.erasures is
  'Refuses, with TK403, every change of a row.';
comment on trigger erasures_no_truncate on tasker.erasures is
  'Refuses, with TK403, to truncate the table.';
comment on trigger erasures_log_change on tasker.erasures is
  'Writes tasker.administration_log.';
comment on trigger erasures_log_truncate on tasker.erasures is
  'Writes tasker.administration_log.';
-- <<<

-- >>> db/schema/triggers/operate/erase/erasures_always.sql
-- down: nothing
-- As in triggers/always.sql: the guards also fire on a replica.
alter table tasker.erasures
  enable always trigger erasures_refuse_change,
  enable always trigger erasures_no_truncate,
  enable always trigger erasures_log_change,
  enable always trigger erasures_log_truncate;
-- <<<

insert into tasker.schema_builds (version, files) values ('20261121001255', 'data/administered_tables 8c869d970982b538
functions/features/feed/private/shown_subscription 560fb71cd7f09b45
functions/kernel/access/private/administer 51125778afcf01a7
functions/kernel/access/private/administered_table c8544d3e7f238283
functions/kernel/access/private/calling_function 0ab352cbd0abce2d
functions/kernel/access/private/current_act c1dd371cc56af0c6
functions/kernel/access/private/function_on_stack ec36e61e9e5513e5
functions/kernel/access/private/note_administration 459220c369408638
functions/operate/administration/list_administration e0a171a70cae381d
functions/operate/administration/private/administered_row cece36b875891ee3
functions/operate/administration/private/log_administration 84d1765421dea8c1
functions/operate/administration/private/object_key 150e2b87e9fa59a9
functions/operate/administration/private/object_namespaces ab22622da166da9b
rows/operate/administration/administration_entries 63668cae530e5857
tables/operate/administration/administered_tables b562f8bfc582e57b
tables/operate/administration/administration_log e0a65fb6fd24e171
tables/operate/erase/erasures 463f4b6fe25b55db
tables/operate/incidents/incident_acknowledgements 0508171aedfee498
tables/operate/mass/mass_actions 8040e5c4e758de55
tables/operate/partitions/retentions 43c67c259cd2c507
tables/operate/selections/selections c938cefc35c9773f
triggers/operate/administration/administration 71287acf3502cc40
triggers/operate/administration/administration_always e4610b8e39463ed0
triggers/operate/erase/erasures 6f6a9472c97c313b
triggers/operate/erase/erasures_always dc3cd56c89bcf09d
');

select tasker.note_objects();

reset role;

-- migrate:down
set local citus.enable_ddl_propagation = off; -- Citus would repeat this on its worker nodes
set local role tasker_owner;

delete from tasker.schema_builds where version = '20261121001255';

drop trigger erasures_log_truncate on tasker.erasures;
drop trigger erasures_log_change on tasker.erasures;
drop trigger erasures_no_truncate on tasker.erasures;
drop trigger erasures_refuse_change on tasker.erasures;
drop trigger administration_log_no_truncate on tasker.administration_log;
drop trigger administration_log_append_only on tasker.administration_log;
drop trigger task_namespaces_log_truncate on tasker.task_namespaces;
drop trigger task_namespaces_log_change on tasker.task_namespaces;
drop trigger subscriptions_log_truncate on tasker.subscriptions;
drop trigger subscriptions_log_change on tasker.subscriptions;
drop trigger subscriptions_log_update on tasker.subscriptions;
drop trigger settings_log_truncate on tasker.settings;
drop trigger settings_log_change on tasker.settings;
drop trigger schedules_log_truncate on tasker.schedules;
drop trigger schedules_log_change on tasker.schedules;
drop trigger schedules_log_update on tasker.schedules;
drop trigger sql_roles_log_truncate on tasker.sql_roles;
drop trigger sql_roles_log_change on tasker.sql_roles;
drop trigger role_bindings_log_truncate on tasker.role_bindings;
drop trigger role_bindings_log_change on tasker.role_bindings;
drop trigger retentions_log_truncate on tasker.retentions;
drop trigger retentions_log_change on tasker.retentions;
drop trigger partition_ranges_log_truncate on tasker.partition_ranges;
drop trigger partition_ranges_log_change on tasker.partition_ranges;
drop trigger partition_config_log_truncate on tasker.partition_config;
drop trigger partition_config_log_change on tasker.partition_config;
drop trigger named_tasks_log_truncate on tasker.named_tasks;
drop trigger named_tasks_log_change on tasker.named_tasks;
drop trigger mass_actions_log_truncate on tasker.mass_actions;
drop trigger mass_actions_log_change on tasker.mass_actions;
drop trigger mass_actions_log_update on tasker.mass_actions;
drop trigger limits_log_truncate on tasker.limits;
drop trigger limits_log_change on tasker.limits;
drop trigger limit_bounds_log_truncate on tasker.limit_bounds;
drop trigger limit_bounds_log_change on tasker.limit_bounds;
drop trigger incident_acknowledgements_log_truncate on tasker.incident_acknowledgements;
drop trigger incident_acknowledgements_log_change on tasker.incident_acknowledgements;
drop trigger handler_pauses_log_truncate on tasker.handler_pauses;
drop trigger handler_pauses_log_change on tasker.handler_pauses;
drop trigger access_tokens_log_truncate on tasker.access_tokens;
drop trigger access_tokens_log_change on tasker.access_tokens;
drop trigger access_sessions_log_truncate on tasker.access_sessions;
drop trigger access_sessions_log_change on tasker.access_sessions;
drop trigger access_maps_log_truncate on tasker.access_maps;
drop trigger access_maps_log_change on tasker.access_maps;
drop table tasker.erasures;
drop table tasker.mass_actions;
drop table tasker.selections;
drop table tasker.incident_acknowledgements;
drop function tasker.list_administration;
drop function tasker.shown_subscription;
drop function tasker.note_administration;
drop function tasker.log_administration;
drop function tasker.administered_row;
drop function tasker.object_key;
drop function tasker.object_namespaces;
drop function tasker.administer;
drop function tasker.calling_function;
drop function tasker.function_on_stack;
drop function tasker.administered_table;
drop function tasker.current_act;
drop view tasker.administration_entries;
drop table tasker.administration_log;
delete from tasker.administered_tables;
drop table tasker.administered_tables;
drop table tasker.retentions;

select tasker.note_objects();

reset role;
