-- erase: the data of a run erased for good, with proof
-- Composed from db/schema: edit there, then compose again. Frozen by the first release tag.

-- migrate:up
set local citus.enable_ddl_propagation = off; -- Citus would repeat this on its worker nodes
set local role tasker_owner;

-- >>> db/schema/rows/operate/erase/task_erasures.sql
create or replace view tasker.task_erasures as
select
  '00000000-0000-0000-0000-000000000000'::uuid as task_uuid,
  ''::text as namespace,
  ''::text as name,
  ''::text as version,
  'pending'::tasker.task_state as state,
  0::integer as total_steps,
  '-infinity'::timestamptz as requested_at,
  '00000000-0000-0000-0000-000000000000'::uuid as root_uuid,
  ''::text as outcome
where false;

comment on view tasker.task_erasures is
  'Row type: the outcome for one task in a call that erases tasks.';
comment on column tasker.task_erasures.root_uuid is
  'The task for which the erasure was requested, or that the filters found.';
comment on column tasker.task_erasures.outcome is
  'matched: a dry run; erased; already: an earlier call erased the task; open: the task has not ended; noted: the engine has yet to do something for the task, such as tell its parent; acted_on: a mass action on the task is running; locked: another transaction holds the task.';
-- <<<

-- >>> db/schema/rows/operate/erase/erasure_details.sql
create or replace view tasker.erasure_details as
select
  '00000000-0000-0000-0000-000000000000'::uuid as task_uuid,
  ''::text as namespace,
  '00000000-0000-0000-0000-000000000000'::uuid as root_uuid,
  '-infinity'::timestamptz as erased_at,
  ''::text as erased_by,
  ''::text as reason,
  0::integer as steps,
  ''::text as digest,
  ''::text as remains,
  false::boolean as dropped
where false;

comment on view tasker.erasure_details is
  'Row type: an erasure and its proof.';
comment on column tasker.erasure_details.digest is
  'SHA-256, in hexadecimal digits, of the rows of the task before the erasure.';
comment on column tasker.erasure_details.remains is
  'SHA-256, in hexadecimal digits, of the rows that the erasure left.';
comment on column tasker.erasure_details.dropped is
  'Whether retention has dropped the task since.';
-- <<<

-- >>> db/schema/functions/operate/erase/private/erased_text.sql
create or replace function tasker.erased_text(p_text text)
  returns text
  language sql
  immutable
  parallel safe
begin atomic
  select case when p_text is not null then 'erased' end;
end;

comment on function tasker.erased_text is
$$Returns a text after an erasure: the word "erased", or null.$$;
-- <<<

-- >>> db/schema/functions/operate/erase/private/erased_json.sql
create or replace function tasker.erased_json(p_value jsonb)
  returns jsonb
  language sql
  immutable
  parallel safe
begin atomic
  select case when p_value = '{}' then p_value when p_value is not null then '{"erased": true}'::jsonb end;
end;

comment on function tasker.erased_json is
$$Returns {"erased": true}, by which an erasure replaces a value. Returns null and {} unchanged.$$;
-- <<<

-- >>> db/schema/functions/operate/erase/private/erased_metadata.sql
create or replace function tasker.erased_metadata(p_metadata jsonb)
  returns jsonb
  language sql
  immutable
  parallel safe
begin atomic
  select case when p_metadata ? 'error' then '{"error": "erased", "erased": true}'::jsonb else tasker.erased_json(p_metadata) end;
end;

comment on function tasker.erased_metadata is
$$Returns the metadata of a transition after an erasure: {"erased": true}, with the error "erased" if the metadata had an error.$$;
-- <<<

-- >>> db/schema/functions/operate/erase/private/erased_outcome.sql
create or replace function tasker.erased_outcome(p_metadata jsonb)
  returns jsonb
  language plpgsql
  stable
  strict
  parallel safe
  set search_path = pg_catalog, pg_temp
as $$
begin
  return jsonb_strip_nulls(jsonb_build_object(
    'count', case when jsonb_typeof(p_metadata -> 'count') = 'number' then p_metadata -> 'count' end,
    'step_nos', case
      when jsonb_typeof(p_metadata -> 'step_nos') = 'array' and not jsonb_path_exists(p_metadata, '$.step_nos[*] ? (@.type() <> "number")')
        then p_metadata -> 'step_nos'
    end
  )) || coalesce(tasker.erased_metadata(p_metadata - '{count,step_nos}'::text[]), '{}');
end;
$$;

comment on function tasker.erased_outcome is
$$Returns metadata of the engine after an erasure: only the count of steps and the step numbers.$$;
-- <<<

-- >>> db/schema/functions/operate/erase/private/erased_mass_action.sql
create or replace function tasker.erased_mass_action(p_row jsonb)
  returns jsonb
  language sql
  immutable
  parallel safe
begin atomic
  select p_row || jsonb_build_object(
    'arguments', tasker.erased_json(p_row -> 'arguments'), 'reason', 'erased',
    'stopped_why', tasker.erased_text(p_row ->> 'stopped_why')
  );
end;

comment on function tasker.erased_mass_action is
$$Returns the row of a mass action in the log of administration after an erasure.$$;
-- <<<

-- >>> db/schema/functions/operate/erase/private/run_digest.sql
create or replace function tasker.run_digest(p_task_uuid uuid, p_rare boolean default true)
  returns text
  language plpgsql
  stable
  set search_path = pg_catalog, pg_temp
  set timezone = 'UTC'
  set extra_float_digits = 1
  set bytea_output = 'hex'
  set plan_cache_mode = force_generic_plan
  set enable_hashjoin = off
  set enable_mergejoin = off
  set enable_seqscan = off
  set jit = off
  set max_parallel_workers_per_gather = 0
as $$
declare
  v_rows bytea;
begin
  -- Leave out nulls, so that the digest does not change if a later version adds a column.
  select string_agg(sha256(convert_to(r.kind || json_strip_nulls(r.data)::text, 'UTF8')), '' order by r.kind, r.no, r.sort_key)
    into v_rows
    from (
      select 'task' as kind, 0 as no, 0 as sort_key, to_json(t) as data from tasker.tasks as t where t.task_uuid = p_task_uuid
      union all
      select 'step', s.step_no, 0, to_json(s) from tasker.workflow_steps as s where s.task_uuid = p_task_uuid
      union all
      select 'task log', 0, l.sort_key, to_json(l) from tasker.task_log as l where l.task_uuid = p_task_uuid
      union all
      select 'step log', l.step_no, l.sort_key, to_json(l) from tasker.step_log as l where l.task_uuid = p_task_uuid
    ) as r;
  if p_rare then
    v_rows := coalesce(v_rows, '') || coalesce((
      select string_agg(
               sha256(convert_to(r.kind || json_strip_nulls(r.data)::text, 'UTF8')), ''
               order by r.kind, r.no, r.sort_key, r.data::text collate "C"
             )
        from (
          select 'edge' as kind, e.from_step_no as no, e.to_step_no::bigint as sort_key, to_json(e) as data
            from tasker.added_step_edges as e where e.task_uuid = p_task_uuid
          union all
          select 'signal', g.signal_no, 0, to_json(g) from tasker.task_signals as g where g.task_uuid = p_task_uuid
          union all
          select 'kept', k.step_no, k.kept_no, to_json(k) from tasker.kept_results as k where k.task_uuid = p_task_uuid
          union all
          select 'stream', h.step_no, 0, to_json(h) from tasker.step_streams as h where h.task_uuid = p_task_uuid
          union all
          select 'items', i.step_no, i.last_no, to_json(i) from tasker.stream_items as i where i.task_uuid = p_task_uuid
          union all
          select 'attribute', a.step_no, a.attribute_no, to_json(a) from tasker.task_attributes as a where a.task_uuid = p_task_uuid
        ) as r
    ), '');
  end if;
  return encode(sha256(coalesce(v_rows, '')), 'hex');
end;
$$;

comment on function tasker.run_digest is
$$Returns the SHA-256, in hexadecimal digits, of all rows of a task: the task itself, its steps and edges, both logs,
signals, kept results, values, streams and attributes. Without p_rare it does not read the tables in which
tasker.has_rare_rows has found no row, so the digest is the same. The digest does not depend on the settings of the
session. The cost is linear in the number of the task's rows.$$;
-- <<<

-- >>> db/schema/functions/operate/erase/private/erase_copies.sql
create or replace function tasker.erase_copies(p_task_uuid uuid)
  returns void
  language plpgsql
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_selections uuid[];
begin
  perform tasker.forget_streams(p_task_uuid);
  delete from tasker.failed_timers as f where f.task_uuid = p_task_uuid;
  -- The task can no longer be reset, so it no longer blocks a sequence.
  perform tasker.drop_run(p_task_uuid);

  -- In the feed, erase the events that a target refused, and the events that were found but not read yet.
  update tasker.dead_events as d
     set event = d.event || jsonb_strip_nulls(jsonb_build_object(
           'actor', tasker.erased_text(d.event ->> 'actor'), 'reason', tasker.erased_text(d.event ->> 'reason'),
           'metadata', tasker.erased_json(d.event -> 'metadata')
         )),
         error = 'erased'
   where d.event ->> 'task_uuid' = p_task_uuid::text;
  update tasker.feed_lists as f
     set finds = array(
       select (
                u.created_at, u.task_uuid, u.step_no, u.sort_key, u.event, u.step_from, u.step_to, u.task_from, u.task_to, u.claim_no,
                u.execution_time_ms, u.worker_uuid,
                case when u.task_uuid = p_task_uuid then tasker.erased_text(u.actor) else u.actor end,
                case when u.task_uuid = p_task_uuid then tasker.erased_text(u.reason) else u.reason end,
                case when u.task_uuid = p_task_uuid then tasker.erased_json(u.metadata) else u.metadata end,
                u.has_more
              )::tasker.feed_finds
         from unnest(f.finds) with ordinality as u
        order by u.ordinality
     )
   where exists (select from unnest(f.finds) as u where u.task_uuid = p_task_uuid);

  -- The first text of a cause comes from one run. Its masked text also comes from this run, unless a failure of another
  -- run has the same masked text.
  update tasker.error_causes as c
     set first_error = 'erased',
         masked      = case
           when exists (select from tasker.error_steps as e where e.fingerprint = c.fingerprint and e.task_uuid <> p_task_uuid) then c.masked
           else 'erased'
         end
   where tasker.task_uuid_of(c.first_step) = p_task_uuid;
  if found then
    update tasker.incidents as i
       set what    = case when c.masked = 'erased' then 'erased' else i.what end,
           figures = i.figures || '{"first_error": "erased"}'
      from tasker.error_causes as c
     where tasker.task_uuid_of(c.first_step) = p_task_uuid
       and i.incident = 'failing:' || c.fingerprint;
  end if;

  -- Erase the reasons that people gave for a pause, a change or a skipped run.
  update tasker.administration_log as l
     set reason = tasker.erased_text(l.reason)
   where l.kind in ('tasks', 'runs')
     and l.object = any (array(
       select u.name from tasker.tasks as t join tasker.creation_plans as p on p.named_task_uuid = t.named_task_uuid
        cross join unnest(array[p_task_uuid::text, format('%s/%s/%s', p.namespace, p.name, p_task_uuid)]) as u (name)
        where t.task_uuid = p_task_uuid
     ));

  -- In the selections with this task, erase the filters, the description, and the values that a mass action gave to the
  -- task's steps.
  v_selections := array(select distinct e.selection_uuid from tasker.selection_entries as e where e.task_uuid = p_task_uuid);
  if v_selections = '{}' then
    return;
  end if;
  update tasker.selection_entries as e
     set note = tasker.erased_text(e.note)
   where e.task_uuid = p_task_uuid
     and e.note is not null;
  update tasker.selections as s
     set filters = tasker.erased_json(s.filters),
         words   = 'erased'
   where s.selection_uuid = any (v_selections);
  update tasker.mass_actions as m
     set arguments   = tasker.erased_json(m.arguments),
         reason      = 'erased',
         stopped_why = tasker.erased_text(m.stopped_why)
   where m.selection_uuid = any (v_selections);
  update tasker.administration_log as l
     set reason  = tasker.erased_text(l.reason),
         was     = tasker.erased_mass_action(l.was),
         becomes = tasker.erased_mass_action(l.becomes)
   where l.kind = 'mass_actions'
     and l.object = any (v_selections::text[]);
end;
$$;

comment on function tasker.erase_copies is
$$Erases the copies of a task's data that other tables have: values and streams, timers that failed, the feed, the first
texts of causes, selections and mass actions, and the entries about these in the log of administration.
tasker.erase_rows calls this function.$$;
-- <<<

-- >>> db/schema/functions/operate/erase/private/erase_rare_rows.sql
create or replace function tasker.erase_rare_rows(p_task_uuid uuid)
  returns void
  language plpgsql
  set search_path = pg_catalog, pg_temp
as $$
begin
  update tasker.added_step_edges as e
     set name      = 'erased',
         condition = null
   where e.task_uuid = p_task_uuid;
  update tasker.task_signals as g
     set name            = 'erased',
         payload         = tasker.erased_json(g.payload),
         idempotency_key = null
   where g.task_uuid = p_task_uuid;
  perform tasker.forget_attributes(p_task_uuid);
  perform set_config('tasker.forgets', 'on', true);
  delete from tasker.kept_results as k where k.task_uuid = p_task_uuid;
  perform set_config('tasker.forgets', '', true);
  update tasker.tasks_dlq as d
     set resolution_notes = tasker.erased_text(d.resolution_notes),
         -- Keep the namespace, because it decides who may see the investigation.
         task_snapshot    = jsonb_build_object('erased', true, 'task', jsonb_build_object(
           'namespace', d.task_snapshot #> '{task,namespace}', 'name', d.task_snapshot #> '{task,name}',
           'version', d.task_snapshot #> '{task,version}'
         )),
         metadata         = tasker.erased_json(d.metadata)
   where d.task_uuid = p_task_uuid;
end;
$$;

comment on function tasker.erase_rare_rows is
$$Erases the data in the rows that only few tasks have: added edges, signals, attributes, kept results and dead letters.
tasker.erase_rows calls this function.$$;
-- <<<

-- >>> db/schema/functions/operate/erase/private/erase_rows.sql
create or replace function tasker.erase_rows(p_task_uuid uuid, p_rare boolean)
  returns void
  language plpgsql
  set search_path = pg_catalog, pg_temp
  set plan_cache_mode = force_generic_plan
  set enable_hashjoin = off
  set enable_mergejoin = off
  set enable_seqscan = off
  set jit = off
  set max_parallel_workers_per_gather = 0
as $$
begin
  update tasker.tasks as t
     set initiator     = tasker.erased_text(t.initiator),
         source_system = tasker.erased_text(t.source_system),
         reason        = tasker.erased_text(t.reason),
         tags          = case when t.tags = '{}' then t.tags else '{erased}' end,
         headers       = tasker.erased_json(t.headers),
         context       = tasker.erased_json(t.context),
         -- Keep the phase and the event, because they are words of the engine.
         undo          = t.undo || jsonb_strip_nulls(jsonb_build_object(
           'actor', tasker.erased_text(t.undo ->> 'actor'), 'metadata', tasker.erased_json(t.undo -> 'metadata')
         )),
         erased_at     = tasker.write_clock()
   where t.task_uuid = p_task_uuid;

  update tasker.workflow_steps as s
     set last_error     = tasker.erased_text(s.last_error),
         inputs         = case when s.inputs = k.initialization then s.inputs else tasker.erased_json(s.inputs) end,
         await          = case when s.await = k.await then s.await else tasker.erased_json(s.await) end,
         for_each       = case when s.for_each = k.for_each then s.for_each else tasker.erased_json(s.for_each) end,
         results        = tasker.erased_json(s.results),
         checkpoint     = tasker.erased_json(s.checkpoint),
         function_state = tasker.erased_json(s.function_state),
         wait           = tasker.erased_json(s.wait),
         limit_key      = tasker.erased_text(s.limit_key)
    from (
      -- Columns with the same value as in the template have no data of the run.
      select o.step_no, n.initialization, n.await, n.for_each
        from tasker.workflow_steps as o
        join tasker.tasks as t
          on t.task_uuid = o.task_uuid
        left join tasker.named_tasks_named_steps as n
          on n.named_task_uuid = t.named_task_uuid
         and n.step_no = o.step_no
       where o.task_uuid = p_task_uuid
    ) as k
   where s.task_uuid = p_task_uuid
     and s.step_no = k.step_no;

  -- Keep only the counts in the metadata that the engine itself wrote. The metadata of a caller may have any content.
  update tasker.task_log as l
     set actor    = tasker.erased_text(l.actor),
         reason   = tasker.erased_text(l.reason),
         metadata = case when l.actor is null then tasker.erased_outcome(l.metadata) else tasker.erased_metadata(l.metadata) end,
         outcome  = tasker.erased_outcome(l.outcome)
   where l.task_uuid = p_task_uuid;
  update tasker.step_log as l
     set actor         = tasker.erased_text(l.actor),
         reason        = tasker.erased_text(l.reason),
         metadata      = tasker.erased_metadata(l.metadata),
         -- Delete the digest, because a short result can be guessed from it.
         result_digest = null
   where l.task_uuid = p_task_uuid;

  -- Even a statement that finds no row opens all partitions and runs its triggers.
  if p_rare then
    perform tasker.erase_rare_rows(p_task_uuid);
  end if;
  perform tasker.erase_copies(p_task_uuid);
end;
$$;

comment on function tasker.erase_rows is
$$Replaces the data of a task that has ended, and all copies of this data, by the word "erased". Deletes the kept
results of the task's functions and its streams. With p_rare, also erases the rows that tasker.has_rare_rows finds. The
guards of the history allow only this function to change the history. The caller holds the task's lock.$$;
-- <<<

-- >>> db/schema/functions/operate/erase/private/erasure_problem.sql
create or replace function tasker.erasure_problem(p_task_uuid uuid)
  returns text
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
begin
  return (
    select case
             when t.erased_at is not null then 'already'
             when not t.complete then 'open'
             -- A note that has not been fired yet would copy the result to the parent after the erasure.
             when exists (select from tasker.timers as m where m.task_uuid = p_task_uuid) then 'noted'
             when exists (
               select
                 from tasker.selection_entries as e
                 join tasker.mass_actions as m
                   on m.selection_uuid = e.selection_uuid
                where e.task_uuid = p_task_uuid
                  and (m.state = 'running' or m.state = 'done' and m.open > 0)
             ) then 'acted_on'
           end
      from tasker.tasks as t
     where t.task_uuid = p_task_uuid
  );
end;
$$;

comment on function tasker.erasure_problem is
$$Returns why a task cannot be erased, as a value of tasker.task_erasures.outcome. Returns null if the task can be
erased. The caller holds the task's lock.$$;
-- <<<

-- >>> db/schema/functions/operate/erase/private/erase_locked_task.sql
create or replace function tasker.erase_locked_task(p_task_uuid uuid, p_root_uuid uuid, p_reason text, p_actor text)
  returns void
  language plpgsql
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_rare   boolean := tasker.has_rare_rows(p_task_uuid);
  v_digest text := tasker.run_digest(p_task_uuid, v_rare);
begin
  perform tasker.erase_rows(p_task_uuid, v_rare);
  insert into tasker.erasures (task_uuid, namespace, root_uuid, erased_at, erased_by, reason, steps, digest, remains)
  select
    t.task_uuid, tasker.namespace_of_task(t.task_uuid), p_root_uuid, t.erased_at, p_actor, p_reason, t.total_steps,
    v_digest, tasker.run_digest(t.task_uuid, v_rare)
  from tasker.tasks as t
  where t.task_uuid = p_task_uuid;
end;
$$;

comment on function tasker.erase_locked_task is
$$Erases the data of a task, and writes a row into tasker.erasures. The caller holds the task's lock, and has checked
with tasker.erasure_problem that the task can be erased.$$;
-- <<<

-- >>> db/schema/functions/operate/erase/private/tasks_below.sql
create or replace function tasker.tasks_below(p_task_uuids uuid[])
  returns setof uuid
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
  v_level uuid[] := p_task_uuids;
begin
  loop
    -- A step that was tried again has started several tasks, and has the UUID of the last one. All these tasks have the
    -- correlation of the step's task as their parent correlation.
    v_level := array(
      select distinct c.task_uuid
        from unnest(v_level) as u (task_uuid)
       cross join lateral (
         select t.correlation_id
           from tasker.tasks as t
          where t.task_uuid = u.task_uuid
         offset 0
       ) as t
       cross join lateral (
         select c.task_uuid
           from tasker.tasks as c
          where c.parent_correlation_id = t.correlation_id
            and tasker.task_uuid_of(c.parent_step_uuid) = u.task_uuid
         offset 0
       ) as c
    );
    exit when v_level = '{}';
    return query select l.task_uuid from unnest(v_level) as l (task_uuid);
  end loop;
end;
$$;

comment on function tasker.tasks_below is
$$Returns the tasks that steps of these tasks have started, the tasks that the steps of those tasks have started, and so
on.$$;
-- <<<

-- >>> db/schema/functions/operate/erase/private/describe_erasures.sql
create or replace function tasker.describe_erasures(p_root_uuids uuid[], p_children boolean)
  returns setof tasker.task_erasures
  language plpgsql
  stable
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_root uuid;
begin
  foreach v_root in array p_root_uuids loop
    return query
    select t.task_uuid, n.name, k.name, k.version, t.state, t.total_steps, t.requested_at, v_root, text 'matched'
      from (
        select v_root as task_uuid
        union all
        select b.task_uuid from tasker.tasks_below(array[v_root]) as b (task_uuid) where p_children
      ) as u
     cross join lateral (
       select t.*
         from tasker.tasks as t
        where t.task_uuid = u.task_uuid
       offset 0
     ) as t
      join tasker.named_tasks as k
        on k.named_task_uuid = t.named_task_uuid
      join tasker.task_namespaces as n
        on n.task_namespace_uuid = k.task_namespace_uuid
     order by t.task_uuid;
  end loop;
end;
$$;

comment on function tasker.describe_erasures is
$$Returns a row of outcomes for each of these tasks and, with p_children, for each of the tasks below them, before they
are erased.$$;
-- <<<

-- >>> db/schema/functions/operate/erase/private/erase_tree.sql
create or replace function tasker.erase_tree(p_root_uuid uuid, p_children boolean, p_reason text, p_actor text, p_dry_run boolean)
  returns setof tasker.task_erasures
  language plpgsql
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_found   tasker.task_erasures[] := array(select d from tasker.describe_erasures(array[p_root_uuid], p_children) as d);
  v_uuids   uuid[] := array(select f.task_uuid from unnest(v_found) as f);
  v_locked  uuid[] := case when p_dry_run then v_uuids else tasker.lock_tasks(v_uuids) end;
  v_problem text;
  v_row     tasker.task_erasures;
begin
  -- Erase either all tasks of the tree or none, because a task that is not erased would keep the results of the tasks
  -- below it.
  for v_no in 1 .. cardinality(v_found) loop
    v_row := v_found[v_no];
    v_row.outcome := case when v_row.task_uuid = any (v_locked) then coalesce(tasker.erasure_problem(v_row.task_uuid), 'matched') else 'locked' end;
    v_found[v_no] := v_row;
    if v_row.outcome not in ('matched', 'already') then
      return next v_row;
      v_problem := v_row.outcome;
    end if;
  end loop;
  if v_problem is not null then
    return;
  end if;

  foreach v_row in array v_found loop
    if v_row.outcome = 'matched' and not p_dry_run then
      perform tasker.erase_locked_task(v_row.task_uuid, p_root_uuid, p_reason, p_actor);
      v_row.outcome := 'erased';
    end if;
    return next v_row;
  end loop;
end;
$$;

comment on function tasker.erase_tree is
$$Erases a task and, with p_children, the tasks below it: all of them, or none if one of them cannot be erased. In that
case it returns only the tasks that cannot be erased. Locks the tasks in the order of their UUIDs, without waiting for
locks.$$;
-- <<<

-- >>> db/schema/functions/operate/erase/erase_task.sql
create or replace function tasker.erase_task(
  p_task_uuid  uuid,
  p_reason     text,
  p_children   boolean  default false,
  p_actor      text     default null
)
  returns setof tasker.task_erasures
  language plpgsql
  security definer
  set search_path = pg_catalog, pg_temp
  set plan_cache_mode = force_generic_plan
  set enable_hashjoin = off
  set enable_mergejoin = off
  set enable_seqscan = off
  set jit = off
  set max_parallel_workers_per_gather = 0
  set lock_timeout = '5s'
as $$
declare
  v_actor text := tasker.actor_name(p_actor);
  v_rows  tasker.task_erasures[];
  v_first tasker.task_erasures;
begin
  p_children := coalesce(p_children, false);
  perform tasker.check_bound(p_task_uuid);
  perform tasker.check_isolation();
  perform tasker.check_bulk(p_reason, 1, false);
  perform tasker.administer(p_actor, p_reason);
  perform tasker.check_recent_sign_in();
  perform tasker.lock_task(p_task_uuid);
  v_rows := array(select e from tasker.erase_tree(p_task_uuid, p_children, p_reason, v_actor, false) as e);
  v_first := v_rows[1];
  if v_first.outcome in ('open', 'noted', 'acted_on') then
    raise exception using
      errcode = 'TK409',
      message = format('task %s cannot be erased: %s', v_first.task_uuid, case v_first.outcome
        when 'open' then format('it is %s and has not ended', v_first.state)
        when 'noted' then 'the engine has yet to do something for it'
        else 'a mass action on it is running'
      end),
      hint    = case v_first.outcome
        when 'open' then 'Cancel it first, with tasker.cancel_task(task, reason).'
        when 'noted' then 'Try again in a few seconds: a claim or maintenance tells its parent that it has ended.'
        else 'Wait until the mass action has ended, or stop it with tasker.stop_mass_action(selection).'
      end;
  elsif v_first.outcome = 'locked' then
    perform tasker.raise_task_locked(v_first.task_uuid);
  end if;
  return query select r.* from unnest(v_rows) as r;
exception
  when lock_not_available then
    perform tasker.raise_task_locked(p_task_uuid);
end;
$$;

comment on function tasker.erase_task is
$$Erases the data of a task that has ended, irrevocably: context, headers, tags, inputs, results, errors, checkpoints,
states and kept results of functions, signals with their payloads, reasons, and names that callers gave themselves. Also
erases the copies of this data in dead letters, the feed, first texts of causes, selections, mass actions and the log of
administration. Each text is replaced by the word "erased", and each value by {"erased": true}. States, times, counts,
names of steps, logins, roles and a digest of the erased data stay. With p_children the tasks that the task's steps have
started are erased, too: all of them or none. Returns a row for each task with the outcome "erased", or "already" if an
earlier call erased the task.

An erased task cannot be reset, retried or forked. Copies of the data stay in forks of the task, in the tasks above it,
in backups, in the WAL, in logs and with subscribers (docs/howto/erase.md). tasker.list_erasures returns the proof of
the erasure, and tasker.administration_log says who erased the task and why. tasker.check_integrity finds a task that
was changed after its erasure, or emptied without an erasure.

Idempotent. The cost is linear in the number of rows of the tasks. Locks the task, then tries to lock the tasks below
it. Raises TK404 if there is no such task. Raises TK409 if a task has not ended, has work left or is in a running mass
action, or if another session keeps a task locked. Raises TK422 without a reason. Raises TK413 if the reason is longer
than 1,000 characters. Raises TK428 if the caller is a person whose sign-in is too old. Raises TK403 if the caller is
bound to other namespaces. Raises TK409 if the isolation level is above READ COMMITTED.$$;

grant execute on function tasker.erase_task to tasker_operator;
-- <<<

-- >>> db/schema/functions/operate/erase/private/find_tasks_to_erase.sql
create or replace function tasker.find_tasks_to_erase(
  p_namespace  text,
  p_name       text,
  p_version    text,
  p_tags       text[],
  p_key        text,
  p_from       uuid,
  p_to         uuid,
  p_after      uuid,
  p_limit      integer
)
  returns setof uuid
  language plpgsql
  stable
  set search_path = pg_catalog, pg_temp
  set plan_cache_mode = force_custom_plan
as $$
declare
  v_bound text[] := tasker.bound_namespaces();
  v_keyed uuid[];
begin
  if p_key is not null then
    v_keyed := array(select d.task_uuid from tasker.find_tasks_by_key(p_key, p_namespace, p_name) as d);
  end if;
  -- The query is planned for the given filters, because tags and templates each have an index.
  return query
  select t.task_uuid
    from tasker.tasks as t
    join tasker.named_tasks as k
      on k.named_task_uuid = t.named_task_uuid
    join tasker.task_namespaces as n
      on n.task_namespace_uuid = k.task_namespace_uuid
   where t.erased_at is null
     and (v_keyed is null or t.task_uuid = any (v_keyed))
     and (p_namespace is null or n.name = p_namespace)
     and (v_bound is null or n.name = any (v_bound))
     and (p_name is null or k.name = p_name)
     and (p_version is null or k.version = p_version)
     and (p_tags is null or t.tags @> p_tags)
     and (p_tags is null or p_tags = '{}' or t.tags <> '{}')
     and t.task_uuid >= p_from
     and t.task_uuid < p_to
     and t.task_uuid > p_after
   order by t.task_uuid
   limit p_limit;
end;
$$;

comment on function tasker.find_tasks_to_erase is
$$Returns up to p_limit tasks after p_after, in the order of their UUIDs. These tasks match all given filters, are not
erased, and are in namespaces of the caller.$$;
-- <<<

-- >>> db/schema/functions/operate/erase/private/has_rare_rows.sql
create or replace function tasker.has_rare_rows(p_task_uuid uuid)
  returns boolean
  language plpgsql
  stable
  set search_path = pg_catalog, pg_temp
as $$
begin
  return exists (select from tasker.added_step_edges as e where e.task_uuid = p_task_uuid)
      or exists (select from tasker.task_signals as g where g.task_uuid = p_task_uuid)
      or exists (select from tasker.kept_results as k where k.task_uuid = p_task_uuid)
      or exists (select from tasker.step_streams as h where h.task_uuid = p_task_uuid)
      or exists (select from tasker.stream_items as i where i.task_uuid = p_task_uuid)
      or exists (select from tasker.task_attributes as a where a.task_uuid = p_task_uuid)
      or exists (select from tasker.tasks_dlq as d where d.task_uuid = p_task_uuid);
end;
$$;

comment on function tasker.has_rare_rows is
$$Returns whether a task has rows that only few tasks have: added edges, signals, kept results, streams, attributes or
dead letters. The caller holds the task's lock.$$;
-- <<<

-- >>> db/schema/functions/operate/erase/erase_tasks.sql
create or replace function tasker.erase_tasks(
  p_reason            text,
  p_tags              text[]       default null,
  p_key               text         default null,
  p_namespace         text         default null,
  p_name              text         default null,
  p_version           text         default null,
  p_requested_after   timestamptz  default null,
  p_requested_before  timestamptz  default null,
  p_children          boolean      default false,
  p_after             uuid         default null,
  p_limit             integer      default 100,
  p_dry_run           boolean      default false,
  p_actor             text         default null
)
  returns setof tasker.task_erasures
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
  v_actor text := tasker.actor_name(p_actor);
  v_root  uuid;
begin
  p_limit := coalesce(p_limit, 100);
  p_dry_run := coalesce(p_dry_run, false);
  p_children := coalesce(p_children, false);
  perform tasker.check_bound_namespaces(array[p_namespace]);
  perform tasker.check_isolation();
  perform tasker.check_bulk(p_reason, p_limit, p_dry_run);
  perform tasker.administer(p_actor, p_reason);
  perform tasker.check_array_size('tags', cardinality(p_tags), 100);
  perform tasker.check_text_size('identity key', p_key, 1000);
  perform tasker.check_instant('time after which tasks were requested', nullif(p_requested_after, '-infinity'));
  perform tasker.check_instant('time before which tasks were requested', nullif(p_requested_before, 'infinity'));
  if coalesce(p_tags, '{}') = '{}'
     and num_nonnulls(p_key, p_namespace, p_name, nullif(p_requested_before, 'infinity')) = 0 then
    raise exception using
      errcode = 'TK422',
      message = 'nothing says which tasks to erase',
      hint    = 'Pass tags, a key, a namespace, the name of a template or the time before which the tasks were requested.';
  end if;
  if not p_dry_run then
    perform tasker.check_recent_sign_in();
  end if;

  for v_root in
    select f.task_uuid
      from tasker.find_tasks_to_erase(
        p_namespace, p_name, p_version, p_tags, p_key,
        coalesce(tasker.uuid_v7_floor(nullif(p_requested_after, '-infinity')), '00000000-0000-0000-0000-000000000000'),
        coalesce(tasker.uuid_v7_floor(nullif(p_requested_before, 'infinity')), 'ffffffff-ffff-ffff-ffff-ffffffffffff'),
        coalesce(p_after, '00000000-0000-0000-0000-000000000000'), p_limit
      ) as f (task_uuid)
  loop
    return query
    select e.* from tasker.erase_tree(v_root, p_children, p_reason, v_actor, p_dry_run) as e;
  end loop;
end;
$$;

comment on function tasker.erase_tasks is
$$Erases the tasks that match all given filters, as erase_task does, the oldest first, for example all runs with a tag
or an identity key. At least one of p_tags, p_key, p_namespace, p_name and p_requested_before is needed. Returns a row
for each task with its outcome. With p_dry_run the function returns the batch without changing it. Open and busy tasks
are not erased, and their rows say so. A bound caller reaches only its own namespaces.

Each call does one batch, in a transaction of its own unless the caller has begun one. A batch has p_limit tasks
(default 100, at most 1,000), and with p_children also the tasks below them. For the next batch, pass the last root_uuid
of this batch as p_after. Locks the tasks in the order of their UUIDs, without waiting for locks. If another transaction
holds a task, the outcome of that task is "locked". Raises TK428 if the caller is a person whose sign-in is too old.
Raises TK422 without a reason or a filter or for a limit out of range. Raises TK413 for arguments that are too large,
and TK403 if the caller is bound to other namespaces. Raises TK409 if the isolation level is above READ COMMITTED.$$;

grant execute on function tasker.erase_tasks to tasker_operator;
-- <<<

-- >>> db/schema/functions/operate/erase/list_erasures.sql
create or replace function tasker.list_erasures(
  p_task_uuid  uuid     default null,
  p_namespace  text     default null,
  p_before     uuid     default null,
  p_limit      integer  default 100
)
  returns setof tasker.erasure_details
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
  v_bound text[] := tasker.bound_namespaces();
begin
  p_limit := coalesce(p_limit, 100);
  perform tasker.check_bound_namespaces(array[p_namespace]);
  perform tasker.check_limit(p_limit, 10000);
  return query
  select
    e.task_uuid, e.namespace, e.root_uuid, e.erased_at, e.erased_by, e.reason, e.steps, e.digest, e.remains,
    not exists (select from tasker.tasks as t where t.task_uuid = e.task_uuid)
  from tasker.erasures as e
  where (p_task_uuid is null or e.task_uuid = p_task_uuid)
    and (p_namespace is null or e.namespace = p_namespace)
    and (v_bound is null or e.namespace = any (v_bound))
    and (p_before is null or e.task_uuid < p_before)
  order by e.task_uuid desc
  limit p_limit;
end;
$$;

comment on function tasker.list_erasures is
$$Returns the tasks whose data was erased, the newest task first. Each row says when, by whom and why the task was
erased, and has the digest of the erased data. With p_task_uuid or p_namespace, returns only this task or the tasks of
this namespace. The row stays when retention drops the task. A bound caller sees only its own namespaces.

For the next page, pass the UUID of the last task as p_before. A page has p_limit rows (default 100, at most 10,000).
Raises TK422 for a limit out of range, and TK403 if the caller is bound to other namespaces.$$;

grant execute on function tasker.list_erasures to tasker_operator, tasker_reader;
-- <<<

-- >>> db/schema/functions/operate/audit/private/erasure_problems.sql
create or replace function tasker.erasure_problems(p_from uuid, p_to uuid)
  returns setof tasker.integrity_problems
  language plpgsql
  stable
  set search_path = pg_catalog, pg_temp
as $$
begin
  return query
  select t.task_uuid, null::integer, null::integer, 'tasks', 'says that it was erased, and no erasure is recorded'
    from tasker.tasks as t
   where t.task_uuid >= p_from
     and t.task_uuid < p_to
     and t.erased_at is not null
     and not exists (select from tasker.erasures as e where e.task_uuid = t.task_uuid)
  union all
  select e.task_uuid, null, null, 'tasks',
         case when t.erased_at is null then 'has an erasure, and its data is there' else 'is not as its erasure left it' end
    from tasker.erasures as e
    join tasker.tasks as t
      on t.task_uuid = e.task_uuid
   where e.task_uuid >= p_from
     and e.task_uuid < p_to
     and (t.erased_at is null or e.remains <> tasker.run_digest(e.task_uuid))
  union all
  select e.task_uuid, null, null, 'erasures', 'has an erased task that does not exist, in a partition that does'
    from tasker.erasures as e
    join tasker.partition_ranges as r
      on e.task_uuid >= r.from_uuid
     and e.task_uuid < r.to_uuid
     -- An evacuation drops tasks that have ended.
     and r.evacuations = 0
   where e.task_uuid >= p_from
     and e.task_uuid < p_to
     and not exists (select from tasker.tasks as t where t.task_uuid = e.task_uuid);
end;
$$;

comment on function tasker.erasure_problems is
$$Finds tasks between two UUIDs that were emptied without an erasure, erasures of tasks that still have their data, and
tasks that were changed after their erasure.$$;
-- <<<

-- >>> db/schema/functions/operate/audit/private/line_problems.sql
create or replace function tasker.line_problems(p_from uuid, p_to uuid)
  returns setof tasker.integrity_problems
  language plpgsql
  stable
as $$
begin
  return query
  -- Each open task of a template that bounds its runs has a place or waits for a place, and no other task
  -- does.
  select t.task_uuid, null::integer, null::integer, 'runs', 'lacks the run of an open task'
    from tasker.tasks as t
    join tasker.creation_plans as p
      on p.named_task_uuid = t.named_task_uuid
   where p.runs is not null
     and not t.complete
     and t.task_uuid >= p_from
     and t.task_uuid < p_to
     and not exists (select from tasker.runs as r where r.task_uuid = t.task_uuid and r.state <> 'ended')
  union all
  select r.task_uuid, null, null, 'runs', x.problem
    from tasker.runs as r
    left join tasker.tasks as t
      on t.task_uuid = r.task_uuid
    left join tasker.creation_plans as p
      on p.named_task_uuid = r.named_task_uuid
   cross join lateral (
     select case
       when r.state = 'ended' then case when not exists (select from tasker.timers as m where m.task_uuid = r.task_uuid and m.kind = 'serve_run')
         then 'lacks the note that starts the next task of a key' end
       when t.complete is not false and not (r.state = 'running' and t.state is not distinct from 'error' and p.runs -> 'sequence' = 'true')
         then format('has the run (%s) of no open task', r.state)
       when r.state = 'waiting' and not exists (select from tasker.timers as m where m.task_uuid = r.task_uuid and m.kind = 'start_task')
         then 'waits for a place of its key, and would start without one'
     end as problem
   ) as x
   where x.problem is not null
     and r.task_uuid >= p_from
     and r.task_uuid < p_to
  union all
  -- The first task in line, if places are free and no note will give the task a place.
  select l.task_uuid, null, null, 'runs', 'waits for a place of its key, of which some are free'
    from (
      select distinct on (r.namespace, r.name, r.run_key) r.*
        from tasker.runs as r
       where r.state = 'waiting'
         and r.line_at <= tasker.clock()
       order by r.namespace, r.name, r.run_key, r.rank desc, r.line_at, r.line_no
    ) as l
   where l.task_uuid >= p_from
     and l.task_uuid < p_to
     and not exists (
       select
         from tasker.runs as r
        where r.namespace = l.namespace
          and r.name = l.name
          and r.run_key = l.run_key
          and (r.state = 'running' or exists (select from tasker.timers as m where m.task_uuid = r.task_uuid and m.kind = 'serve_run'))
     );
end;
$$;

comment on function tasker.line_problems is
$$Finds open tasks that have no place and do not wait for a place, although their template bounds its runs by key. Also
finds places of tasks that have ended, and lines that will not move.$$;
-- <<<

insert into tasker.schema_builds (version, files) values ('20261121001418', 'functions/operate/audit/private/erasure_problems 64296c9d424bc372
functions/operate/audit/private/line_problems 3551c13352f56673
functions/operate/erase/erase_task 6e9b6277f6f3ef45
functions/operate/erase/erase_tasks d75a71861ba3f87e
functions/operate/erase/list_erasures f7a718512e47b44e
functions/operate/erase/private/describe_erasures d8b5d8fab4410ff9
functions/operate/erase/private/erase_copies fc3256565f4f723d
functions/operate/erase/private/erase_locked_task b9c1d8147e9695a2
functions/operate/erase/private/erase_rare_rows 59feb914dac75c11
functions/operate/erase/private/erase_rows a9da0cb18cabe2fd
functions/operate/erase/private/erase_tree 1dc3843c9ab96315
functions/operate/erase/private/erased_json 06cd8e5f95bfccb3
functions/operate/erase/private/erased_mass_action 2e3164907d89e826
functions/operate/erase/private/erased_metadata 39d7f6f1f9e1da27
functions/operate/erase/private/erased_outcome cf375da97bae13d7
functions/operate/erase/private/erased_text f40603c0b130da50
functions/operate/erase/private/erasure_problem b80b4b5647255b6f
functions/operate/erase/private/find_tasks_to_erase c1294f969b987c04
functions/operate/erase/private/has_rare_rows d311a6935a64e817
functions/operate/erase/private/run_digest a9c6ed909948c3ed
functions/operate/erase/private/tasks_below 0fd020105d3dece4
rows/operate/erase/erasure_details 41f9f1ed67bb473e
rows/operate/erase/task_erasures cc4b46cd692be78e
');

select tasker.note_objects();

reset role;

-- migrate:down
set local citus.enable_ddl_propagation = off; -- Citus would repeat this on its worker nodes
set local role tasker_owner;

delete from tasker.schema_builds where version = '20261121001418';

drop function tasker.line_problems;
drop function tasker.erasure_problems;
drop function tasker.list_erasures;
drop function tasker.erase_tasks;
drop function tasker.has_rare_rows;
drop function tasker.find_tasks_to_erase;
drop function tasker.erase_task;
drop function tasker.erase_tree;
drop function tasker.describe_erasures;
drop function tasker.tasks_below;
drop function tasker.erase_locked_task;
drop function tasker.erasure_problem;
drop function tasker.erase_rows;
drop function tasker.erase_rare_rows;
drop function tasker.erase_copies;
drop function tasker.run_digest;
drop function tasker.erased_mass_action;
drop function tasker.erased_outcome;
drop function tasker.erased_metadata;
drop function tasker.erased_json;
drop function tasker.erased_text;
drop view tasker.erasure_details;
drop view tasker.task_erasures;

select tasker.note_objects();

reset role;
