-- mass_actions: sets of tasks, steps and dead letters, and what is done to each of them
-- Composed from db/schema: edit there, then compose again. Frozen by the first release tag.

-- migrate:up
set local citus.enable_ddl_propagation = off; -- Citus would repeat this on its worker nodes
set local role tasker_owner;

-- >>> db/schema/rows/operate/selections/selected_objects.sql
create or replace view tasker.selected_objects as
select
  '00000000-0000-0000-0000-000000000000'::uuid as object_uuid,
  '00000000-0000-0000-0000-000000000000'::uuid as task_uuid,
  null::text as namespace
where false;

comment on view tasker.selected_objects is
  'Row type: a task, a step or a dead-letter entry that a selection may have, with its task.';
-- <<<

-- >>> db/schema/rows/operate/selections/selection_previews.sql
create or replace view tasker.selection_previews as
select
  ''::text as words,
  0::integer as entries,
  false::boolean as more,
  ''::text as digest
where false;

comment on view tasker.selection_previews is
  'Row type: the entries that a selection would have now. The digest identifies exactly these entries.';
-- <<<

-- >>> db/schema/rows/operate/selections/selection_details.sql
create or replace view tasker.selection_details as
select
  '00000000-0000-0000-0000-000000000000'::uuid as selection_uuid,
  ''::text as kind,
  '{}'::jsonb as filters,
  ''::text as words,
  0::integer as entries,
  false::boolean as more,
  '{}'::text[] as namespaces,
  '-infinity'::timestamptz as created_at,
  ''::text as created_by,
  null::text as action
where false;

comment on view tasker.selection_details is
  'Row type: a selection. The column action is null if the selection has no mass action.';
-- <<<

-- >>> db/schema/rows/operate/selections/selection_entry_details.sql
create or replace view tasker.selection_entry_details as
select
  0::integer as entry_no,
  '00000000-0000-0000-0000-000000000000'::uuid as object_uuid,
  '00000000-0000-0000-0000-000000000000'::uuid as task_uuid,
  null::text as namespace,
  null::text as task_name,
  null::text as task_version,
  null::text as step_name,
  null::text as current_state,
  ''::text as state,
  null::timestamptz as acted_at,
  null::uuid as result_uuid,
  null::text as note
where false;

comment on view tasker.selection_entry_details is
  'Row type: an entry of a selection, the present state of its task or step, and the outcome of the mass action for it.';
-- <<<

-- >>> db/schema/tables/operate/selections/selection_entries.sql
create table tasker.selection_entries (
  selection_uuid  uuid         not null,
  entry_no        integer      not null,
  object_uuid     uuid         not null,
  task_uuid       uuid         not null,
  state           text         not null  default 'waits',
  tries           smallint     not null  default 0,
  acted_at        timestamptz,
  watch           integer[],
  result_uuid     uuid,
  note            text,

  constraint selection_entries_pkey
    primary key (selection_uuid, entry_no),
  constraint selection_entries_object_key
    unique (selection_uuid, object_uuid),
  constraint selection_entries_selection_uuid_fkey
    foreign key (selection_uuid) references tasker.selections (selection_uuid) on delete cascade,
  constraint selection_entries_state_check
    check (state in ('waits', 'open', 'passed', 'failed', 'skipped')),
  constraint selection_entries_acted_check
    check ((state in ('open', 'passed', 'failed')) = (acted_at is not null))
);

create index selection_entries_state_idx
  on tasker.selection_entries (selection_uuid, state, entry_no);

create index selection_entries_task_idx
  on tasker.selection_entries (task_uuid);

comment on index tasker.selection_entries_state_idx is
  'Serves mass actions: the next entries that wait, and the entries whose outcome is not known yet.';

comment on index tasker.selection_entries_task_idx is
  'Serves erasures: the selections that have a task.';

comment on table tasker.selection_entries is
  'The tasks, steps or dead letters of a selection, and the outcome of the mass action for each. The table has no foreign key to run tables, because retention drops their partitions.';
comment on column tasker.selection_entries.state is
  'waits: the action has not reached the entry; open: the action has acted on the entry, but the outcome is not known yet; passed; failed: the entry failed again; skipped: the action did not apply to the entry. An entry leaves the state waits only once, in the transaction that acts on it.';
comment on column tasker.selection_entries.tries is
  'The number of times that another transaction held the task when the action tried to act on the entry.';
comment on column tasker.selection_entries.watch is
  'The steps that decide the outcome of the entry. They had failed when the mass action reached the entry.';
comment on column tasker.selection_entries.result_uuid is
  'The task that a fork created for the entry.';
-- <<<

-- >>> db/schema/rows/operate/mass/mass_action_details.sql
create or replace view tasker.mass_action_details as
select
  '00000000-0000-0000-0000-000000000000'::uuid as selection_uuid,
  ''::text as kind,
  ''::text as words,
  0::integer as entries,
  ''::text as action,
  '{}'::jsonb as arguments,
  ''::text as reason,
  ''::text as state,
  0::smallint as stage,
  false::boolean as canary,
  0::integer as canary_seconds,
  null::integer as per_minute,
  0::double precision as stop_share,
  '-infinity'::timestamptz as started_at,
  ''::text as started_by,
  null::text as stopped_by,
  null::text as stopped_why,
  null::timestamptz as ended_at,
  null::timestamptz as ran_at,
  0::integer as waits,
  0::integer as open,
  0::integer as passed,
  0::integer as failed,
  0::integer as skipped,
  '{}'::text[] as namespaces
where false;

comment on view tasker.mass_action_details is
  'Row type: a mass action, its selection in words, and its progress.';
-- <<<

-- >>> db/schema/functions/operate/selections/private/check_selection.sql
create or replace function tasker.check_selection(p_kind text, p_filters jsonb, p_ids uuid[], p_limit integer)
  returns void
  language plpgsql
  immutable
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_takes text[] := case p_kind
    when 'tasks' then '{namespace,name,version,state,tags,correlation_id,requested_after,requested_before,incident,identity_key,initiator,schedule,handler,step,error,longer_than,attributes,where}'
    when 'steps' then '{incident}'
    when 'dead_letters' then '{namespace,reason,status}'
  end;
  v_wrong text;
begin
  if v_takes is null then
    raise exception using
      errcode = 'TK422',
      message = format('a selection has no kind %s', coalesce('"' || left(p_kind, 40) || '"', 'null')),
      hint    = 'Select tasks, steps or dead_letters.';
  end if;
  if coalesce(p_limit not between 1 and 10000, true) then
    raise exception using
      errcode = 'TK422',
      message = format('a selection of at most %s is not possible', coalesce(p_limit::text, 'null')),
      hint    = 'A selection has 1 to 10,000 entries.';
  end if;
  perform tasker.check_array_size('entries', coalesce(cardinality(p_ids), 0), 10000);
  if jsonb_typeof(p_filters) is distinct from 'object' then
    raise exception using
      errcode = 'TK422',
      message = 'the filters of a selection are not a JSON object',
      hint    = 'Pass an object, such as {"namespace": "shop", "state": "error"}.';
  end if;
  if (p_filters = '{}') = (coalesce(cardinality(p_ids), 0) = 0) then
    raise exception using
      errcode = 'TK422',
      message = case when p_filters = '{}' then 'a selection without a filter would select everything' else 'a selection has filters or names its entries, not both' end,
      hint    = format('Name the entries, or filter by %s.', array_to_string(v_takes, ', '));
  end if;
  perform tasker.check_text_size('filters', p_filters::text, 20000);

  select k.name into v_wrong from jsonb_object_keys(p_filters) as k (name) where k.name <> all (v_takes) order by k.name limit 1;
  if v_wrong is not null then
    raise exception using
      errcode = 'TK422',
      message = format('a selection of %s has no filter "%s"', replace(p_kind, '_', ' '), left(v_wrong, 60)),
      hint    = coalesce(format('Did you mean "%s"? ', tasker.nearest_name(left(v_wrong, 60), v_takes)), '')
        || format('The filters are %s.', array_to_string(v_takes, ', '));
  end if;
  if p_filters ->> 'status' <> 'pending' then
    raise exception using
      errcode = 'TK422',
      message = 'only open dead letters can be selected',
      hint    = 'The filter "status" is pending, or left out.';
  end if;
  if p_filters ? 'incident' and p_filters - 'incident' <> '{}' then
    raise exception using
      errcode = 'TK422',
      message = 'the filter "incident" goes with no other filter',
      hint    = 'Its steps, or their tasks, are the exact set that the incident concerns.';
  end if;
  select f.key
    into v_wrong
    from jsonb_each(p_filters) as f
   where jsonb_typeof(f.value) <> case when f.key in ('tags', 'attributes') then 'array' else 'string' end
      or f.key in ('tags', 'attributes') and jsonb_path_exists(f.value, '$[*] ? (@.type() <> "string")')
   order by f.key
   limit 1;
  if v_wrong is not null then
    raise exception using
      errcode = 'TK422',
      message = format('the filter "%s" is not %s', v_wrong, case when v_wrong = 'tags' then 'an array of texts' else 'a text' end),
      hint    = case when v_wrong = 'tags' then 'Pass an array, such as ["urgent"].' else 'Pass a JSON string.' end;
  end if;
end;
$$;

comment on function tasker.check_selection is
$$Raises TK422 for an unknown kind or filter, for a filter of another type, for neither or both of filters and entries,
or for a limit out of range, and TK413 for more than 10,000 entries.$$;
-- <<<

-- >>> db/schema/functions/operate/selections/private/filter_time.sql
create or replace function tasker.filter_time(p_filters jsonb, p_name text)
  returns timestamptz
  language plpgsql
  stable
  set search_path = pg_catalog, pg_temp
as $$
begin
  return (p_filters ->> p_name)::timestamptz;
exception
  when invalid_datetime_format or datetime_field_overflow or invalid_parameter_value then
    raise exception using
      errcode = 'TK422',
      message = format('the filter "%s" is not a time', p_name),
      detail  = format('It is "%s".', left(p_filters ->> p_name, 100)),
      hint    = 'Pass a time, such as 2026-03-01T08:00:00Z.';
end;
$$;

comment on function tasker.filter_time is
$$Returns the value of a filter of a selection as a time, or null if the selection has no such filter. Raises TK422 if
the value is not a time.$$;
-- <<<

-- >>> db/schema/functions/operate/selections/private/find_selected.sql
create or replace function tasker.find_selected(p_kind text, p_filters jsonb, p_limit integer, p_before uuid default null)
  returns setof tasker.selected_objects
  language plpgsql
  stable
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_correlation uuid;
  v_longer      interval;
begin
  if p_kind = 'steps' then
    return query
    select s.step_uuid, s.task_uuid, s.namespace from tasker.list_incident_steps(p_filters ->> 'incident', p_before, p_limit) as s;
    return;
  elsif p_filters ? 'incident' then
    return query
    select s.task_uuid, s.task_uuid, min(s.namespace)
      from tasker.list_incident_steps(p_filters ->> 'incident', p_before, 10000) as s
     group by s.task_uuid
     order by s.task_uuid
     limit p_limit;
    return;
  elsif p_kind = 'dead_letters' then
    return query
    select d.dlq_entry_uuid, d.task_uuid, d.namespace_name
      from tasker.list_dlq_entries('pending', p_filters ->> 'reason', p_filters ->> 'namespace', null, p_before, p_limit) as d;
    return;
  end if;

  begin
    v_correlation := (p_filters ->> 'correlation_id')::uuid;
  exception
    when invalid_text_representation then
      raise exception using
        errcode = 'TK422',
        message = 'the filter "correlation_id" is not a UUID',
        hint    = 'Pass the correlation id of the tasks.';
  end;
  begin
    v_longer := (p_filters ->> 'longer_than')::interval;
  exception
    when invalid_datetime_format or datetime_field_overflow then
      raise exception using
        errcode = 'TK422',
        message = 'the filter "longer_than" is not a length of time',
        hint    = 'Pass an interval, such as 10 minutes.';
  end;
  return query
  select t.task_uuid, t.task_uuid, t.namespace
    from tasker.list_tasks(
      p_filters ->> 'namespace', p_filters ->> 'name', p_filters ->> 'version', p_filters ->> 'state',
      case when p_filters ? 'tags' then array(select jsonb_array_elements_text(p_filters -> 'tags')) end,
      v_correlation, tasker.filter_time(p_filters, 'requested_after'), tasker.filter_time(p_filters, 'requested_before'), p_before, p_limit,
      p_identity_key => p_filters ->> 'identity_key', p_initiator => p_filters ->> 'initiator', p_schedule => p_filters ->> 'schedule',
      p_handler => p_filters ->> 'handler', p_step => p_filters ->> 'step', p_error => p_filters ->> 'error',
      p_longer_than => v_longer,
      p_attributes => case when p_filters ? 'attributes' then array(select jsonb_array_elements_text(p_filters -> 'attributes')) end,
      p_where => p_filters ->> 'where'
    ) as t;
end;
$$;

comment on function tasker.find_selected is
$$Returns the entries that match the filters of a selection, from the function that lists such entries. The order is
newest first, but the steps of an incident are in the order of task and step number. The next page begins after
p_before.$$;
-- <<<

-- >>> db/schema/functions/operate/selections/private/find_named.sql
create or replace function tasker.find_named(p_kind text, p_ids uuid[])
  returns setof tasker.selected_objects
  language plpgsql
  stable
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_unknown uuid;
begin
  if p_kind = 'dead_letters' then
    perform tasker.check_bound_dlq_entry(u.id) from unnest(p_ids) as u (id);
    select u.id
      into v_unknown
      from unnest(p_ids) as u (id)
     where not exists (select from tasker.tasks_dlq as d where d.dlq_entry_uuid = u.id)
     order by u.id
     limit 1;
    if v_unknown is not null then
      perform tasker.raise_dlq_entry_not_found(v_unknown);
    end if;
    return query
    select d.dlq_entry_uuid, d.task_uuid, d.task_snapshot #>> '{task,namespace}'
      from tasker.tasks_dlq as d
     where d.dlq_entry_uuid = any (p_ids)
     order by d.dlq_entry_uuid;
    return;
  end if;

  perform tasker.check_bound_steps(p_ids);
  if p_kind = 'steps' then
    perform tasker.check_step_exists(u.id) from unnest(p_ids) as u (id) order by u.id;
  else
    select u.id
      into v_unknown
      from unnest(p_ids) as u (id)
     where not exists (select from tasker.tasks as t where t.task_uuid = u.id)
     order by u.id
     limit 1;
    if v_unknown is not null then
      perform tasker.raise_task_not_found(v_unknown);
    end if;
  end if;
  return query
  select u.id, t.task_uuid, n.name
    from (select distinct i.id from unnest(p_ids) as i (id)) as u
   cross join lateral (
     select t.task_uuid, t.named_task_uuid
       from tasker.tasks as t
      where t.task_uuid = case p_kind when 'steps' then tasker.task_uuid_of(u.id) else u.id end
     offset 0
   ) as t
    join tasker.named_tasks as k
      on k.named_task_uuid = t.named_task_uuid
    join tasker.task_namespaces as n
      on n.task_namespace_uuid = k.task_namespace_uuid
   order by u.id;
end;
$$;

comment on function tasker.find_named is
$$Returns the tasks, steps or dead letters with these UUIDs, each only once. Raises TK404 if one of them does not exist,
and TK403 if the caller is not bound to the namespace of its task.$$;
-- <<<

-- >>> db/schema/functions/operate/selections/private/selection_words.sql
create or replace function tasker.selection_words(p_kind text, p_filters jsonb, p_entries integer, p_more boolean)
  returns text
  language sql
  stable
begin atomic
  select concat_ws(
    ' ',
    case when p_more then case when p_filters ? 'incident' then 'the first' else 'the newest' end end,
    p_entries::text,
    case p_kind
      when 'tasks' then case p_entries when 1 then 'task' else 'tasks' end
      when 'steps' then case p_entries when 1 then 'step' else 'steps' end
      else case p_entries when 1 then 'open dead letter' else 'open dead letters' end
    end,
    case when p_filters = '{}' then 'chosen one by one' end,
    'in state ' || (p_filters ->> 'state'),
    'of namespace ' || (p_filters ->> 'namespace'),
    'from template ' || (p_filters ->> 'name'),
    'of version ' || (p_filters ->> 'version'),
    'with tags ' || (select string_agg(t.tag, ', ') from jsonb_array_elements_text(p_filters -> 'tags') as t (tag)),
    'with correlation ' || (p_filters ->> 'correlation_id'),
    'requested since ' || (p_filters ->> 'requested_after'),
    'requested before ' || (p_filters ->> 'requested_before'),
    'with key ' || (p_filters ->> 'identity_key'),
    'started by ' || (p_filters ->> 'initiator'),
    'of schedule ' || (p_filters ->> 'schedule'),
    'with a step of handler ' || (p_filters ->> 'handler'),
    'with step ' || (p_filters ->> 'step'),
    'with an error that contains "' || (p_filters ->> 'error') || '"',
    'that take at least ' || (p_filters ->> 'longer_than'),
    'whose context has ' || (p_filters ->> 'where'),
    case when p_kind = 'tasks' and p_filters ? 'incident' then 'with steps' end,
    -- Use the text of the incident. If the incident was deleted, use its name.
    'that stand failed: ' || coalesce(
      (select left(i.what, 300) from tasker.incidents as i where i.incident = p_filters ->> 'incident'), p_filters ->> 'incident'
    ),
    'opened for reason ' || (p_filters ->> 'reason')
  );
end;

comment on function tasker.selection_words is
$$Returns a description of a selection in words, with the number of its entries.$$;
-- <<<

-- >>> db/schema/functions/operate/selections/private/gather_selection.sql
create or replace function tasker.gather_selection(p_kind text, p_filters jsonb, p_ids uuid[], p_limit integer)
  returns tasker.selected_objects[]
  language plpgsql
  stable
  set search_path = pg_catalog, pg_temp
as $$
begin
  perform tasker.check_selection(p_kind, p_filters, p_ids, p_limit);
  if p_filters = '{}' then
    return array(select f from tasker.find_named(p_kind, p_ids) as f);
  end if;
  return array(select f from tasker.find_selected(p_kind, p_filters, p_limit) as f);
end;
$$;

comment on function tasker.gather_selection is
$$Returns the entries that a selection with these arguments would have now. Raises the errors of tasker.check_selection.$$;
-- <<<

-- >>> db/schema/functions/operate/selections/private/describe_selected.sql
create or replace function tasker.describe_selected(p_kind text, p_filters jsonb, p_limit integer, p_found tasker.selected_objects[])
  returns tasker.selection_previews
  language plpgsql
  stable
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_preview tasker.selection_previews;
begin
  v_preview.entries := cardinality(p_found);
  v_preview.more := p_filters <> '{}' and cardinality(p_found) = p_limit
    and exists (select from tasker.find_selected(p_kind, p_filters, 1, p_found[cardinality(p_found)].object_uuid));
  v_preview.words := tasker.selection_words(p_kind, p_filters, v_preview.entries, v_preview.more);
  v_preview.digest := md5(coalesce((select string_agg(f.object_uuid::text, ' ' order by f.object_uuid) from unnest(p_found) as f), ''));
  return v_preview;
end;
$$;

comment on function tasker.describe_selected is
$$Returns a description of the entries of a selection in words, their count, whether more entries match, and their
digest.$$;
-- <<<

-- >>> db/schema/functions/operate/selections/preview_selection.sql
create or replace function tasker.preview_selection(p_kind text, p_filters jsonb, p_ids uuid[] default null, p_limit integer default null)
  returns setof tasker.selection_previews
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
  p_filters := coalesce(p_filters, '{}');
  p_limit := coalesce(p_limit, 10000);
  return next tasker.describe_selected(p_kind, p_filters, p_limit, tasker.gather_selection(p_kind, p_filters, p_ids, p_limit));
end;
$$;

comment on function tasker.preview_selection is
$$Returns a description of the selection that tasker.create_selection would store now with the same arguments, the
number of its entries and their digest. If create_selection gets this digest, it stores the selection only if it has
exactly these entries.

Raises the errors of create_selection.$$;

grant execute on function tasker.preview_selection to tasker_orchestrator, tasker_operator, tasker_reader;
-- <<<

-- >>> db/schema/functions/operate/selections/private/find_selection.sql
create or replace function tasker.find_selection(p_selection_uuid uuid)
  returns tasker.selections
  language plpgsql
  stable
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_bound     text[] := tasker.bound_namespaces();
  v_selection tasker.selections;
begin
  select s.*
    into v_selection
    from tasker.selections as s
   where s.selection_uuid = p_selection_uuid
     and (v_bound is null or s.namespaces <@ v_bound);
  if not found then
    raise exception using
      errcode = 'TK404',
      message = format('there is no selection %s', coalesce(p_selection_uuid::text, 'null')),
      hint    = 'tasker.create_selection() makes one. It is kept for a day; with a mass action, until 30 days after that has ended.';
  end if;
  return v_selection;
end;
$$;

comment on function tasker.find_selection is
$$Returns a selection that the caller may see. Raises TK404 if there is no such selection.$$;
-- <<<

-- >>> db/schema/functions/operate/selections/get_selection.sql
create or replace function tasker.get_selection(p_selection_uuid uuid)
  returns setof tasker.selection_details
  language plpgsql
  stable
  security definer
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_selection tasker.selections := tasker.find_selection(p_selection_uuid);
begin
  return query
  select
    v_selection.selection_uuid, v_selection.kind, v_selection.filters, v_selection.words, v_selection.entries, v_selection.more,
    v_selection.namespaces, v_selection.created_at, v_selection.created_by,
    (select m.action from tasker.mass_actions as m where m.selection_uuid = v_selection.selection_uuid);
end;
$$;

comment on function tasker.get_selection is
$$Returns a selection: a description in words, the filters, the number of entries, and who created it and when. Raises
TK404 if there is no such selection, or if the caller is bound to other namespaces than its entries.$$;

grant execute on function tasker.get_selection to tasker_orchestrator, tasker_operator, tasker_reader;
-- <<<

-- >>> db/schema/functions/operate/selections/create_selection.sql
create or replace function tasker.create_selection(
  p_kind     text,
  p_filters  jsonb,
  p_ids      uuid[]   default null,
  p_limit    integer  default null,
  p_actor    text     default null,
  p_digest   text     default null
)
  returns setof tasker.selection_details
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
  v_found     tasker.selected_objects[];
  v_preview   tasker.selection_previews;
  v_selection uuid;
begin
  p_filters := coalesce(p_filters, '{}');
  p_limit := coalesce(p_limit, 10000);
  perform tasker.check_given_name('actor', p_actor, 200);
  v_found := tasker.gather_selection(p_kind, p_filters, p_ids, p_limit);
  v_preview := tasker.describe_selected(p_kind, p_filters, p_limit, v_found);
  if v_preview.digest <> p_digest then
    raise exception using
      errcode = 'TK409',
      message = format('the set has changed since it was shown: it has %s now', v_preview.words),
      hint    = 'Look at the set again, and confirm it as it is now.';
  end if;

  insert into tasker.selections as s (kind, filters, words, entries, more, namespaces, created_by, created_login)
  values (
    p_kind, p_filters, v_preview.words, v_preview.entries, v_preview.more,
    array(select distinct f.namespace from unnest(v_found) as f where f.namespace is not null order by 1),
    tasker.actor_name(p_actor), session_user
  )
  returning s.selection_uuid into v_selection;
  -- The oldest task first, because transactions lock tasks in this order.
  insert into tasker.selection_entries (selection_uuid, entry_no, object_uuid, task_uuid)
  select v_selection, row_number() over (order by f.task_uuid, f.object_uuid), f.object_uuid, f.task_uuid
    from unnest(v_found) as f;
  return query select g.* from tasker.get_selection(v_selection) as g;
end;
$$;

comment on function tasker.create_selection is
$$Stores a set of tasks, steps or dead letters (p_kind). The entries of the set are the objects that match p_filters
now, or the objects with the UUIDs in p_ids. Returns the selection with its count and a description in words. The set
does not change, whatever happens to its entries. tasker.start_mass_action acts on exactly these entries.

Filters of the kind "tasks" are namespace, name, version, state, tags, correlation_id, requested_after and
requested_before. The filter "incident" finds the steps that have failed for an incident and are still in error, or the
tasks of these steps. The filter "incident" cannot be combined with another filter. Filters of the kind "dead_letters"
are namespace, reason and status ("pending" for all open dead letters). If more than p_limit entries match (default and
maximum: 10,000), the selection has only the newest entries, and says that there are more. A selection without a mass
action is deleted after a day. If p_digest is the digest that tasker.preview_selection returned, the selection is stored
only if it has the entries that were shown.

Locks nothing. Raises TK422 for an unknown kind or filter, for neither or both of p_filters and p_ids, or for a limit
out of range. Raises TK413 for more than 10,000 entries. Raises TK409 if p_digest is the digest of other entries, and
TK404 if an entry or the incident does not exist. Raises TK403 if the caller is bound to other namespaces.$$;

grant execute on function tasker.create_selection to tasker_operator;
-- <<<

-- >>> db/schema/functions/operate/selections/list_selection_entries.sql
create or replace function tasker.list_selection_entries(
  p_selection_uuid  uuid,
  p_state           text     default null,
  p_after           integer  default null,
  p_limit           integer  default null
)
  returns setof tasker.selection_entry_details
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
declare
  v_selection tasker.selections := tasker.find_selection(p_selection_uuid);
begin
  perform tasker.check_page_size(p_limit);
  if p_state not in ('waits', 'open', 'passed', 'failed', 'skipped') then
    raise exception using
      errcode = 'TK422',
      message = format('an entry of a selection has no state "%s"', left(p_state, 40)),
      hint    = 'It is waits, open, passed, failed or skipped.';
  end if;
  return query
  select
    e.entry_no, e.object_uuid, e.task_uuid, n.name, k.name, k.version, s.name,
    coalesce(s.state::text, t.state::text), e.state, e.acted_at, e.result_uuid, e.note
  from (
    select e.*
      from tasker.selection_entries as e
     where e.selection_uuid = p_selection_uuid
       and (p_state is null or e.state = p_state)
       and e.entry_no > coalesce(p_after, 0)
     order by e.entry_no
     limit coalesce(p_limit, 100)
  ) as e
  left join lateral (
    select t.state, t.named_task_uuid
      from tasker.tasks as t
     where t.task_uuid = e.task_uuid
    offset 0
  ) as t
    on true
  left join tasker.named_tasks as k
    on k.named_task_uuid = t.named_task_uuid
  left join tasker.task_namespaces as n
    on n.task_namespace_uuid = k.task_namespace_uuid
  left join lateral (
    select s.name, s.state
      from tasker.workflow_steps as s
     where v_selection.kind = 'steps'
       and s.task_uuid = e.task_uuid
       and s.step_no = tasker.step_no_of(e.object_uuid)
    offset 0
  ) as s
    on true
  order by e.entry_no;
end;
$$;

comment on function tasker.list_selection_entries is
$$Returns entries of a selection in the order in which a mass action acts on them. Each row has the identity of the
entry, the present state of its task or step, and the outcome of the action. p_state may be "waits", "open", "passed",
"failed" or "skipped". For the next page, pass the last entry_no of this page as p_after.

Raises TK404 if there is no such selection, or the caller is bound to other namespaces, and TK422 for an unknown state
or a limit out of range.$$;

grant execute on function tasker.list_selection_entries to tasker_orchestrator, tasker_operator, tasker_reader;
-- <<<

-- >>> db/schema/functions/operate/selections/private/forget_selections.sql
create or replace function tasker.forget_selections(p_limit integer)
  returns bigint
  language plpgsql
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_deleted bigint;
begin
  with old as materialized (
    select s.selection_uuid
      from tasker.selections as s
      left join tasker.mass_actions as m
        on m.selection_uuid = s.selection_uuid
     where m.selection_uuid is null and s.created_at < tasker.clock() - interval '1 day'
        or m.state <> 'running' and coalesce(m.ended_at, m.ran_at, m.started_at) < tasker.clock() - interval '30 days'
     order by s.selection_uuid
     limit p_limit
       for update of s skip locked
  ),
  gone as (
    delete from tasker.selections as s
     using old as o
     where s.selection_uuid = o.selection_uuid
    returning s.selection_uuid
  )
  select count(*) into v_deleted from gone;
  return v_deleted;
end;
$$;

comment on function tasker.forget_selections is
$$Deletes selections that are older than a day and that no mass action uses, and mass actions that ended more than a
month ago, at most p_limit of them. Returns how many it deleted. Skips selections and mass actions that another
transaction has locked.$$;
-- <<<

-- >>> db/schema/functions/operate/many/private/check_many.sql
create or replace function tasker.check_many(
  p_kind            text,
  p_filters         jsonb,
  p_selection_uuid  uuid
)
  returns void
  language plpgsql
  stable
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_kind text;
begin
  if p_selection_uuid is not null then
    v_kind := (tasker.find_selection(p_selection_uuid)).kind;
  end if;
  if v_kind <> p_kind then
    raise exception using
      errcode = 'TK422',
      message = format('selection %s has %s, not %s', p_selection_uuid, replace(v_kind, '_', ' '), p_kind),
      hint    = format('Make a selection of %s.', p_kind);
  elsif (p_filters = '{}') = (p_selection_uuid is null) then
    raise exception using
      errcode = 'TK422',
      message = format('%s of a selection, or %s that match filters: %s', p_kind, p_kind, case when p_filters = '{}' then 'neither is given' else 'both are given' end),
      hint    = case when p_filters = '{}' then 'Give a filter or a selection: without either it would be everything.' else 'The entries of a selection are an exact set.' end;
  end if;
end;
$$;

comment on function tasker.check_many is
$$Raises TK422 unless a change of many tasks or steps has either filters or a selection of the same kind. Raises TK404
if there is no such selection, or if the caller may not see it.$$;
-- <<<

-- >>> db/schema/functions/operate/many/private/note_many.sql
create or replace function tasker.note_many(p_object text, p_asked jsonb, p_namespaces text[], p_outcomes text[])
  returns void
  language plpgsql
  set search_path = pg_catalog, pg_temp
as $$
begin
  if p_outcomes = '{}' then
    return;
  end if;
  perform tasker.note_administration(
    'tasks', p_object, array(select distinct u.namespace from unnest(p_namespaces) as u (namespace) order by 1), 'update',
    p_becomes => p_asked || jsonb_build_object('outcomes', (
      select jsonb_object_agg(o.outcome, o.count)
        from (select u.outcome, count(*) as count from unnest(p_outcomes) as u (outcome) group by u.outcome) as o
    ))
  );
end;
$$;

comment on function tasker.note_many is
$$Writes one entry into tasker.administration_log for a change of many tasks or steps: the filters, and the number of
each outcome. Writes no entry if the change found no task or step.$$;
-- <<<

-- >>> db/schema/rows/operate/many/task_cancellations.sql
create or replace view tasker.task_cancellations as
select
  '00000000-0000-0000-0000-000000000000'::uuid as task_uuid,
  ''::text as namespace,
  ''::text as name,
  ''::text as version,
  'pending'::tasker.task_state as state,
  '-infinity'::timestamptz as requested_at,
  ''::text as outcome
where false;

comment on view tasker.task_cancellations is
  'Row type: the outcome for one task in a call that cancels many.';
comment on column tasker.task_cancellations.state is
  'The state when the call read it.';
comment on column tasker.task_cancellations.outcome is
  'matched: a dry run; cancelled; undoing: the task''s compensations run first; locked: another transaction holds the task; ended: the task has ended meanwhile, or is being undone already.';
-- <<<

-- >>> db/schema/functions/operate/many/private/find_tasks_to_cancel.sql
create or replace function tasker.find_tasks_to_cancel(
  p_filters         jsonb,
  p_tags            text[],
  p_from            uuid,
  p_to              uuid,
  p_selection_uuid  uuid,
  p_after           uuid,
  p_limit           integer
)
  returns setof tasker.task_cancellations
  language plpgsql
  stable
  set search_path = pg_catalog, pg_temp
  set plan_cache_mode = force_custom_plan
as $$
declare
  v_bound     text[]            := tasker.bound_namespaces();
  v_state     tasker.task_state := p_filters ->> 'state';
  v_namespace text              := p_filters ->> 'namespace';
  v_name      text              := p_filters ->> 'name';
  v_version   text              := p_filters ->> 'version';
begin
  -- The query is planned for the given filters, because the open tasks and the entries of a selection each have an
  -- index.
  return query
  select t.task_uuid, n.name, k.name, k.version, t.state, t.requested_at, text 'matched'
    from tasker.tasks as t
    join tasker.named_tasks as k
      on k.named_task_uuid = t.named_task_uuid
    join tasker.task_namespaces as n
      on n.task_namespace_uuid = k.task_namespace_uuid
   where not t.complete
     and (p_selection_uuid is null or t.task_uuid = any (array(
       select e.task_uuid
         from tasker.selection_entries as e
        where e.selection_uuid = p_selection_uuid
          and e.task_uuid > p_after
     )))
     and (v_state is null or t.state = v_state)
     and (v_namespace is null or n.name = v_namespace)
     and (v_bound is null or n.name = any (v_bound))
     and (v_name is null or k.name = v_name)
     and (v_version is null or k.version = v_version)
     and (p_tags is null or t.tags @> p_tags)
     and t.task_uuid >= p_from
     and t.task_uuid < p_to
     and t.task_uuid > p_after
   order by t.task_uuid
   limit p_limit;
end;
$$;

comment on function tasker.find_tasks_to_cancel is
$$Returns up to p_limit open tasks after p_after, in the order of their UUIDs. The tasks are in namespaces of the
caller, and match all given filters or are in the selection. Reads only open tasks.$$;
-- <<<

-- >>> db/schema/functions/operate/many/private/cancel_found_task.sql
create or replace function tasker.cancel_found_task(p_task_uuid uuid, p_locked boolean, p_reason text, p_actor text)
  returns text
  language plpgsql
  set search_path = pg_catalog, pg_temp
as $$
begin
  if not p_locked then
    return 'locked';
  elsif not tasker.operate_on_task(p_task_uuid, 'Cancel', p_reason, p_actor) then
    return 'ended';
  end if;
  return (
    select case when t.complete then 'cancelled' else 'undoing' end
      from tasker.tasks as t
     where t.task_uuid = p_task_uuid
  );
end;
$$;

comment on function tasker.cancel_found_task is
$$Cancels a task that tasker.cancel_tasks has found, if the caller holds the task's lock (p_locked), and returns the
outcome.$$;
-- <<<

-- >>> db/schema/functions/operate/many/cancel_tasks.sql
create or replace function tasker.cancel_tasks(
  p_reason            text,
  p_namespace         text         default null,
  p_name              text         default null,
  p_version           text         default null,
  p_state             text         default null,
  p_tags              text[]       default null,
  p_requested_after   timestamptz  default null,
  p_requested_before  timestamptz  default null,
  p_selection_uuid    uuid         default null,
  p_after             uuid         default null,
  p_limit             integer      default 100,
  p_dry_run           boolean      default false,
  p_actor             text         default null
)
  returns setof tasker.task_cancellations
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
  v_filters jsonb;
  v_found   tasker.task_cancellations[];
  v_locked  uuid[];
begin
  p_limit   := coalesce(p_limit, 100);
  p_dry_run := coalesce(p_dry_run, false);
  perform tasker.check_bound_namespaces(array[p_namespace]);
  perform tasker.check_bulk(p_reason, p_limit, p_dry_run);
  perform tasker.administer(p_actor, p_reason);
  perform tasker.check_array_size('tags', cardinality(p_tags), 100);
  perform tasker.check_instant('time after which tasks were requested', nullif(p_requested_after, '-infinity'));
  perform tasker.check_instant('time before which tasks were requested', nullif(p_requested_before, 'infinity'));
  if p_state not in (select t.state::text from tasker.task_states as t where not t.terminal) then
    raise exception using
      errcode = 'TK422',
      message = format('tasks that are %s cannot be cancelled', '"' || left(p_state, 40) || '"'),
      hint    = 'Open tasks can be: name one of their states, or leave it out for all of them.';
  end if;
  v_filters := jsonb_strip_nulls(jsonb_build_object(
    'namespace', p_namespace, 'name', p_name, 'version', p_version, 'state', p_state, 'tags', to_jsonb(nullif(p_tags, '{}')),
    'requested_after', p_requested_after, 'requested_before', p_requested_before
  ));
  perform tasker.check_many('tasks', v_filters, p_selection_uuid);

  v_found := array(
    select f
      from tasker.find_tasks_to_cancel(
        v_filters, nullif(p_tags, '{}'),
        coalesce(tasker.uuid_v7_floor(nullif(p_requested_after, '-infinity')), '00000000-0000-0000-0000-000000000000'),
        coalesce(tasker.uuid_v7_floor(nullif(p_requested_before, 'infinity')), 'ffffffff-ffff-ffff-ffff-ffffffffffff'),
        p_selection_uuid, coalesce(p_after, '00000000-0000-0000-0000-000000000000'), p_limit
      ) as f
  );
  if not p_dry_run then
    perform tasker.check_recent_sign_in();
    v_locked := tasker.lock_tasks(array(select f.task_uuid from unnest(v_found) as f));
    for v_place in 1 .. cardinality(v_found) loop
      v_found[v_place].outcome := tasker.cancel_found_task(
        v_found[v_place].task_uuid, v_found[v_place].task_uuid = any (v_locked), p_reason, p_actor
      );
    end loop;
    perform tasker.note_many(
      'cancel', v_filters || case when p_selection_uuid is null then '{}' else jsonb_build_object('selection', p_selection_uuid) end,
      array(select f.namespace from unnest(v_found) as f), array(select f.outcome from unnest(v_found) as f)
    );
  end if;
  return query select f.* from unnest(v_found) as f;
end;
$$;

comment on function tasker.cancel_tasks is
$$Cancels the open tasks that match all given filters, or the open tasks of a selection, as cancel_task does, the oldest
first. Returns a row for each task with its outcome. With p_dry_run the function returns the batch without changing it.
A bound caller reaches only its own namespaces.

Each call does one batch, in a transaction of its own unless the caller has begun one. A batch has p_limit tasks
(default 100, at most 1,000). For the next batch, pass the last task of this batch as p_after. Writes one entry into the
log of administration for each call, and the reason into the history of each task. Locks the tasks, then their steps,
without waiting for locks. If another transaction holds a task, the outcome of that task is "locked". Raises TK428 if
the caller is a person whose sign-in is too old. Raises TK422 without a reason, without a filter or a selection, for a
state that is not open or a limit out of range. Raises TK404 for an unknown selection, and TK413 for arguments that are
too large. Raises TK403 if the caller is bound to other namespaces.$$;

grant execute on function tasker.cancel_tasks to tasker_orchestrator, tasker_operator;
-- <<<

-- >>> db/schema/rows/operate/many/step_retries.sql
create or replace view tasker.step_retries as
select
  '00000000-0000-0000-0000-000000000000'::uuid as step_uuid,
  '00000000-0000-0000-0000-000000000000'::uuid as task_uuid,
  ''::text as namespace,
  ''::text as name,
  ''::text as version,
  ''::text as step,
  'error'::tasker.step_state as state,
  0::integer as attempts,
  null::text as last_error,
  ''::text as outcome
where false;

comment on view tasker.step_retries is
  'Row type: the outcome for one step in a call that retries many.';
comment on column tasker.step_retries.state is
  'The state when the call read it.';
comment on column tasker.step_retries.outcome is
  'matched: a dry run; retried; locked: another transaction holds the step''s task; moved: the step has left its state meanwhile, or its task is being undone.';
-- <<<

-- >>> db/schema/functions/operate/many/private/find_steps_to_retry.sql
create or replace function tasker.find_steps_to_retry(
  p_filters         jsonb,
  p_selection_uuid  uuid,
  p_after           uuid,
  p_limit           integer
)
  returns setof tasker.step_retries
  language plpgsql
  stable
  set search_path = pg_catalog, pg_temp
  set plan_cache_mode = force_custom_plan
as $$
declare
  v_bound     text[]            := tasker.bound_namespaces();
  v_state     tasker.step_state := coalesce(p_filters ->> 'state', 'error');
  v_namespace text              := p_filters ->> 'namespace';
  v_name      text              := p_filters ->> 'name';
  v_version   text              := p_filters ->> 'version';
  v_step      text              := p_filters ->> 'step';
  v_error     text              := lower(p_filters ->> 'error');
begin
  -- The query is planned for the given filters, because the open tasks and the entries of a selection each have an
  -- index.
  return query
  select
    tasker.step_uuid(s.task_uuid, s.step_no), s.task_uuid, n.name, k.name, k.version, s.name, s.state, s.attempts::integer,
    left(s.last_error, 2000), text 'matched'
  from tasker.tasks as t
  join tasker.named_tasks as k
    on k.named_task_uuid = t.named_task_uuid
  join tasker.task_namespaces as n
    on n.task_namespace_uuid = k.task_namespace_uuid
  cross join lateral (
    select s.task_uuid, s.step_no, s.name, s.state, s.attempts, s.last_error
      from tasker.workflow_steps as s
     where s.task_uuid = t.task_uuid
       and s.state = v_state
       and (s.undo_no is not null or not tasker.is_undone(t.undo))
    offset 0
  ) as s
  where not t.complete
    and (v_state <> 'error' or t.failed_steps > 0)
    and (p_selection_uuid is null or t.task_uuid = any (array(
      select e.task_uuid from tasker.selection_entries as e where e.selection_uuid = p_selection_uuid
    )) and tasker.step_uuid(s.task_uuid, s.step_no) in (
      select e.object_uuid from tasker.selection_entries as e where e.selection_uuid = p_selection_uuid
    ))
    and (v_namespace is null or n.name = v_namespace)
    and (v_bound is null or n.name = any (v_bound))
    and (v_name is null or k.name = v_name)
    and (v_version is null or k.version = v_version)
    and (v_step is null or s.name = v_step)
    and (v_error is null or position(v_error in lower(s.last_error)) > 0)
    and (p_after is null or t.task_uuid >= tasker.task_uuid_of(p_after))
    and (p_after is null or (t.task_uuid, s.step_no) > (tasker.task_uuid_of(p_after), tasker.step_no_of(p_after)))
  order by t.task_uuid, s.step_no
  limit p_limit;
end;
$$;

comment on function tasker.find_steps_to_retry is
$$Returns up to p_limit steps of open tasks after p_after, in the order of their tasks and numbers. The steps are in
namespaces of the caller and in the given state. The steps match all given filters, or are in the selection. If a task
is being undone, returns only its compensations.$$;
-- <<<

-- >>> db/schema/functions/operate/many/private/retry_found_step.sql
create or replace function tasker.retry_found_step(p_step tasker.step_retries, p_locked boolean, p_reason text, p_actor text)
  returns text
  language plpgsql
  set search_path = pg_catalog, pg_temp
as $$
begin
  if not p_locked then
    return 'locked';
  -- While the task is locked, the step stays in its state and the task stays open.
  elsif not exists (
    select
      from tasker.workflow_steps as s
      join tasker.tasks as t
        on t.task_uuid = s.task_uuid
     where s.task_uuid = p_step.task_uuid
       and s.step_no = tasker.step_no_of(p_step.step_uuid)
       and s.state = p_step.state
       and not t.complete
       and (s.undo_no is not null or not tasker.is_undone(t.undo))
  ) then
    return 'moved';
  end if;
  perform tasker.operate_on_step(p_step.step_uuid, 'Retry', jsonb_build_object('reason', p_reason), p_actor);
  return 'retried';
end;
$$;

comment on function tasker.retry_found_step is
$$Retries a step that tasker.retry_steps has found, and returns the outcome. Does so only if the caller holds the lock
of the step's task (p_locked) and the step is still in the state in which it was found.$$;
-- <<<

-- >>> db/schema/functions/operate/many/retry_steps.sql
create or replace function tasker.retry_steps(
  p_reason          text,
  p_namespace       text     default null,
  p_name            text     default null,
  p_version         text     default null,
  p_step            text     default null,
  p_error           text     default null,
  p_state           text     default 'error',
  p_selection_uuid  uuid     default null,
  p_after           uuid     default null,
  p_limit           integer  default 100,
  p_dry_run         boolean  default false,
  p_actor           text     default null
)
  returns setof tasker.step_retries
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
  v_filters jsonb;
  v_found   tasker.step_retries[];
  v_locked  uuid[];
begin
  p_state   := coalesce(p_state, 'error');
  p_limit   := coalesce(p_limit, 100);
  p_dry_run := coalesce(p_dry_run, false);
  perform tasker.check_bound_namespaces(array[p_namespace]);
  perform tasker.check_bulk(p_reason, p_limit, p_dry_run);
  perform tasker.administer(p_actor, p_reason);
  perform tasker.check_text_size('error', p_error, 1000);
  if p_state not in ('error', 'waiting_for_retry') then
    raise exception using
      errcode = 'TK422',
      message = format('steps that are %s cannot be retried', '"' || left(p_state, 40) || '"'),
      hint    = 'Steps in error can be, and steps that are waiting_for_retry, which then run at once.';
  end if;
  v_filters := jsonb_strip_nulls(jsonb_build_object(
    'namespace', p_namespace, 'name', p_name, 'version', p_version, 'step', p_step, 'error', p_error
  ));
  perform tasker.check_many('steps', v_filters, p_selection_uuid);

  v_found := array(
    select f
      from tasker.find_steps_to_retry(v_filters || jsonb_build_object('state', p_state), p_selection_uuid, p_after, p_limit) as f
  );
  if not p_dry_run then
    perform tasker.check_recent_sign_in();
    v_locked := tasker.lock_tasks(array(select f.task_uuid from unnest(v_found) as f));
    for v_place in 1 .. cardinality(v_found) loop
      v_found[v_place].outcome := tasker.retry_found_step(
        v_found[v_place], v_found[v_place].task_uuid = any (v_locked), p_reason, p_actor
      );
    end loop;
    perform tasker.note_many(
      'retry', v_filters || jsonb_strip_nulls(jsonb_build_object('state', p_state, 'selection', p_selection_uuid)),
      array(select f.namespace from unnest(v_found) as f), array(select f.outcome from unnest(v_found) as f)
    );
  end if;
  return query select f.* from unnest(v_found) as f;
end;
$$;

comment on function tasker.retry_steps is
$$Retries the steps that match all given filters, or the steps of a selection, as retry_step does, the oldest task
first. By default these are steps that have failed for good. If p_state is "waiting_for_retry", these are steps that
wait for their next attempt. p_step is the name of a step. p_error is a part of a step's last error, in upper or lower
case. Returns a row for each step with its outcome. With p_dry_run the function returns the batch without changing it. A
bound caller reaches only its own namespaces.

Each call does one batch, in a transaction of its own unless the caller has begun one. A batch has p_limit steps
(default 100, at most 1,000). For the next batch, pass the last step of this batch as p_after. Writes one entry into the
log of administration for each call, and the reason into the history of each step. Locks the tasks, then their steps,
without waiting for locks. If another transaction holds the task of a step, the outcome of the step is "locked". Raises
TK428 if the caller is a person whose sign-in is too old. Raises TK422 without a reason, without a filter or a
selection, for another state or a limit out of range. Raises TK404 for an unknown selection, and TK413 for arguments
that are too large. Raises TK403 if the caller is bound to other namespaces.$$;

grant execute on function tasker.retry_steps to tasker_orchestrator, tasker_operator;
-- <<<

-- >>> db/schema/functions/operate/mass/private/check_mass_action.sql
create or replace function tasker.check_mass_action(
  p_kind            text,
  p_action          text,
  p_arguments       jsonb,
  p_per_minute      integer,
  p_stop_share      double precision,
  p_canary_seconds  integer
)
  returns void
  language plpgsql
  immutable
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_actions text[] := case p_kind
    when 'tasks' then '{reset,cancel,fork,resolve}'
    when 'steps' then '{retry,complete,resolve}'
    else '{requeue}'
  end;
  v_takes text[] := case p_action when 'fork' then '{version,from_step,cancel}' when 'complete' then '{results}' else '{}' end;
  v_wrong text;
begin
  if coalesce(p_action <> all (v_actions), true) then
    raise exception using
      errcode = 'TK422',
      message = format('a mass action on %s is not %s', replace(p_kind, '_', ' '), coalesce('"' || left(p_action, 40) || '"', 'null')),
      hint    = format('It is %s.', array_to_string(v_actions, ', '));
  end if;
  if jsonb_typeof(p_arguments) is distinct from 'object' then
    raise exception using
      errcode = 'TK422',
      message = 'the arguments of a mass action are not a JSON object',
      hint    = 'Pass an object, {} for none.';
  end if;
  select k.name into v_wrong from jsonb_object_keys(p_arguments) as k (name) where k.name <> all (v_takes) order by k.name limit 1;
  if v_wrong is not null then
    raise exception using
      errcode = 'TK422',
      message = format('%s has no argument "%s"', p_action, left(v_wrong, 60)),
      hint    = case when v_takes = '{}' then 'It takes none.' else format('It takes %s.', array_to_string(v_takes, ', ')) end;
  end if;
  if p_action = 'complete' and not p_arguments ? 'results' then
    raise exception using
      errcode = 'TK422',
      message = 'a completion by hand has no results',
      hint    = 'Pass {"results": …}: what the steps after these will read.';
  end if;
  if p_action = 'fork' and (
    jsonb_typeof(p_arguments -> 'version') <> 'string' or jsonb_typeof(p_arguments -> 'from_step') <> 'string' or jsonb_typeof(p_arguments -> 'cancel') <> 'boolean'
  ) then
    raise exception using
      errcode = 'TK422',
      message = 'the arguments of a fork have other types',
      hint    = 'version and from_step are texts, cancel is true or false.';
  end if;
  if not (p_per_minute is null or p_per_minute between 1 and 100000) or coalesce(p_stop_share not between 0 and 1, true)
     or coalesce(p_canary_seconds not between 1 and 86400, true) then
    raise exception using
      errcode = 'TK422',
      message = 'the rate, the stop rule or the wait of the canary is out of range',
      detail  = format(
        'They are %s a minute, a share of %s and %s seconds.', coalesce(p_per_minute::text, 'any'), coalesce(p_stop_share::text, 'null'),
        coalesce(p_canary_seconds::text, 'null')
      ),
      hint    = 'A rate is 1 to 100,000 a minute, a share 0 to 1, a wait 1 to 86,400 seconds.';
  end if;
  perform tasker.check_depth('arguments', p_arguments);
end;
$$;

comment on function tasker.check_mass_action is
$$Raises TK422 if the action does not apply to this kind of selection, if the action does not take these arguments, or
if a rate, stop rule or wait is out of range.$$;
-- <<<

-- >>> db/schema/functions/operate/mass/private/find_mass_action.sql
create or replace function tasker.find_mass_action(p_selection_uuid uuid)
  returns tasker.mass_actions
  language plpgsql
  stable
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_bound  text[] := tasker.bound_namespaces();
  v_action tasker.mass_actions;
begin
  select m.*
    into v_action
    from tasker.mass_actions as m
   where m.selection_uuid = p_selection_uuid
     and (v_bound is null or m.namespaces <@ v_bound);
  if not found then
    raise exception using
      errcode = 'TK404',
      message = format('selection %s has no mass action', coalesce(p_selection_uuid::text, 'null')),
      hint    = 'tasker.list_mass_actions() lists them.';
  end if;
  return v_action;
end;
$$;

comment on function tasker.find_mass_action is
$$Returns a mass action that the caller may see. Raises TK404 if there is no such action.$$;
-- <<<

-- >>> db/schema/functions/operate/mass/private/describe_mass_actions.sql
create or replace function tasker.describe_mass_actions(p_selection_uuids uuid[])
  returns setof tasker.mass_action_details
  language sql
  stable
begin atomic
  select
    m.selection_uuid, s.kind, s.words, m.entries, m.action, m.arguments, m.reason, m.state, m.stage, m.canary, m.canary_seconds, m.per_minute,
    m.stop_share::double precision, m.started_at, m.started_by, m.stopped_by, m.stopped_why, m.ended_at, m.ran_at,
    m.waits, m.open, m.passed, m.failed, m.skipped, m.namespaces
    from unnest(p_selection_uuids) as u (selection_uuid)
   cross join lateral (
     select m.*
       from tasker.mass_actions as m
      where m.selection_uuid = u.selection_uuid
     offset 0
   ) as m
   cross join lateral (
     select s.kind, s.words
       from tasker.selections as s
      where s.selection_uuid = m.selection_uuid
     offset 0
   ) as s
   order by m.selection_uuid desc;
end;

comment on function tasker.describe_mass_actions is
$$Returns these mass actions, the newest selection first.$$;
-- <<<

-- >>> db/schema/functions/operate/mass/start_mass_action.sql
create or replace function tasker.start_mass_action(
  p_selection_uuid  uuid,
  p_action          text,
  p_entries         integer,
  p_reason          text,
  p_arguments       jsonb             default null,
  p_at_once         boolean           default false,
  p_per_minute      integer           default null,
  p_stop_share      double precision  default null,
  p_canary_seconds  integer           default null,
  p_actor           text              default null
)
  returns boolean
  language plpgsql
  security definer
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_selection tasker.selections;
begin
  p_arguments := coalesce(p_arguments, '{}');
  p_at_once := coalesce(p_at_once, false);
  p_stop_share := coalesce(p_stop_share, 0.2);
  p_canary_seconds := coalesce(p_canary_seconds, 300);
  perform tasker.administer(p_actor, p_reason);
  perform tasker.check_text_size('reason', p_reason, 800);
  v_selection := tasker.find_selection(p_selection_uuid);
  perform tasker.check_mass_action(v_selection.kind, p_action, p_arguments, p_per_minute, p_stop_share, p_canary_seconds);
  perform tasker.check_text_size('arguments', p_arguments::text, tasker.setting_integer('result_bytes'));
  if coalesce(trim(p_reason), '') = '' then
    raise exception using
      errcode = 'TK422',
      message = 'the reason is missing',
      hint    = 'A change of many things says why, for the logs.';
  end if;
  if v_selection.entries = 0 then
    raise exception using
      errcode = 'TK422',
      message = 'the selection has no entries',
      hint    = 'Nothing matched when it was made: make another one.';
  end if;
  if v_selection.entries is distinct from p_entries then
    raise exception using
      errcode = 'TK409',
      message = format('the selection has %s entries, not %s', v_selection.entries, coalesce(p_entries::text, 'null')),
      hint    = 'Confirm the number that tasker.get_selection() returns.';
  end if;
  perform tasker.check_recent_sign_in();

  insert into tasker.mass_actions (
    selection_uuid, namespaces, action, arguments, entries, reason, canary, canary_seconds, per_minute, stop_share, started_by, started_login,
    stage, waits
  )
  values (
    p_selection_uuid, v_selection.namespaces, p_action, p_arguments, v_selection.entries, p_reason, not p_at_once, p_canary_seconds,
    p_per_minute, p_stop_share, tasker.actor_name(p_actor), session_user, case when p_at_once then 3 else 1 end,
    v_selection.entries
  )
  on conflict (selection_uuid) do nothing;
  if found then
    return true;
  end if;
  if not exists (
    select
      from tasker.mass_actions as m
     where m.selection_uuid = p_selection_uuid
       and m.action = p_action
       and m.arguments = p_arguments
  ) then
    raise exception using
      errcode = 'TK409',
      message = format('selection %s already has a mass action', p_selection_uuid),
      detail  = 'A selection has one mass action at most, so that none of its entries is acted on twice.',
      hint    = 'Make another selection for another action.';
  end if;
  return false;
end;
$$;

comment on function tasker.start_mass_action is
$$Starts an action on the entries of a selection, at most once for each entry. The action can be "reset", "cancel",
"fork" or "resolve" for tasks, "retry", "complete" or "resolve" for steps, and "requeue" for dead letters. p_entries is
the number of entries that the caller has confirmed. The maintenance duty "mass_actions", which "tasker orchestrate" or
pg_cron runs, does the action in batches. Returns false if the same action was started before, so it is safe to repeat
the call.

The duty first acts on one entry, then on ten entries, then on all other entries, at most p_per_minute of them a minute.
A stage begins when all outcomes of the preceding stage are known. The action stops if an outcome is not known after
p_canary_seconds (default 300), or if the share of failures among the known outcomes is larger than p_stop_share
(default 0.2). With p_at_once the action begins with the last stage. The object p_arguments has the fields version,
from_step (default: the first failed step) and cancel (default: true) for a fork, and results for "complete".

p_reason and p_actor (default: the caller's role) go into the log of administration and into the history of each task.
Locks the action's row. Raises TK404 if there is no such selection. Raises TK409 if the selection has another number of
entries than p_entries, or another mass action. Raises TK422 without a reason, for an empty selection, or for arguments
that do not fit the action. Raises TK428 if the caller is a person whose sign-in is too old, and TK413 for arguments
that are too large.$$;

grant execute on function tasker.start_mass_action to tasker_operator;
-- <<<

-- >>> db/schema/functions/operate/mass/get_mass_action.sql
create or replace function tasker.get_mass_action(p_selection_uuid uuid)
  returns setof tasker.mass_action_details
  language plpgsql
  stable
  security definer
  set search_path = pg_catalog, pg_temp
as $$
begin
  perform tasker.find_mass_action(p_selection_uuid);
  return query select d.* from tasker.describe_mass_actions(array[p_selection_uuid]) as d;
end;
$$;

comment on function tasker.get_mass_action is
$$Returns the mass action on a selection. The row has the kind and the progress of the action, how many entries wait,
are open, passed, failed again or were skipped, and who stopped the action and why. Raises TK404 if there is no such
action, or if the caller is bound to other namespaces.$$;

grant execute on function tasker.get_mass_action to tasker_orchestrator, tasker_operator, tasker_reader;
-- <<<

-- >>> db/schema/functions/operate/mass/list_mass_actions.sql
create or replace function tasker.list_mass_actions(p_state text default null, p_before uuid default null, p_limit integer default null)
  returns setof tasker.mass_action_details
  language plpgsql
  stable
  security definer
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_bound text[] := tasker.bound_namespaces();
begin
  perform tasker.check_page_size(p_limit);
  if p_state not in ('running', 'stopped', 'done') then
    raise exception using
      errcode = 'TK422',
      message = format('a mass action has no state "%s"', left(p_state, 40)),
      hint    = 'It is running, stopped or done.';
  end if;
  return query
  select d.*
    from tasker.describe_mass_actions(array(
      select m.selection_uuid
        from tasker.mass_actions as m
       where (p_state is null or m.state = p_state)
         and (v_bound is null or m.namespaces <@ v_bound)
         and (p_before is null or m.selection_uuid < p_before)
       order by m.selection_uuid desc
       limit coalesce(p_limit, 100)
    )) as d;
end;
$$;

comment on function tasker.list_mass_actions is
$$Returns mass actions, the newest selection first. p_state may be "running", "stopped" or "done". For the next page,
pass the last selection of this page as p_before. A bound caller sees a mass action only if the caller may work in all
namespaces of the action. Raises TK422 for an unknown state or a limit out of range.$$;

grant execute on function tasker.list_mass_actions to tasker_orchestrator, tasker_operator, tasker_reader;
-- <<<

-- >>> db/schema/functions/operate/mass/stop_mass_action.sql
create or replace function tasker.stop_mass_action(p_selection_uuid uuid, p_reason text default null, p_actor text default null)
  returns boolean
  language plpgsql
  security definer
  set search_path = pg_catalog, pg_temp
as $$
begin
  perform tasker.administer(p_actor, p_reason);
  perform tasker.find_mass_action(p_selection_uuid);
  update tasker.mass_actions as m
     set state       = 'stopped',
         stopped_by  = tasker.actor_name(p_actor),
         stopped_why = p_reason
   where m.selection_uuid = p_selection_uuid
     and m.state = 'running';
  return found;
end;
$$;

comment on function tasker.stop_mass_action is
$$Stops a mass action, so that it acts on no further entry. Finished entries stay as they are. Returns true if this call
stopped the action, and false if the action had stopped or was done. tasker.resume_mass_action continues the action.

Locks the action's row, and so waits until a running batch has ended. Raises TK404 if there is no such action, and TK413
if the actor's name or the reason is too long.$$;

grant execute on function tasker.stop_mass_action to tasker_operator;
-- <<<

-- >>> db/schema/functions/operate/mass/resume_mass_action.sql
create or replace function tasker.resume_mass_action(p_selection_uuid uuid, p_reason text default null, p_actor text default null)
  returns boolean
  language plpgsql
  security definer
  set search_path = pg_catalog, pg_temp
as $$
begin
  perform tasker.administer(p_actor, p_reason);
  perform tasker.find_mass_action(p_selection_uuid);
  perform tasker.check_recent_sign_in();
  update tasker.mass_actions as m
     set state       = 'running',
         stopped_by  = null,
         stopped_why = null,
         stage_at    = tasker.clock(),
         paced       = 0,
         since       = tasker.clock()
   where m.selection_uuid = p_selection_uuid
     and m.state = 'stopped';
  return found;
end;
$$;

comment on function tasker.resume_mass_action is
$$Continues a stopped mass action with the entries that wait, at the stage where it stopped. From then on, the canary
and the stop rule count only entries that are acted on after this call. Returns true if this call resumed the action,
and false if the action is running or done.

Locks the action's row. Raises TK404 if there is no such action, TK428 if the caller is a person whose sign-in is too
old, and TK413 if the actor's name or the reason is too long.$$;

grant execute on function tasker.resume_mass_action to tasker_operator;
-- <<<

-- >>> db/schema/functions/operate/mass/private/has_mass_actions.sql
create or replace function tasker.has_mass_actions()
  returns boolean
  language sql
  stable
begin atomic
  select exists (
    select
      from tasker.mass_actions as m
     where m.state = 'running'
        or m.state = 'done' and m.open > 0 and m.ended_at > tasker.clock() - interval '1 hour'
  );
end;

comment on function tasker.has_mass_actions is
$$Returns whether a mass action has entries to act on, or ended within the last hour and still waits for outcomes.$$;
-- <<<

-- >>> db/schema/functions/operate/mass/private/failed_step_nos.sql
create or replace function tasker.failed_step_nos(p_task_uuid uuid)
  returns integer[]
  language sql
  stable
begin atomic
  select array(
    select s.step_no
      from tasker.workflow_steps as s
     where s.task_uuid = p_task_uuid
       and s.state = 'error'
     order by s.step_no
     limit 100
  );
end;

comment on function tasker.failed_step_nos is
$$Returns the numbers of the first 100 steps of a task that are in the state "error".$$;
-- <<<

-- >>> db/schema/functions/operate/mass/private/identity_is_held.sql
create or replace function tasker.identity_is_held(p_task_uuid uuid)
  returns boolean
  language plpgsql
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_hash bytea := (select t.identity_hash from tasker.tasks as t where t.task_uuid = p_task_uuid);
begin
  if v_hash is null then
    return false;
  end if;
  perform
     from tasker.task_identities as i
    where i.identity_hash = v_hash
      for no key update skip locked;
  return not found and exists (select from tasker.task_identities as i where i.identity_hash = v_hash);
end;
$$;

comment on function tasker.identity_is_held is
$$Tries to lock the identity of a task, which the caller has locked. Returns true if another transaction holds the
identity. In this case a reset would wait for the identity while the caller holds tasks.$$;
-- <<<

-- >>> db/schema/functions/operate/mass/private/fork_entry.sql
create or replace function tasker.fork_entry(
  p_action  tasker.mass_actions,
  p_entry   tasker.selection_entries,
  p_reason  text,
  p_actor   text
)
  returns tasker.selection_entries
  language plpgsql
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_entry tasker.selection_entries := p_entry;
  v_from  text := p_action.arguments ->> 'from_step';
begin
  if v_from is null then
    select s.name
      into v_from
      from tasker.workflow_steps as s
     where s.task_uuid = v_entry.task_uuid
       and s.state = 'error'
     order by s.step_no
     limit 1;
    if not found then
      raise exception using
        errcode = 'TK409',
        message = 'no step of the task has failed',
        hint    = 'Name the step to fork from.';
    end if;
  end if;
  v_entry.result_uuid := tasker.fork_task(
    v_entry.task_uuid, v_from, p_action.arguments ->> 'version', p_reason, p_actor,
    coalesce((p_action.arguments ->> 'cancel')::boolean, true), p_action.selection_uuid::text
  );
  v_entry.watch := array(
    select s.step_no
      from tasker.workflow_steps as s
     where s.task_uuid = v_entry.result_uuid
       and s.name = v_from
     order by s.step_no
     limit 1
  );
  return v_entry;
end;
$$;

comment on function tasker.fork_entry is
$$Forks the task of an entry from the step that the mass action names, or else from its first failed step. The UUID of
the selection is the key of the fork, so that a task is forked only once. Raises TK409 if no step has failed, and the
errors of tasker.fork_task.$$;
-- <<<

-- >>> db/schema/functions/operate/mass/private/act_on_entry.sql
create or replace function tasker.act_on_entry(p_action tasker.mass_actions, p_entry tasker.selection_entries)
  returns tasker.selection_entries
  language plpgsql
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_entry   tasker.selection_entries := p_entry;
  v_reason  text := format('%s (mass action %s)', p_action.reason, p_action.selection_uuid);
  -- tasker.check_given_name does not allow a caller to give itself the name of a token or of a person who signed in.
  v_actor   text := left(case
    when p_action.started_by ~* '(^|,)\s*(token|schedule|person|task)' then 'for ' || replace(p_action.started_by, ',', ' by')
    else p_action.started_by
  end, 200);
  v_changed boolean := true;
begin
  if p_action.action in ('reset', 'requeue') and tasker.identity_is_held(v_entry.task_uuid) then
    v_entry.tries := v_entry.tries + 1;
    return v_entry;
  end if;
  v_entry.watch := case
    when p_action.action = 'retry' then array[tasker.step_no_of(v_entry.object_uuid)]
    when p_action.action in ('reset', 'requeue') then tasker.failed_step_nos(v_entry.task_uuid)
  end;
  case p_action.action
    when 'reset' then
      v_changed := tasker.reset_task(v_entry.object_uuid, v_reason, v_actor);
    when 'requeue' then
      v_changed := tasker.requeue_dlq_entry(v_entry.object_uuid, v_reason);
    when 'retry' then
      v_changed := tasker.retry_step(v_entry.object_uuid, v_reason, v_actor);
    when 'cancel' then
      v_changed := tasker.cancel_task(v_entry.object_uuid, v_reason, v_actor);
    when 'complete' then
      v_changed := tasker.complete_step_manually(v_entry.object_uuid, p_action.arguments -> 'results', v_reason, v_actor);
    when 'resolve' then
      if exists (select from tasker.selections as s where s.selection_uuid = p_action.selection_uuid and s.kind = 'steps') then
        v_changed := tasker.resolve_step_manually(v_entry.object_uuid, v_reason, v_actor);
      else
        v_changed := tasker.resolve_task_manually(v_entry.object_uuid, v_reason, v_actor);
      end if;
    when 'fork' then
      v_entry := tasker.fork_entry(p_action, v_entry, v_reason, v_actor);
  end case;
  v_entry.state := case when not v_changed then 'skipped' when coalesce(v_entry.watch, '{}') = '{}' then 'passed' else 'open' end;
  v_entry.note := case when not v_changed then 'there was nothing to do' end;
  return v_entry;
exception
  when others then
    v_entry := p_entry;
    if sqlstate in ('40001', '40P01', '55P03') then
      v_entry.tries := v_entry.tries + 1;
    else
      v_entry.state := case when sqlstate like 'TK%' then 'skipped' else 'failed' end;
      v_entry.note := left(sqlerrm, 500);
    end if;
    return v_entry;
end;
$$;

comment on function tasker.act_on_entry is
$$Acts on one entry with the function for a single task, step or dead letter, and returns the entry with its outcome. If
this function refuses, for example because a state has changed, the entry is skipped. The caller has locked the entry's
task.$$;
-- <<<

-- >>> db/schema/functions/operate/mass/private/act_on_entries.sql
create or replace function tasker.act_on_entries(p_action tasker.mass_actions, p_limit integer, p_until timestamptz)
  returns integer
  language plpgsql
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_entries tasker.selection_entries[];
  v_locked  uuid[];
  v_entry   tasker.selection_entries;
  v_done    integer := 0;
begin
  v_entries := array(
    select e
      from tasker.selection_entries as e
     where e.selection_uuid = p_action.selection_uuid
       and e.state = 'waits'
     order by e.tries, e.entry_no
     limit p_limit
  );
  -- Lock all tasks at once, before any task is changed, and without waiting. So two mass actions, or a mass action and
  -- an operator, cannot deadlock.
  v_locked := tasker.lock_tasks(array(select e.task_uuid from unnest(v_entries) as e));
  for v_entry in
    select e.* from unnest(v_entries) as e order by e.task_uuid, e.object_uuid
  loop
    exit when clock_timestamp() > p_until and v_done > 0;
    if v_entry.task_uuid = any (v_locked) then
      v_entry := tasker.act_on_entry(p_action, v_entry);
    elsif not exists (select from tasker.tasks as t where t.task_uuid = v_entry.task_uuid) then
      v_entry.state := 'skipped';
      v_entry.note := 'its task does not exist any more';
    else
      v_entry.tries := v_entry.tries + 1;
    end if;
    if v_entry.state = 'waits' and v_entry.tries >= 100 then
      v_entry.state := 'skipped';
      v_entry.note := 'another transaction held its task';
    end if;
    update tasker.selection_entries as e
       set state       = v_entry.state,
           tries       = v_entry.tries,
           acted_at    = case when v_entry.state in ('open', 'passed', 'failed') then tasker.clock() end,
           watch       = v_entry.watch,
           result_uuid = v_entry.result_uuid,
           note        = v_entry.note
     where e.selection_uuid = v_entry.selection_uuid
       and e.entry_no = v_entry.entry_no;
    v_done := v_done + (v_entry.state <> 'waits')::integer;
  end loop;
  return v_done;
end;
$$;

comment on function tasker.act_on_entries is
$$Acts on up to p_limit entries of a mass action that are next, until the time p_until, and writes the outcome of each
entry. Returns how many entries left the state "waits". Locks the tasks of the entries without waiting. If another
transaction holds the task of an entry, the entry waits for a later batch.$$;
-- <<<

-- >>> db/schema/functions/operate/mass/private/judge_mass_entries.sql
create or replace function tasker.judge_mass_entries(p_selection_uuid uuid, p_after integer, p_limit integer)
  returns integer
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
  v_read integer;
  v_last integer;
begin
  with read as materialized (
    select e.entry_no, coalesce(e.result_uuid, e.task_uuid) as task_uuid, e.watch
      from tasker.selection_entries as e
     where e.selection_uuid = p_selection_uuid
       and e.state = 'open'
       and e.entry_no > p_after
     order by e.entry_no
     limit p_limit
  ),
  now as materialized (
    select
      r.entry_no,
      case
        when w.failed or t.state in ('error', 'blocked_by_failures') then 'failed'
        when w.settled is not false or t.complete is not false then 'passed'
        else 'open'
      end as state,
      w.error
    from read as r
    left join lateral (
      select t.state, t.complete
        from tasker.tasks as t
       where t.task_uuid = r.task_uuid
      offset 0
    ) as t
      on true
    cross join lateral (
      select
        bool_or(s.state = 'error') as failed,
        bool_and(s.state in ('complete', 'cancelled', 'resolved_manually')) as settled,
        left((array_agg(s.last_error order by s.step_no) filter (where s.state = 'error'))[1], 500) as error
      from unnest(r.watch) as u (step_no)
      cross join lateral (
        select s.step_no, s.state, s.last_error
          from tasker.workflow_steps as s
         where s.task_uuid = r.task_uuid
           and s.step_no = u.step_no
        offset 0
      ) as s
    ) as w
  ),
  changed as (
    update tasker.selection_entries as e
       set state = n.state,
           note  = n.error
      from now as n
     where n.state <> 'open'
       and e.selection_uuid = p_selection_uuid
       and e.entry_no = n.entry_no
  )
  select count(*), max(n.entry_no) into v_read, v_last from now as n;
  return case when v_read = p_limit then v_last else 0 end;
end;
$$;

comment on function tasker.judge_mass_entries is
$$Determines the outcomes of at most p_limit open entries after the entry p_after. The outcome is "failed" if a step
that had failed before, or its task, has failed again. The outcome is "passed" if these steps have settled, or if the
task has ended. Returns the entry after which the next call continues, or 0 if it begins with the first entry.$$;
-- <<<

-- >>> db/schema/functions/operate/mass/private/weigh_mass_action.sql
create or replace function tasker.weigh_mass_action(p_action tasker.mass_actions)
  returns tasker.mass_actions
  language plpgsql
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_action tasker.mass_actions := p_action;
  v_open   integer; -- these three count only entries since the action was started or resumed
  v_passed integer;
  v_failed integer;
begin
  select
    count(*) filter (where e.state = 'waits'), count(*) filter (where e.state = 'open'), count(*) filter (where e.state = 'passed'),
    count(*) filter (where e.state = 'failed'), count(*) filter (where e.state = 'skipped'),
    count(*) filter (where e.state = 'open' and e.acted_at >= v_action.since),
    count(*) filter (where e.state = 'passed' and e.acted_at >= v_action.since),
    count(*) filter (where e.state = 'failed' and e.acted_at >= v_action.since)
    into v_action.waits, v_action.open, v_action.passed, v_action.failed, v_action.skipped, v_open, v_passed, v_failed
    from tasker.selection_entries as e
   where e.selection_uuid = v_action.selection_uuid;
  if v_action.state <> 'running' then
    return v_action;
  end if;

  if v_failed > 0 and v_failed > v_action.stop_share * (v_passed + v_failed) and (v_action.canary or v_passed + v_failed >= 10)
     and v_action.waits > 0 then
    v_action.state := 'stopped';
    v_action.stopped_by := 'stop rule';
    v_action.stopped_why := format('%s of %s outcomes are failures, more than %s %%', v_failed, v_passed + v_failed, round(100 * v_action.stop_share, 1));
  elsif v_action.waits = 0 then
    v_action.state := 'done';
    v_action.ended_at := tasker.clock();
  elsif v_action.stage < 3 and v_open + v_passed + v_failed >= (case v_action.stage when 1 then 1 else 11 end) then
    if v_open = 0 then
      v_action.stage := v_action.stage + 1;
      v_action.stage_at := tasker.clock();
    elsif tasker.clock() > v_action.acted_at + make_interval(secs => v_action.canary_seconds) then
      v_action.state := 'stopped';
      v_action.stopped_by := 'canary';
      v_action.stopped_why := format(
        'the outcome of %s %s is not known after %s seconds', v_open, case v_open when 1 then 'entry' else 'entries' end, v_action.canary_seconds
      );
    end if;
  end if;
  return v_action;
end;
$$;

comment on function tasker.weigh_mass_action is
$$Returns a mass action with its counts, and with the state and the stage that follow from the counts. The action may be
stopped by its stop rule, stopped because the outcome of its canary stays unknown, at its next stage, or done. Writes
nothing.$$;
-- <<<

-- >>> db/schema/functions/operate/mass/private/mass_quota.sql
create or replace function tasker.mass_quota(p_action tasker.mass_actions)
  returns integer
  language plpgsql
  stable
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_acted integer;
begin
  if p_action.stage = 3 then
    return coalesce(1 + floor(extract(epoch from tasker.clock() - p_action.stage_at) * p_action.per_minute / 60)::integer - p_action.paced, 1000);
  end if;
  select count(*)
    into v_acted
    from tasker.selection_entries as e
   where e.selection_uuid = p_action.selection_uuid
     and e.state in ('open', 'passed', 'failed')
     and e.acted_at >= p_action.since;
  return case p_action.stage when 1 then 1 else 11 end - v_acted;
end;
$$;

comment on function tasker.mass_quota is
$$Returns on how many entries a mass action may act now. In its first two stages, these are the entries that the canary
still needs, and skipped entries do not count. After that, these are the entries that its rate allows.$$;
-- <<<

-- >>> db/schema/functions/operate/mass/private/run_mass_action.sql
create or replace function tasker.run_mass_action(p_action tasker.mass_actions, p_limit integer)
  returns integer
  language plpgsql
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_action tasker.mass_actions := p_action;
  v_until  timestamptz := clock_timestamp() + interval '1 second'; -- other duties wait until then
  v_quota  integer;
  v_did    integer;
  v_done   integer := 0;
begin
  v_action.judged_to := tasker.judge_mass_entries(v_action.selection_uuid, v_action.judged_to, 1000);
  loop
    v_action := tasker.weigh_mass_action(v_action);
    exit when v_action.state <> 'running' or v_done >= p_limit or clock_timestamp() > v_until;
    v_quota := least(tasker.mass_quota(v_action), p_limit - v_done);
    exit when v_quota <= 0;
    v_did := tasker.act_on_entries(v_action, v_quota, v_until);
    exit when v_did = 0;
    v_done := v_done + v_did;
    v_action.acted_at := tasker.clock();
    v_action.paced := v_action.paced + case v_action.stage when 3 then v_did else 0 end;
  end loop;

  update tasker.mass_actions as m
     set state       = v_action.state,
         stopped_by  = v_action.stopped_by,
         stopped_why = v_action.stopped_why,
         ended_at    = v_action.ended_at,
         stage       = v_action.stage,
         stage_at    = v_action.stage_at,
         paced       = v_action.paced,
         acted_at    = v_action.acted_at,
         ran_at      = tasker.clock(),
         judged_to   = v_action.judged_to,
         waits       = v_action.waits,
         open        = v_action.open,
         passed      = v_action.passed,
         failed      = v_action.failed,
         skipped     = v_action.skipped
   where m.selection_uuid = v_action.selection_uuid;
  return v_done;
end;
$$;

comment on function tasker.run_mass_action is
$$Does a batch of a mass action whose row the caller has locked. Reads outcomes, stops the action if its rule requires
it, acts on the next entries, and writes the progress. Returns how many entries left the state "waits".$$;
-- <<<

-- >>> db/schema/functions/operate/mass/private/run_mass_actions.sql
create or replace function tasker.run_mass_actions(p_limit integer)
  returns bigint
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
  v_action tasker.mass_actions;
  v_done   bigint := 0;
begin
  -- If another session is stopping an action and holds its row, leave the action to the next run.
  for v_action in
    select m.*
      from tasker.mass_actions as m
     where m.state = 'running'
        or m.state = 'done' and m.open > 0 and m.ended_at > tasker.clock() - interval '1 hour'
     order by m.ran_at nulls first, m.selection_uuid
     limit 5
       for no key update skip locked
  loop
    v_done := v_done + tasker.run_mass_action(v_action, p_limit);
  end loop;
  return v_done;
end;
$$;

comment on function tasker.run_mass_actions is
$$Acts on at most p_limit entries of each of the five mass actions whose last batch is longest ago. Returns how many
entries left the state "waits". Skips actions that another transaction has locked.$$;
-- <<<

insert into tasker.schema_builds (version, files) values ('20261121001417', 'functions/operate/many/cancel_tasks 5a5d5e8f412101bf
functions/operate/many/private/cancel_found_task 305743f4412342b8
functions/operate/many/private/check_many 635db3f959c29608
functions/operate/many/private/find_steps_to_retry 0a5c30a1963acce4
functions/operate/many/private/find_tasks_to_cancel e1a2523cae95eca4
functions/operate/many/private/note_many 300cfe7e54abd32d
functions/operate/many/private/retry_found_step e04b9cb9f14d1945
functions/operate/many/retry_steps 3213066df2fefbdf
functions/operate/mass/get_mass_action 0d52ab25c57f17a7
functions/operate/mass/list_mass_actions fd9f93859b79848f
functions/operate/mass/private/act_on_entries 2e86b2b210c6bc17
functions/operate/mass/private/act_on_entry e682e24ad5460930
functions/operate/mass/private/check_mass_action 6c70c7ac9db5282d
functions/operate/mass/private/describe_mass_actions 0a2734b38881ae8d
functions/operate/mass/private/failed_step_nos 97b4d8001ee2ad1c
functions/operate/mass/private/find_mass_action a2663f153d4e5948
functions/operate/mass/private/fork_entry ede04264b4313f06
functions/operate/mass/private/has_mass_actions bd4e96fd98a623c4
functions/operate/mass/private/identity_is_held 008bd7246fa8abda
functions/operate/mass/private/judge_mass_entries d5cb25219d8f592f
functions/operate/mass/private/mass_quota a2696af474711bc5
functions/operate/mass/private/run_mass_action a00af36567c9c816
functions/operate/mass/private/run_mass_actions 53412b6b3a0af85c
functions/operate/mass/private/weigh_mass_action 1871f7f062ca4d2e
functions/operate/mass/resume_mass_action 8c21827791b2f3e1
functions/operate/mass/start_mass_action 8d284d79ea23b19f
functions/operate/mass/stop_mass_action 328d0d2613b39464
functions/operate/selections/create_selection cdf40d7e0cf0b335
functions/operate/selections/get_selection 82e83b0dcc32e03f
functions/operate/selections/list_selection_entries ca6e9ccb8ed1cb4b
functions/operate/selections/preview_selection d37a28b2b12307d9
functions/operate/selections/private/check_selection d148aa03da57e3f6
functions/operate/selections/private/describe_selected fb1478f903eb03e0
functions/operate/selections/private/filter_time 605bc2789e250c18
functions/operate/selections/private/find_named 5ad618888517584e
functions/operate/selections/private/find_selected 121797395de176dc
functions/operate/selections/private/find_selection 9804ce3ec40858de
functions/operate/selections/private/forget_selections a872ff8c61bc7126
functions/operate/selections/private/gather_selection 9865726d90a49433
functions/operate/selections/private/selection_words 4abe2638d95f4b3b
rows/operate/many/step_retries 70b04c5938e08ba4
rows/operate/many/task_cancellations 66fff92db0fc7f65
rows/operate/mass/mass_action_details ed74846bd7272a8c
rows/operate/selections/selected_objects c318dafee06db073
rows/operate/selections/selection_details d23c1b67a2dc7e85
rows/operate/selections/selection_entry_details c3692f18d830ee60
rows/operate/selections/selection_previews ce232cc1d955656b
tables/operate/selections/selection_entries 32903a9c9dbbfb85
');

select tasker.note_objects();

reset role;

-- migrate:down
set local citus.enable_ddl_propagation = off; -- Citus would repeat this on its worker nodes
set local role tasker_owner;

delete from tasker.schema_builds where version = '20261121001417';

drop function tasker.run_mass_actions;
drop function tasker.run_mass_action;
drop function tasker.mass_quota;
drop function tasker.weigh_mass_action;
drop function tasker.judge_mass_entries;
drop function tasker.act_on_entries;
drop function tasker.act_on_entry;
drop function tasker.fork_entry;
drop function tasker.identity_is_held;
drop function tasker.failed_step_nos;
drop function tasker.has_mass_actions;
drop function tasker.resume_mass_action;
drop function tasker.stop_mass_action;
drop function tasker.list_mass_actions;
drop function tasker.get_mass_action;
drop function tasker.start_mass_action;
drop function tasker.describe_mass_actions;
drop function tasker.find_mass_action;
drop function tasker.check_mass_action;
drop function tasker.retry_steps;
drop function tasker.retry_found_step;
drop function tasker.find_steps_to_retry;
drop view tasker.step_retries;
drop function tasker.cancel_tasks;
drop function tasker.cancel_found_task;
drop function tasker.find_tasks_to_cancel;
drop view tasker.task_cancellations;
drop function tasker.note_many;
drop function tasker.check_many;
drop function tasker.forget_selections;
drop function tasker.list_selection_entries;
drop function tasker.create_selection;
drop function tasker.get_selection;
drop function tasker.find_selection;
drop function tasker.preview_selection;
drop function tasker.describe_selected;
drop function tasker.gather_selection;
drop function tasker.selection_words;
drop function tasker.find_named;
drop function tasker.find_selected;
drop function tasker.filter_time;
drop function tasker.check_selection;
drop view tasker.mass_action_details;
drop table tasker.selection_entries;
drop view tasker.selection_entry_details;
drop view tasker.selection_details;
drop view tasker.selection_previews;
drop view tasker.selected_objects;

select tasker.note_objects();

reset role;
