-- export: a task as a document, the story of a run, what a deployment meets
-- Composed from db/schema: edit there, then compose again. Frozen by the first release tag.

-- migrate:up
set local citus.enable_ddl_propagation = off; -- Citus would repeat this on its worker nodes
set local role tasker_owner;

-- >>> db/schema/functions/operate/export/private/blank_path.sql
create or replace function tasker.blank_path(p_value jsonb, p_path text[])
  returns jsonb
  language plpgsql
  immutable
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_kind text   := jsonb_typeof(p_value);
  v_step text   := p_path[1];
  v_rest text[] := p_path[2 :];
begin
  if v_step is null then
    return 'null';
  end if;
  if v_step = '**' then
    p_value := tasker.blank_path(p_value, v_rest);
    v_kind := jsonb_typeof(p_value);
    v_rest := p_path;
  elsif v_kind = 'object' and v_step like 'k:%' then
    return case
      when p_value ? substr(v_step, 3)
      then jsonb_set(p_value, array[substr(v_step, 3)], tasker.blank_path(p_value -> substr(v_step, 3), v_rest))
      else p_value
    end;
  elsif v_kind = 'array' and v_step like 'i:%' then
    return case
      when substr(v_step, 3)::numeric < jsonb_array_length(p_value)
      then jsonb_set(p_value, array[substr(v_step, 3)], tasker.blank_path(p_value -> substr(v_step, 3)::integer, v_rest))
      else p_value
    end;
  elsif v_kind = 'array' and v_step <> '[]' then
    v_rest := p_path; -- as in lax mode, if the path does not name an element of an array, it means all elements
  elsif v_kind = 'object' and v_step in ('[]', 'i:0') then
    return tasker.blank_path(p_value, v_rest);
  elsif not (v_kind = 'array' and v_step = '[]' or v_kind = 'object' and v_step = '*') then
    return p_value;
  end if;

  if v_kind = 'array' then
    return (
      select coalesce(jsonb_agg(tasker.blank_path(e.value, v_rest) order by e.no), '[]')
        from jsonb_array_elements(p_value) with ordinality as e (value, no)
    );
  elsif v_kind = 'object' then
    return (
      select coalesce(jsonb_object_agg(e.key, tasker.blank_path(e.value, v_rest)), '{}')
        from jsonb_each(p_value) as e (key, value)
    );
  end if;
  return p_value;
end;
$$;

comment on function tasker.blank_path is
$$Returns a value with null in the places that a path finds. p_path has the steps of one path, as tasker.blank_steps
returns them. The cost is linear in the size of the value.$$;
-- <<<

-- >>> db/schema/functions/operate/export/private/blank_steps.sql
create or replace function tasker.blank_steps(p_paths text[])
  returns jsonb
  language plpgsql
  stable
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_steps jsonb := '[]';
  v_path  text;
  v_text  text;
  v_one   jsonb;
begin
  if cardinality(p_paths) > 100 then
    raise exception using
      errcode = 'TK422',
      message = format('%s paths are to be blanked; at most 100 can be', cardinality(p_paths)),
      hint    = 'Use $.**.name for every member of that name.';
  end if;
  foreach v_path in array coalesce(p_paths, '{}') loop
    begin
      v_text := case when length(v_path) <= 1000 then v_path::jsonpath::text end;
    exception
      when others then
        v_text := null;
    end;
    -- v_text is the jsonpath as the database prints it, with quoted members.
    select jsonb_agg(
        case
          when m.part[1] like '."%' then 'k:' || (substr(m.part[1], 2)::jsonb #>> '{}')
          when m.part[1] = '.*' then '*'
          when m.part[1] = '.**' then '**'
          when m.part[1] = '[*]' then '[]'
          else 'i:' || btrim(m.part[1], '[]')
        end
        order by m.no
      )
      into v_one
      from regexp_matches(v_text, '(\."(?:[^"\\]|\\.)*"|\.\*\*|\.\*|\[\*\]|\[\d{1,8}\])', 'g') with ordinality as m (part, no)
     where v_text ~ '^\$(\."([^"\\]|\\.)*"|\.\*\*|\.\*|\[\*\]|\[\d{1,8}\])+$';
    if v_one is null then
      raise exception using
        errcode = 'TK422',
        message = case when v_path is null then 'a null path cannot be blanked' else format('"%s" is not a path that can be blanked', left(v_path, 100)) end,
        detail  = 'A path is a jsonpath of members, .*, .**, [*] and [n], of at most 1,000 characters.',
        hint    = 'Write for example $.email, $.**.iban or $.cards[*].number.';
    end if;
    v_steps := v_steps || jsonb_build_array(v_one);
  end loop;
  return v_steps;
end;
$$;

comment on function tasker.blank_steps is
$$Returns for each jsonpath an array of its steps. The step "k:name" is a member of an object, "*" is all members, "[]"
is all elements of an array, "i:3" is one element, and "**" is every level. Raises TK422 for any other jsonpath, and for
more than a hundred jsonpaths.$$;
-- <<<

-- >>> db/schema/functions/operate/export/private/exported_value.sql
create or replace function tasker.exported_value(p_name text, p_value jsonb, p_payloads boolean, p_blank jsonb)
  returns jsonb
  language plpgsql
  immutable
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_path jsonb;
begin
  if p_value is null or not p_payloads then
    return '{}';
  end if;
  for v_path in select p.value from jsonb_array_elements(p_blank) as p (value) loop
    p_value := tasker.blank_path(p_value, array(select jsonb_array_elements_text(v_path)));
  end loop;
  return jsonb_build_object(p_name, p_value);
end;
$$;

comment on function tasker.exported_value is
$$Returns an object with a payload under its name. The payload has null in the places that p_blank finds
(tasker.blank_steps). Returns an empty object if there is no payload, or if p_payloads is false.$$;
-- <<<

-- >>> db/schema/functions/operate/export/private/types_digest.sql
create or replace function tasker.types_digest(p_types jsonb)
  returns text
  language sql
  immutable
  parallel safe
begin atomic
  select left(encode(sha256(convert_to(p_types::text, 'UTF8')), 'hex'), 12);
end;

comment on function tasker.types_digest is
$$Returns the digest of the types that programs registered for a version of a template, as twelve hexadecimal digits.
Returns null if no program registered types. Two programs with different types have different digests.$$;
-- <<<

-- >>> db/schema/functions/operate/export/private/check_export_size.sql
create or replace function tasker.check_export_size(p_task_uuid uuid)
  returns void
  language plpgsql
  stable
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_transitions bigint;
  v_bytes       bigint;
begin
  select
    sum(s.transition_count),
    sum(coalesce(pg_column_size(s.inputs), 0) + coalesce(pg_column_size(s.results), 0) + coalesce(pg_column_size(s.checkpoint), 0))
    into v_transitions, v_bytes
    from tasker.workflow_steps as s
   where s.task_uuid = p_task_uuid;
  if v_transitions > 200000 or v_bytes > 67108864 then
    raise exception using
      errcode = 'TK413',
      message = format('task %s is too large for one document', p_task_uuid),
      detail  = format('Its steps have %s transitions and %s bytes of results; a document has at most 200,000 and 67,108,864.', v_transitions, v_bytes),
      hint    = 'Read it in pages with list_steps() and get_task_history().';
  end if;
end;
$$;

comment on function tasker.check_export_size is
$$Raises TK413 if a task has too many transitions or too large results to be one document. Reads the rows of its steps only.$$;
-- <<<

-- >>> db/schema/functions/operate/export/private/exported_kept.sql
create or replace function tasker.exported_kept(p_step tasker.workflow_steps, p_payloads boolean, p_blank jsonb)
  returns jsonb
  language plpgsql
  stable
  set search_path = pg_catalog, pg_temp
as $$
begin
  if p_step.function_round is null then
    return null;
  end if;
  return jsonb_build_object(
    'round', p_step.function_round,
    'kept', coalesce(
      (
        select jsonb_agg(
            jsonb_build_object(
              'position', k.kept_no, 'name', k.name, 'occurrence', k.occurrence, 'kept_at', k.kept_at, 'failed', k.error is not null
            )
            || case when k.error is null then tasker.exported_value('value', k.value, p_payloads, p_blank)
              else tasker.exported_value('error', to_jsonb(k.error), p_payloads, '[]') end
            order by k.kept_no
          )
          from tasker.kept_results as k
         where k.task_uuid = p_step.task_uuid
           and k.step_no = p_step.step_no
      ),
      '[]'
    )
  ) || tasker.exported_value('state', p_step.function_state, p_payloads, p_blank);
end;
$$;

comment on function tasker.exported_kept is
$$Returns the results that the durable function of a step has kept in its present round, for an export. Returns null if
the step has no such function.$$;
-- <<<

-- >>> db/schema/functions/operate/export/private/exported_step_history.sql
create or replace function tasker.exported_step_history(p_task_uuid uuid, p_step_no integer, p_payloads boolean)
  returns jsonb
  language plpgsql
  stable
  set search_path = pg_catalog, pg_temp
as $$
begin
  return coalesce(
    (
      select jsonb_agg(
          jsonb_strip_nulls(jsonb_build_object(
            'at', l.created_at, 'event', l.event, 'from', l.from_state, 'to', l.to_state,
            'claim_no', nullif(l.claim_no, 0), 'worker_uuid', l.worker_uuid, 'actor', l.actor, 'execution_time_ms', l.execution_time_ms
          ))
          || case when p_payloads then jsonb_strip_nulls(jsonb_build_object('reason', l.reason, 'metadata', nullif(l.metadata, '{}'))) else '{}' end
          order by l.sort_key
        )
        from tasker.workflow_step_transitions as l
       where l.task_uuid = p_task_uuid
         and l.step_no = p_step_no
         and l.sort_key > 0
    ),
    '[]'
  );
end;
$$;

comment on function tasker.exported_step_history is
$$Returns the transitions of a step for an export, in order. Without p_payloads, leaves out reasons and metadata,
because they have the texts of errors.$$;
-- <<<

-- >>> db/schema/functions/operate/export/private/exported_steps.sql
create or replace function tasker.exported_steps(p_task tasker.tasks, p_payloads boolean, p_blank jsonb)
  returns jsonb
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
  return coalesce(
    (
      select jsonb_agg(
          jsonb_strip_nulls(jsonb_build_object(
            'step_uuid', s.workflow_step_uuid, 'step_no', s.step_no, 'name', s.name,
            'handler', (select h.name from tasker.named_steps as h where h.named_step_uuid = s.named_step_uuid),
            'state', s.state, 'attempts', s.attempts, 'max_attempts', s.max_attempts, 'lost_count', s.lost_count,
            'retryable', s.retryable, 'priority', s.priority, 'timeout_seconds', s.timeout_seconds, 'claim_no', s.claim_no,
            'created_at', s.created_at, 'last_attempted_at', s.last_attempted_at, 'last_failure_at', s.last_failure_at,
            'next_retry_at', s.next_retry_at, 'processed_at', s.processed_at, 'map_no', s.map_no, 'undo_no', s.undo_no,
            'effect_uuid', s.effect_uuid, 'child_task_uuid', s.child_task_uuid,
            'is_map', case when s.expansion is not null and s.results is null then true end,
            'array_step', case when s.map_no is not null then tasker.array_step(s.task_uuid, s.map_no) end
          ))
          || jsonb_build_object(
            'parents', (
              select coalesce(jsonb_agg(e.from_step_no order by e.from_step_no), '[]')
                from tasker.workflow_step_edges as e
               where e.task_uuid = p_task.task_uuid
                 and e.to_step_no = s.step_no
            ),
            'function', tasker.exported_kept(s, p_payloads, p_blank),
            'history', tasker.exported_step_history(s.task_uuid, s.step_no, p_payloads)
          )
          || tasker.exported_value('inputs', s.inputs, p_payloads, p_blank)
          || tasker.exported_value('results', s.results, p_payloads, p_blank)
          || tasker.exported_value('checkpoint', s.checkpoint, p_payloads, p_blank)
          || tasker.exported_value('last_error', to_jsonb(s.last_error), p_payloads, '[]')
          || tasker.exported_value('wait', tasker.step_wait(s.await, s.wait, s.claim_no), p_payloads and s.state = 'suspended', p_blank)
          order by s.step_no
        )
        from tasker.workflow_steps as s
       where s.task_uuid = p_task.task_uuid
    ),
    '[]'
  );
end;
$$;

comment on function tasker.exported_steps is
$$Returns the steps of a task for an export, in the order of their numbers. The cost is linear in the number of steps,
edges and transitions.$$;
-- <<<

-- >>> db/schema/functions/operate/export/private/exported_signals.sql
create or replace function tasker.exported_signals(p_task_uuid uuid, p_payloads boolean, p_blank jsonb)
  returns jsonb
  language plpgsql
  stable
  set search_path = pg_catalog, pg_temp
as $$
begin
  return coalesce(
    (
      select jsonb_agg(
          jsonb_strip_nulls(jsonb_build_object(
            'signal_no', g.signal_no, 'name', g.name, 'sent_at', g.sent_at, 'sent_by', g.sent_by,
            'step_no', g.step_no, 'consumed_at', g.consumed_at
          ))
          || tasker.exported_value('payload', g.payload, p_payloads, p_blank)
          order by g.signal_no
        )
        from tasker.task_signals as g
       where g.task_uuid = p_task_uuid
    ),
    '[]'
  );
end;
$$;

comment on function tasker.exported_signals is
$$Returns the signals that were sent to a task, for an export.$$;
-- <<<

-- >>> db/schema/functions/operate/export/private/exported_events.sql
create or replace function tasker.exported_events(p_steps jsonb)
  returns jsonb
  language plpgsql
  immutable
  set search_path = pg_catalog, pg_temp
as $$
begin
  return coalesce(
    (
      select jsonb_agg(
          jsonb_build_object('step_no', e.step_no, 'received_at', e.received_at) || (e.taken - 'by')
          order by e.step_no, e.position
        )
        from (
          select s.value -> 'step_no' as step_no, s.value -> 'processed_at' as received_at, s.value -> 'results' as taken, 0 as position
            from jsonb_array_elements(p_steps) as s (value)
           where s.value -> 'results' @> '{"by": "event"}'
          union all
          select s.value -> 'step_no', k.value -> 'kept_at', k.value -> 'value', (k.value ->> 'position')::integer
            from jsonb_array_elements(p_steps) as s (value)
           cross join lateral jsonb_array_elements(s.value #> '{function,kept}') as k (value)
           where jsonb_typeof(s.value #> '{function,kept}') = 'array'
             and starts_with(k.value ->> 'name', '$event.')
             and k.value -> 'value' @> '{"by": "event"}'
        ) as e
    ),
    '[]'
  );
end;
$$;

comment on function tasker.exported_events is
$$Returns the events that the steps of an export have taken. Such an event ended a wait that the template declares, or a
wait of a durable function.$$;
-- <<<

-- >>> db/schema/functions/operate/export/private/exported_task.sql
create or replace function tasker.exported_task(p_task_uuid uuid, p_payloads boolean, p_blank jsonb)
  returns jsonb
  language plpgsql
  stable
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_task tasker.task_details;
begin
  select t.* into strict v_task from tasker.get_task(p_task_uuid) as t;
  return jsonb_strip_nulls(jsonb_build_object(
      'task_uuid', v_task.task_uuid, 'state', v_task.state, 'complete', v_task.complete, 'priority', v_task.priority,
      'requested_at', v_task.requested_at, 'started_at', v_task.started_at, 'completed_at', v_task.completed_at,
      'deadline', v_task.deadline, 'correlation_id', v_task.correlation_id, 'parent_correlation_id', v_task.parent_correlation_id,
      'parent_step_uuid', v_task.parent_step_uuid, 'depth', v_task.depth
    ))
    || case
      when p_payloads then jsonb_strip_nulls(jsonb_build_object(
        'initiator', v_task.initiator, 'source_system', v_task.source_system, 'reason', v_task.reason, 'tags', v_task.tags, 'undo', v_task.undo
      ))
      else '{}'
    end
    || tasker.exported_value('context', v_task.context, p_payloads, p_blank)
    || tasker.exported_value('headers', v_task.headers, p_payloads, p_blank)
    || jsonb_build_object('history', coalesce(
      (
        select jsonb_agg(
            jsonb_strip_nulls(jsonb_build_object(
              'at', l.created_at, 'event', l.event, 'from', l.from_state, 'to', l.to_state, 'processor_uuid', l.processor_uuid, 'actor', l.actor
            ))
            || case when p_payloads then jsonb_strip_nulls(jsonb_build_object('reason', l.reason, 'metadata', nullif(l.metadata, '{}'))) else '{}' end
            order by l.sort_key
          )
          from tasker.task_transitions as l
         where l.task_uuid = p_task_uuid
           and l.sort_key > 0
      ),
      '[]'
    ));
end;
$$;

comment on function tasker.exported_task is
$$Returns the part of an export about the task itself, with its transitions.$$;
-- <<<

-- >>> db/schema/functions/operate/export/export_task.sql
create or replace function tasker.export_task(p_task_uuid uuid, p_payloads boolean default true, p_blank text[] default null)
  returns jsonb
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
  v_payloads boolean := coalesce(p_payloads, true);
  v_blank    jsonb   := tasker.blank_steps(p_blank);
  v_task     tasker.tasks;
  v_kind     tasker.named_tasks;
  v_steps    jsonb;
begin
  perform tasker.check_bound(p_task_uuid);
  select t.* into v_task from tasker.tasks as t where t.task_uuid = p_task_uuid;
  if not found then
    perform tasker.raise_task_not_found(p_task_uuid);
  end if;
  perform tasker.check_export_size(p_task_uuid);
  select k.* into strict v_kind from tasker.named_tasks as k where k.named_task_uuid = v_task.named_task_uuid;
  v_steps := tasker.exported_steps(v_task, v_payloads, v_blank);
  return jsonb_build_object(
    'format', 'pgtasker.task',
    'version', 1,
    'exported_at', tasker.clock(),
    'payloads', v_payloads,
    'blanked', to_jsonb(coalesce(p_blank, '{}')),
    'template', jsonb_build_object(
      'namespace', v_kind.configuration ->> 'namespace', 'name', v_kind.name, 'version', v_kind.version,
      'content', v_kind.configuration, 'types', v_kind.types, 'types_digest', tasker.types_digest(v_kind.types)
    ),
    'task', tasker.exported_task(p_task_uuid, v_payloads, v_blank),
    'steps', v_steps,
    'signals', tasker.exported_signals(p_task_uuid, v_payloads, v_blank),
    'events', tasker.exported_events(v_steps)
  );
exception
  when program_limit_exceeded then
    raise exception using
      errcode = 'TK413',
      message = format('task %s is too large for one document', p_task_uuid),
      detail  = sqlerrm,
      hint    = 'Read it in pages with list_steps() and get_task_history(), or leave out its payloads.';
end;
$$;

comment on function tasker.export_task is
$$Returns a task as one document. The document has the template as it was, the context, every step with its inputs,
result, attempts, errors and transitions, the kept results of durable functions, signals, events and times.
docs/task-export.schema.json describes the document, whose format has the version 1. Tasks that the task's steps started
are not part of the document, and can be exported separately.

p_payloads = false leaves out all values that people may have written: context, headers, tags, inputs, results,
checkpoints, kept values, payloads of signals and events, reasons, metadata and the texts of errors. p_blank is a list
of jsonpaths, such as $.**.email, that consist of members, .*, .**, [*] and [n]. The document has null in the place of
each value that one of these paths finds. A path does not find anything inside a text, such as the text of an error.

Changes nothing. The cost is linear in the size of the task. Raises TK404 if there is no such task. Raises TK413 if the
steps of the task have more than 200,000 transitions or 64 MiB of results. Raises TK422 for a path that it cannot blank,
and TK403 if the caller is bound to other namespaces.$$;

grant execute on function tasker.export_task to tasker_orchestrator, tasker_operator, tasker_reader;
-- <<<

-- >>> db/schema/rows/operate/story/task_story_parts.sql
create or replace view tasker.task_story_parts as
select
  0::integer as place,
  null::uuid as step_uuid,
  null::integer as step_no,
  null::text as step_name,
  ''::text as kind,
  '-infinity'::timestamptz as began_at,
  '-infinity'::timestamptz as ended_at,
  0::double precision as seconds,
  null::text as detail
where false;

comment on view tasker.task_story_parts is
  'Row type: a part of the critical path of a task. Parts are in the order of time, and each begins at the end of the part before.';
comment on column tasker.task_story_parts.step_uuid is
  'The step on the critical path. Null in the part before the first step and in the part after the last step.';
comment on column tasker.task_story_parts.kind is
  'The place where the time went: start (not to begin before), engine, workers (ready, not claimed), running, retry, signal (people), event, time, task (another task), failed (until an operator acts), unread (transitions beyond the last one that is read).';
-- <<<

-- >>> db/schema/functions/operate/story/private/critical_path.sql
create or replace function tasker.critical_path(p_task_uuid uuid)
  returns integer[]
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
  v_path integer[] := '{}';
  v_no   integer;
begin
  -- Find the end of the path: the step for which the task has waited longest, otherwise the step that moved last.
  select s.step_no
    into v_no
    from tasker.workflow_steps as s
   where s.task_uuid = p_task_uuid
     and s.undo_no is null
     and s.transition_count > 0
   order by
     s.state in ('complete', 'cancelled', 'resolved_manually', 'error', 'pending'),
     s.state = 'pending',
     case when s.state in ('complete', 'cancelled', 'resolved_manually', 'error') then s.moved_at end desc nulls last,
     s.moved_at,
     s.step_no
   limit 1;

  while v_no is not null and cardinality(v_path) < 1000 loop
    v_path := v_no || v_path;
    -- The step could start when its last parent settled.
    v_no := (
      select p.step_no
        from tasker.workflow_step_edges as e
       cross join lateral (
         select p.step_no, p.moved_at
           from tasker.workflow_steps as p
          where p.task_uuid = e.task_uuid
            and p.step_no = e.from_step_no
            and p.state in ('complete', 'cancelled', 'resolved_manually', 'error')
         offset 0
       ) as p
       where e.task_uuid = p_task_uuid
         and e.to_step_no = v_no
         and e.from_step_no <> all (v_path)
       order by p.moved_at desc, p.step_no
       limit 1
    );
  end loop;
  return v_path;
end;
$$;

comment on function tasker.critical_path is
$$Returns the numbers of the steps that decided how long a task has taken so far, in their order. The path ends with the
step that an open task waits for, or with the step that moved last. The step before each step is the parent that settled
last. If the path is longer, returns only its last thousand steps. Reads the steps of the task once, then the edges of
each step on the path.$$;
-- <<<

-- >>> db/schema/functions/operate/story/private/story_kind.sql
create or replace function tasker.story_kind(p_state text, p_wait jsonb)
  returns text
  language sql
  immutable
  parallel safe
begin atomic
  select case
    when p_state = 'enqueued' then 'workers'
    when p_state = 'in_progress' then 'running'
    when p_state = 'waiting_for_retry' then 'retry'
    when p_state = 'error' then 'failed'
    when p_state <> 'suspended' then 'engine'
    when p_wait ? 'diverged' then 'failed'
    when p_wait ? 'task' then 'task'
    when jsonb_path_exists(p_wait, '$.any[*].signal') then 'signal'
    when jsonb_path_exists(p_wait, '$.any[*].event') then 'event'
    when p_wait is null then 'task'
    else 'time'
  end;
end;

comment on function tasker.story_kind is
$$Returns the kind of work or wait on which time is spent while a step is in a state. For a suspended step this depends
on its wait. A wait for several alternatives counts as a wait for people if a signal is one of them.$$;
-- <<<

-- >>> db/schema/functions/operate/story/private/step_story.sql
create or replace function tasker.step_story(p_step tasker.workflow_steps, p_from timestamptz, p_until timestamptz, p_limit integer)
  returns setof tasker.task_story_parts
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
  return query
  with moves as (
    select
      l.sort_key,
      l.created_at as began_at,
      l.to_state::text as state,
      case when l.to_state = 'suspended' then coalesce(p_step.await, l.metadata -> 'wait') end as wait,
      l.reason,
      lead(l.created_at) over (order by l.sort_key) as next_at
    from (
      select 0 as sort_key, p_step.created_at, 'pending'::tasker.step_state as to_state, null::jsonb as metadata, null::text as reason
      union all
      (
        select l.sort_key, l.created_at, l.to_state, l.metadata, l.reason
          from tasker.workflow_step_transition_log as l
         where l.task_uuid = p_step.task_uuid
           and l.step_no = p_step.step_no
         order by l.row_key, l.sort_key
         limit p_limit - 1
      )
    ) as l
  )
  select
    0, p_step.workflow_step_uuid, p_step.step_no, p_step.name,
    case
      when m.next_at is null and m.sort_key < p_step.transition_count then 'unread'
      else tasker.story_kind(m.state, m.wait)
    end,
    greatest(m.began_at, p_from), x.ended_at,
    extract(epoch from x.ended_at - greatest(m.began_at, p_from))::double precision,
    m.reason
  from moves as m
  cross join lateral (
    select least(coalesce(m.next_at, case when m.sort_key < p_step.transition_count then p_step.moved_at end, p_until), p_until) as ended_at
  ) as x
  -- A settled step takes no more time. The time after it belongs to the next step.
  where (m.next_at is not null or m.sort_key < p_step.transition_count or m.state not in ('complete', 'cancelled', 'resolved_manually'))
    and x.ended_at > greatest(m.began_at, p_from)
  order by m.sort_key;
end;
$$;

comment on function tasker.step_story is
$$Returns on which work and waits one step spent the time between p_from and p_until. Reads the first p_limit
transitions of the step. The time after these transitions has the kind "unread".$$;
-- <<<

-- >>> db/schema/functions/operate/story/get_task_story.sql
create or replace function tasker.get_task_story(p_task_uuid uuid, p_limit integer default 1000)
  returns setof tasker.task_story_parts
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
  v_task  tasker.task_details;
  v_step  tasker.workflow_steps;
  v_part  tasker.task_story_parts;
  v_from  timestamptz;
  v_until timestamptz;
  v_no    integer;
  v_place integer := 0;
begin
  p_limit := coalesce(p_limit, 1000);
  perform tasker.check_limit(p_limit, 10000);
  select t.* into v_task from tasker.get_task(p_task_uuid) as t;
  v_from := v_task.requested_at;
  v_until := greatest(v_from, coalesce(v_task.completed_at, tasker.clock()));

  if coalesce(v_task.started_at, v_until) > v_from then
    v_place := 1;
    return query
    select
      1, null::uuid, null::integer, null::text, 'start', v_from, least(coalesce(v_task.started_at, v_until), v_until),
      extract(epoch from least(coalesce(v_task.started_at, v_until), v_until) - v_from)::double precision, null::text;
    v_from := least(coalesce(v_task.started_at, v_until), v_until);
  end if;

  foreach v_no in array tasker.critical_path(p_task_uuid) loop
    select s.*
      into strict v_step
      from tasker.workflow_steps as s
     where s.task_uuid = p_task_uuid
       and s.step_no = v_no;
    for v_part in select p.* from tasker.step_story(v_step, v_from, v_until, 1000) as p loop
      v_place := v_place + 1;
      exit when v_place > p_limit;
      v_part.place := v_place;
      v_from := v_part.ended_at;
      return next v_part;
    end loop;
    exit when v_place > p_limit;
  end loop;

  if v_from < v_until then
    return query
    select
      least(v_place, p_limit) + 1, null::uuid, null::integer, null::text, case when v_place > p_limit then 'unread' else 'engine' end, v_from, v_until,
      extract(epoch from v_until - v_from)::double precision, null::text;
  end if;
end;
$$;

comment on function tasker.get_task_story is
$$Returns on which work and waits a task spent its time, along its critical path. The steps of this path waited for one
another, so only they decided how long the task took. The parts follow each other without a gap from the request to the
end of the task, or to now.

Reads the rows of the task's steps, the edges of the steps on the path and the first 1,000 transitions of each. Returns
at most p_limit parts (default 1,000, at most 10,000) and one part for the remaining time. Raises TK404 if there is no
such task, TK422 for a limit out of range, and TK403 if the caller is bound to other namespaces.$$;

grant execute on function tasker.get_task_story
  to tasker_submitter, tasker_worker, tasker_orchestrator, tasker_operator, tasker_reader;
-- <<<

-- >>> db/schema/tables/operate/deploy/refused_programs.sql
create table tasker.refused_programs (
  named_task_uuid   uuid         not null,
  types_digest      text         not null,
  differences       jsonb        not null,
  program           text,
  refused_by        text         not null,
  first_refused_at  timestamptz  not null  default tasker.clock(),
  last_refused_at   timestamptz  not null  default tasker.clock(),
  refusals          bigint       not null  default 1,

  constraint refused_programs_pkey
    primary key (named_task_uuid, types_digest),
  constraint refused_programs_named_task_uuid_fkey
    foreign key (named_task_uuid) references tasker.named_tasks (named_task_uuid),
  constraint refused_programs_refusals_check
    check (refusals > 0)
);

comment on table tasker.refused_programs is
  'Programs that were not registered, because their type of a result or of the context of a version differs from the type in earlier programs. At most ten programs are kept for each version.';
comment on column tasker.refused_programs.types_digest is
  'The digest of the types that the refused program named, as tasker.types_digest returns it.';
comment on column tasker.refused_programs.differences is
  'The types that differ, as tasker.type_differences returns them.';
comment on column tasker.refused_programs.program is
  'The application_name of the session. Null if the session had none.';
comment on column tasker.refused_programs.refused_by is
  'The role, the token or the person that tried to register the program.';
-- <<<

-- >>> db/schema/rows/operate/deploy/refused_program_details.sql
create or replace view tasker.refused_program_details as
select
  ''::text as namespace,
  ''::text as name,
  ''::text as version,
  '{}'::text[] as handlers,
  '{}'::jsonb as differences,
  null::text as registered_types,
  null::text as registered_by,
  null::timestamptz as registered_at,
  ''::text as refused_types,
  ''::text as refused_by,
  null::text as program,
  'epoch'::timestamptz as first_refused_at,
  'epoch'::timestamptz as last_refused_at,
  0::bigint as refusals,
  ''::text as finding
where false;

comment on view tasker.refused_program_details is
  'Row type: a program that was refused under a version of a template that another program had registered with other types.';
comment on column tasker.refused_program_details.handlers is
  'The handlers of the steps whose results have different types in the two programs.';
comment on column tasker.refused_program_details.differences is
  'An array of objects with three fields. The field of is "$context" or the step with the result. The fields registered and named have the two types.';
comment on column tasker.refused_program_details.registered_types is
  'The digest of the types that are registered.';
comment on column tasker.refused_program_details.registered_by is
  'The role, the token or the person that last registered types for the version. Null if the log of administration has no such entry.';
comment on column tasker.refused_program_details.refused_types is
  'The digest of the types that the refused program named.';
comment on column tasker.refused_program_details.program is
  'The application_name of the refused program. Null if the program had none.';
comment on column tasker.refused_program_details.finding is
  'The finding in words, as a sentence without a full stop.';
-- <<<

-- >>> db/schema/functions/operate/deploy/note_refused_program.sql
create or replace function tasker.note_refused_program(p_template jsonb)
  returns boolean
  language plpgsql
  security definer
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_template    jsonb;
  v_types       jsonb := nullif(p_template -> 'types', 'null');
  v_old         tasker.named_tasks;
  v_differences jsonb;
begin
  perform tasker.check_depth('template', p_template);
  perform tasker.check_task_template(p_template);
  v_template := tasker.normalize_template(p_template);
  perform tasker.check_bound_namespaces(array[v_template ->> 'namespace']);
  select k.*
    into v_old
    from tasker.named_tasks as k
    join tasker.task_namespaces as n
      on n.task_namespace_uuid = k.task_namespace_uuid
   where n.name = v_template ->> 'namespace'
     and k.name = v_template ->> 'name'
     and k.version = v_template ->> 'version';
  v_differences := tasker.type_differences(v_old.types, v_types);
  if v_differences = '[]' then
    return false;
  end if;

  insert into tasker.refused_programs as r (named_task_uuid, types_digest, differences, program, refused_by)
  values (
    v_old.named_task_uuid, tasker.types_digest(v_types), v_differences, nullif(left(current_setting('application_name'), 200), ''),
    tasker.recorded_caller()
  )
      on conflict on constraint refused_programs_pkey do update
     set program         = excluded.program,
         refused_by      = excluded.refused_by,
         last_refused_at = greatest(r.last_refused_at, excluded.last_refused_at),
         refusals        = r.refusals + 1;

  -- Skip locked rows, because the other session is recording its own program and also deletes old rows.
  delete from tasker.refused_programs as r
   where r.named_task_uuid = v_old.named_task_uuid
     and r.types_digest in (
       select o.types_digest
         from tasker.refused_programs as o
        where o.named_task_uuid = v_old.named_task_uuid
          and o.types_digest <> tasker.types_digest(v_types)
        order by o.last_refused_at desc, o.types_digest
       offset 9
          for update skip locked
     );
  return true;
end;
$$;

comment on function tasker.note_refused_program is
$$Records that register_task_template() refused a program because the version is registered with other types of the
context or of results. Then list_refused_programs(), check_template_change() and check_installation() name both
programs. The refusal rolls its transaction back, so the caller records the refusal in another transaction. The Go
packages workflow and template, "tasker apply" and "tasker serve" do so.

Returns false and writes nothing if no such version is registered, or if its types do not differ. Keeps the ten programs
of a version that were refused last. A repeated refusal is counted in the row of its program. Locks this row. Raises
TK422 if the template is invalid, and TK403 if the caller is bound to other namespaces.$$;

grant execute on function tasker.note_refused_program to tasker_orchestrator, tasker_operator;
-- <<<

-- >>> db/schema/functions/operate/deploy/list_refused_programs.sql
create or replace function tasker.list_refused_programs(p_namespaces text[] default null)
  returns setof tasker.refused_program_details
  language plpgsql
  stable
  security definer
  set search_path = pg_catalog, pg_temp
  set jit = off
as $$
declare
  v_bound text[] := tasker.bound_namespaces();
begin
  perform tasker.check_bound_namespaces(p_namespaces);
  return query
  select
    n.name, k.name, k.version, h.handlers, r.differences, tasker.types_digest(k.types), l.registered_by, l.logged_at,
    r.types_digest, r.refused_by, r.program, r.first_refused_at, r.last_refused_at, r.refusals,
    format(
      'version "%s" was refused %s to a program with types %s (%s, last at %s): it is registered with types %s (%s)%s: %s',
      k.version, case r.refusals when 1 then 'once' else r.refusals || ' times' end, r.types_digest,
      concat_ws(', ', r.program, r.refused_by), to_char(r.last_refused_at at time zone 'UTC', 'YYYY-MM-DD HH24:MI "UTC"'),
      tasker.types_digest(k.types), coalesce(l.registered_by || ', ' || to_char(l.logged_at at time zone 'UTC', 'YYYY-MM-DD HH24:MI "UTC"'), 'by an unknown program'),
      case when h.handlers = '{}' then '' else ', handler ' || array_to_string(h.handlers[:5], ', ') || case when cardinality(h.handlers) > 5 then ' and others' else '' end end,
      h.differences
    )
  from (
    select r.*
      from tasker.refused_programs as r
     where r.last_refused_at > tasker.clock() - interval '7 days'
     order by r.last_refused_at desc, r.named_task_uuid, r.types_digest
     limit 1000
  ) as r
  join tasker.named_tasks as k
    on k.named_task_uuid = r.named_task_uuid
  join tasker.task_namespaces as n
    on n.task_namespace_uuid = k.task_namespace_uuid
  cross join lateral (
    select
      array(
        select distinct s.value ->> 'handler'
          from jsonb_array_elements(k.configuration -> 'steps') as s (value)
         where s.value ->> 'handler' is not null
           and s.value ->> 'name' in (select d.value ->> 'of' from jsonb_array_elements(r.differences) as d (value))
         order by 1
      ) as handlers,
      (
        select string_agg(tasker.type_difference(d.value), '; ' order by d.no)
          from jsonb_array_elements(r.differences) with ordinality as d (value, no)
         where d.no <= 5
      ) as differences
  ) as h
  left join lateral (
    -- The newest program that named types, described as tasker.recorded_caller describes a caller.
    select
      case when e.token like 'person %' then e.token when e.token is not null then 'token ' || e.token else coalesce(e.role, e.login) end
        || case when e.role is null then '' else format(' (logged in: %s)', e.login) end as registered_by,
      e.logged_at
      from tasker.administration_log as e
     where e.kind = 'named_tasks'
       and e.object = concat_ws('/', n.name, k.name, k.version)
       and e.becomes -> 'types' is distinct from e.was -> 'types'
     order by e.entry_no desc
     limit 1
  ) as l
    on true
  where (p_namespaces is null or n.name = any (p_namespaces))
    and (v_bound is null or n.name = any (v_bound))
  order by r.last_refused_at desc, n.name, k.name, k.version, r.types_digest
  limit 100;
end;
$$;

comment on function tasker.list_refused_programs is
$$Returns the programs that were refused within the last seven days because another program had registered the version
with other types of the context or of results, the newest refusal first. Each row has the digests of both programs, the
caller that registered and the caller that was refused, the time, and the handlers whose types differ. Two such programs
are two builds under one version.

Reads at most the newest 1,000 refusals, and returns at most 100 of them. If p_namespaces is null, reads all namespaces.
Raises TK403 if the caller is bound to other namespaces.$$;

grant execute on function tasker.list_refused_programs to tasker_worker, tasker_orchestrator, tasker_operator, tasker_reader;
-- <<<

-- >>> db/schema/rows/operate/deploy/template_findings.sql
create or replace view tasker.template_findings as
select
  ''::text as kind,
  ''::text as status,
  null::text as version,
  null::text as step,
  null::text as handler,
  0::bigint as tasks,
  ''::text as finding,
  '{}'::jsonb as detail
where false;

comment on view tasker.template_findings is
  'Row type: a finding about a version of a template that is to be deployed.';
comment on column tasker.template_findings.kind is
  'problem, content, types, open_tasks, vanished_step, condition, no_handler, input, fork or bound.';
comment on column tasker.template_findings.status is
  'ok, warn, or fail if the version cannot be registered.';
comment on column tasker.template_findings.version is
  'The registered version that the finding is about. Null for the version that is to be deployed.';
comment on column tasker.template_findings.tasks is
  'The number of open tasks that the finding is about, among the tasks that were read.';
-- <<<

-- >>> db/schema/functions/operate/deploy/private/template_open_tasks.sql
create or replace function tasker.template_open_tasks(p_namespace text, p_name text)
  returns setof tasker.tasks
  language plpgsql
  stable
  set search_path = pg_catalog, pg_temp
as $$
begin
  return query
  select t.*
    from (
      select t.*
        from tasker.tasks as t
       where not t.complete
       order by t.task_uuid desc
       limit 100000
    ) as t
   where t.named_task_uuid = any (array(
     select k.named_task_uuid
       from tasker.named_tasks as k
       join tasker.task_namespaces as n
         on n.task_namespace_uuid = k.task_namespace_uuid
      where n.name = p_namespace
        and k.name = p_name
   ))
   limit 1000;
end;
$$;

comment on function tasker.template_open_tasks is
$$Returns the newest open tasks of all versions of a template, at most 1,000 of them. Searches only the newest 100,000
open tasks.$$;
-- <<<

-- >>> db/schema/functions/operate/deploy/private/template_registered.sql
create or replace function tasker.template_registered(p_template jsonb, p_types jsonb)
  returns setof tasker.template_findings
  language plpgsql
  stable
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_old tasker.named_tasks;
begin
  select k.*
    into v_old
    from tasker.named_tasks as k
    join tasker.task_namespaces as n
      on n.task_namespace_uuid = k.task_namespace_uuid
   where n.name = p_template ->> 'namespace'
     and k.name = p_template ->> 'name'
     and k.version = p_template ->> 'version';
  if not found then
    return;
  end if;
  if v_old.content_hash <> sha256(convert_to(p_template::text, 'UTF8')) then
    return query
    select
      'content', 'fail', v_old.version, null::text, null::text, 0::bigint,
      format('version "%s" is registered with other content', v_old.version),
      jsonb_build_object('differences', tasker.template_differences(v_old.configuration, p_template));
  end if;
  return query
  select
    'types', case when x.others = '[]' then 'ok' else 'fail' end, v_old.version, null::text, null::text, 0::bigint,
    case
      when v_old.types is null then format('no program has named the types of version "%s"', v_old.version)
      when x.others <> '[]' then format(
        'version "%s" is registered with other types (%s, not %s)', v_old.version, tasker.types_digest(v_old.types), tasker.types_digest(p_types)
      )
      else format('the types of version "%s" are %s', v_old.version, tasker.types_digest(v_old.types))
    end,
    jsonb_strip_nulls(jsonb_build_object(
      'registered', tasker.types_digest(v_old.types), 'checked', tasker.types_digest(p_types),
      'differ', nullif(jsonb_path_query_array(x.others, '$[*].of'), '[]')
    ))
  from tasker.type_differences(v_old.types, p_types) as x (others);
  return query
  select
    'types', 'warn', r.version, null::text, r.handlers[1], 0::bigint, r.finding,
    to_jsonb(r) - '{namespace,name,version,finding}'::text[]
  from tasker.list_refused_programs(array[p_template ->> 'namespace']) as r
  where r.name = p_template ->> 'name'
    and r.version = p_template ->> 'version';
end;
$$;

comment on function tasker.template_registered is
$$Returns how a template differs from the registered template with the same version: in its content, and in the types of
the context and of results that programs named. Also returns the programs that were refused under this version. Returns
no row if the version is new.$$;
-- <<<

-- >>> db/schema/functions/operate/deploy/private/template_changes.sql
create or replace function tasker.template_changes(p_template jsonb, p_tasks tasker.tasks[])
  returns setof tasker.template_findings
  language plpgsql
  stable
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_kind     tasker.named_tasks;
  v_handlers text[] := array(select tasker.handler_of(s.value) from jsonb_array_elements(p_template -> 'steps') as s (value));
  v_shared   text[];
  v_open     uuid[];
begin
  for v_kind in
    select k.*
      from tasker.named_tasks as k
     where k.named_task_uuid in (select t.named_task_uuid from unnest(p_tasks) as t)
       and k.version is distinct from p_template ->> 'version'
     order by k.created_at desc
     limit 100
  loop
    v_open := array(select t.task_uuid from unnest(p_tasks) as t where t.named_task_uuid = v_kind.named_task_uuid);
    v_shared := array(
      select distinct h.name
        from tasker.named_tasks_named_steps as s
        join tasker.named_steps as h
          on h.named_step_uuid = s.named_step_uuid
       where s.named_task_uuid = v_kind.named_task_uuid
         and s.await is null
         and h.name = any (v_handlers)
       order by h.name
       limit 100
    );
    return query
    select
      'open_tasks', case when v_shared = '{}' then 'ok' else 'warn' end, v_kind.version, null::text, null::text, cardinality(v_open)::bigint,
      case
        when v_shared = '{}' then format('%s open tasks of version "%s" have handlers of their own', cardinality(v_open), v_kind.version)
        else format(
          '%s open tasks of version "%s" meet the new handlers: %s', cardinality(v_open), v_kind.version,
          array_to_string(v_shared[:10], ', ') || case when cardinality(v_shared) > 10 then ' and others' else '' end
        )
      end,
      jsonb_build_object('handlers', to_jsonb(v_shared), 'tasks', to_jsonb(v_open[:10]));

    return query
    select
      'vanished_step', 'warn', v_kind.version, s.name, min(h.name), count(*),
      format('%s open tasks of version "%s" have yet to settle step "%s", which the new version does not have', count(*), v_kind.version, s.name),
      jsonb_build_object('tasks', to_jsonb((array_agg(s.task_uuid))[:10]))
    from unnest(v_open) as o (task_uuid)
    cross join lateral (
      select s.task_uuid, s.name, s.named_step_uuid
        from tasker.workflow_steps as s
       where s.task_uuid = o.task_uuid
         and s.map_no is null
         and s.undo_no is null
         and s.state not in ('complete', 'cancelled', 'resolved_manually')
      offset 0
    ) as s
    join tasker.named_steps as h
      on h.named_step_uuid = s.named_step_uuid
    where not exists (select from jsonb_array_elements(p_template -> 'steps') as n (value) where n.value ->> 'name' = s.name)
    group by s.name
    order by count(*) desc, s.name
    limit 100;
  end loop;
end;
$$;

comment on function tasker.template_changes is
$$Returns findings about open tasks of other versions of a template: which of these tasks have handlers that the new
version has, too, and which of their unsettled steps the new version does not have.$$;
-- <<<

-- >>> db/schema/functions/operate/deploy/private/template_conditions.sql
create or replace function tasker.template_conditions(p_template jsonb)
  returns setof tasker.template_findings
  language plpgsql
  stable
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_recent uuid[];
begin
  v_recent := array(
    select t.task_uuid
      from tasker.named_tasks as k
      join tasker.task_namespaces as n
        on n.task_namespace_uuid = k.task_namespace_uuid
     cross join lateral (
       select t.task_uuid
         from tasker.tasks as t
        where t.named_task_uuid = k.named_task_uuid
        order by t.task_uuid desc
        limit 100
     ) as t
     where n.name = p_template ->> 'namespace'
       and k.name = p_template ->> 'name'
     order by t.task_uuid desc
     limit 100
  );
  return query
  select
    'condition', 'warn', null::text, c.step, null::text, 0::bigint,
    case
      when c.held = 0 then format('none of the last %s results of step "%s" satisfies the condition of step "%s"', c.results, c.parent, c.step)
      else format('each of the last %s results of step "%s" satisfies the condition of step "%s"', c.results, c.parent, c.step)
    end,
    jsonb_build_object('parent', c.parent, 'condition', c.condition, 'results', c.results, 'satisfied', c.held)
  from (
    select
      s.value ->> 'name' as step, d.value ->> 'step' as parent, d.value ->> 'when' as condition, min(s.no) as no,
      count(p.step_no) as results,
      count(p.step_no) filter (where tasker.condition_holds((d.value ->> 'when')::jsonpath, p.results)) as held
    from jsonb_array_elements(p_template -> 'steps') with ordinality as s (value, no)
    cross join lateral jsonb_array_elements(s.value -> 'dependencies') as d (value)
    left join lateral (
      select p.step_no, p.results
        from unnest(v_recent) as r (task_uuid)
       cross join lateral (
         select p.step_no, p.results
           from tasker.workflow_steps as p
          where p.task_uuid = r.task_uuid
            and p.name = d.value ->> 'step'
            and p.state in ('complete', 'resolved_manually')
            and p.expansion is null
       ) as p
       limit 100
    ) as p
      on true
    where d.value ? 'when'
    group by s.value ->> 'name', d.value ->> 'step', d.value ->> 'when'
    order by min(s.no), d.value ->> 'step'
    limit 100
  ) as c
  where c.results > 0
    and (c.held = 0 or c.held = c.results);
end;
$$;

comment on function tasker.template_conditions is
$$Returns the conditions of a template that are satisfied by none or by all of the recent results of their steps. Reads
the results of the newest hundred tasks of all versions of the template. Leaves out conditions on maps.$$;
-- <<<

-- >>> db/schema/functions/operate/deploy/private/template_handlers.sql
create or replace function tasker.template_handlers(p_template jsonb)
  returns setof tasker.template_findings
  language plpgsql
  stable
  set search_path = pg_catalog, pg_temp
as $$
begin
  return query
  with live as (
    select w.handlers
      from tasker.workers as w
     where w.last_seen_at > tasker.clock() - interval '1 minute'
       and (w.namespaces = '{}' or p_template ->> 'namespace' = any (w.namespaces))
  )
  select
    'no_handler', 'warn', null::text, h.step, h.handler, 0::bigint,
    format('no running worker has the handler "%s" of step "%s"', h.handler, h.step),
    jsonb_strip_nulls(jsonb_build_object('nearest', tasker.nearest_name(h.handler, array(
      select distinct u.name from live as l cross join lateral unnest(l.handlers) as u (name) order by u.name limit 1000
    ))))
  from (
    select distinct on (x.handler) s.value ->> 'name' as step, x.handler, s.no
      from jsonb_array_elements(p_template -> 'steps') with ordinality as s (value, no)
     cross join lateral (values (s.value ->> 'handler'), (s.value ->> 'compensate')) as x (handler)
     where x.handler is not null
     order by x.handler, s.no
  ) as h
  -- A worker without a list of handlers may have any handler.
  where not exists (select from live as l where l.handlers is null or h.handler = any (l.handlers))
  order by h.no, h.handler
  limit 100;
end;
$$;

comment on function tasker.template_handlers is
$$Returns the steps of a template whose handler no worker that was seen within the last minute has.
list_unserved_steps() has the same rule.$$;
-- <<<

-- >>> db/schema/functions/operate/deploy/private/template_forks.sql
create or replace function tasker.template_forks(p_template jsonb, p_tasks tasker.tasks[])
  returns setof tasker.template_findings
  language plpgsql
  stable
  set search_path = pg_catalog, pg_temp
as $$
begin
  return query
  with new_steps as materialized (
    select s.value ->> 'name' as name, s.no
      from jsonb_array_elements(p_template -> 'steps') with ordinality as s (value, no)
  ),
  new_edges as materialized (
    select coalesce(d.value ->> 'step', d.value #>> '{}') as parent, s.value ->> 'name' as child
      from jsonb_array_elements(p_template -> 'steps') as s (value)
     cross join lateral jsonb_array_elements(s.value -> 'dependencies') as d (value)
  ),
  forks as (
    select k.version, t.task_uuid, f.from_step, a.again
      from (select t.* from unnest(p_tasks) as t order by t.task_uuid desc limit 100) as t
      join tasker.named_tasks as k
        on k.named_task_uuid = t.named_task_uuid
       and k.version is distinct from p_template ->> 'version'
     cross join lateral (
       -- The first step that a fork has to run. The fork repeats the task from this step on.
       select n.name as from_step
         from new_steps as n
        where not exists (
          select
            from tasker.workflow_steps as s
           where s.task_uuid = t.task_uuid
             and s.name = n.name
             and s.state in ('complete', 'resolved_manually')
        )
        order by n.no
        limit 1
     ) as f
     cross join lateral (
       with recursive edges as materialized (
         select e.parent, e.child from new_edges as e
         union
         select p.name, c.name
           from tasker.workflow_step_edges as e
           join tasker.workflow_steps as p
             on p.task_uuid = e.task_uuid
            and p.step_no = e.from_step_no
           join tasker.workflow_steps as c
             on c.task_uuid = e.task_uuid
            and c.step_no = e.to_step_no
          where e.task_uuid = t.task_uuid
       ),
       below (name) as (
         values (f.from_step)
         union
         select e.child from below as b join edges as e on e.parent = b.name
       )
       select coalesce(array_agg(s.name order by s.step_no), '{}') as again
         from tasker.workflow_steps as s
        where s.task_uuid = t.task_uuid
          and s.map_no is null
          and s.undo_no is null
          and s.state in ('complete', 'resolved_manually')
          and s.name in (select n.name from new_steps as n)
          and s.name in (select b.name from below as b)
     ) as a
     where t.total_steps <= 1000
  )
  select
    'fork', case when f.again = '{}' then 'ok' else 'warn' end, f.version, f.from_step, null::text, count(*),
    format(
      'a fork of %s open tasks of version "%s" from step "%s" runs %s again', count(*), f.version, f.from_step,
      case when f.again = '{}' then 'no finished step' else array_to_string(f.again[:10], ', ') || case when cardinality(f.again) > 10 then ' and others' else '' end end
    ),
    jsonb_build_object('again', to_jsonb(f.again), 'tasks', to_jsonb((array_agg(f.task_uuid order by f.task_uuid desc))[:10]))
  from forks as f
  group by f.version, f.from_step, f.again
  order by f.version, count(*) desc, f.from_step
  limit 100;
end;
$$;

comment on function tasker.template_forks is
$$Returns the steps that run again if the newest hundred open tasks are forked to a new version. The returned steps are
the finished steps below the first step that a fork has to run, in the graph of the version or of the task. Leaves out
tasks with more than a thousand steps.$$;
-- <<<

-- >>> db/schema/functions/operate/deploy/private/template_inputs.sql
create or replace function tasker.template_inputs(p_template jsonb, p_tasks tasker.tasks[])
  returns setof tasker.template_findings
  language plpgsql
  stable
  set search_path = pg_catalog, pg_temp
as $$
begin
  return query
  select
    'input', 'warn', null::text, null::text, null::text, 0::bigint,
    format('the context of schedule "%s" does not fit: %s', s.schedule, left(s.problem, 500)),
    jsonb_build_object('schedule', s.schedule, 'hint', 'Its ticks make no task of this version.')
  from (
    select s.schedule, tasker.payload_problem(p_template -> 'input_schema', s.context, 'context') as problem
      from tasker.schedules as s
     where s.namespace = p_template ->> 'namespace'
       and s.task_name = p_template ->> 'name'
       and coalesce(s.task_version, p_template ->> 'version') = p_template ->> 'version'
     order by s.schedule
     limit 1000
  ) as s
  where s.problem is not null
  order by s.schedule
  limit 100;

  return query
  select
    'input', 'warn', k.version, null::text, null::text, count(*),
    format('a fork of %s open tasks of version "%s" to it is refused: %s', count(*), k.version, left(min(t.problem), 500)),
    jsonb_build_object('tasks', to_jsonb((array_agg(t.task_uuid order by t.task_uuid desc))[:10]))
  from (
    select t.task_uuid, t.named_task_uuid, tasker.payload_problem(p_template -> 'input_schema', t.context, 'context') as problem
      from unnest(p_tasks) as t
  ) as t
  join tasker.named_tasks as k
    on k.named_task_uuid = t.named_task_uuid
   and k.version is distinct from p_template ->> 'version'
  where t.problem is not null
  group by k.version
  order by k.version
  limit 100;
end;
$$;

comment on function tasker.template_inputs is
$$Returns the schedules of a template and the open tasks of its other versions whose contexts do not fit the schema of
the version's input. Returns no row if the version has no schema.$$;
-- <<<

-- >>> db/schema/functions/operate/deploy/private/template_bounds.sql
create or replace function tasker.template_bounds(p_namespace text, p_name text, p_tasks tasker.tasks[])
  returns setof tasker.template_findings
  language plpgsql
  stable
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_judged bigint := cardinality(p_tasks);
  v_forks  bigint;
  v_open   bigint;
  v_read   bigint;
begin
  select count(*) filter (where t.mine), count(*)
    into v_open, v_read
    from (
      select t.named_task_uuid = any (array(
        select k.named_task_uuid
          from tasker.named_tasks as k
          join tasker.task_namespaces as n
            on n.task_namespace_uuid = k.task_namespace_uuid
         where n.name = p_namespace
           and k.name = p_name
      )) as mine
        from tasker.tasks as t
       where not t.complete
       order by t.task_uuid desc
       limit 100001
    ) as t;
  -- Count the tasks that template_forks reads.
  v_forks := (
    select count(*)
      from (select t.total_steps from unnest(p_tasks) as t order by t.task_uuid desc limit 100) as t
     where t.total_steps <= 1000
  );
  return query
  select
    'bound', 'warn', null::text, null::text, null::text, v_open,
    concat_ws(
      '; ',
      case when v_judged < v_open then format('only the newest %s of %s open tasks were judged', v_judged, v_open) end,
      case when v_forks < v_judged then format('only forks of %s of %s open tasks were judged', v_forks, v_open) end,
      case when v_read > 100000 then 'of the open tasks of all templates only the newest 100000 were read' end
    ),
    jsonb_build_object('open', v_open, 'judged', v_judged, 'forks', v_forks, 'all_read', v_read <= 100000)
  where v_judged < v_open
     or v_forks < v_judged
     or v_read > 100000;
end;
$$;

comment on function tasker.template_bounds is
$$Returns a finding if check_template_change does not read all open tasks of a template: how many of how many tasks it
reads.$$;
-- <<<

-- >>> db/schema/functions/operate/deploy/check_template_change.sql
create or replace function tasker.check_template_change(p_template jsonb)
  returns setof tasker.template_findings
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
  v_template jsonb;
  v_tasks    tasker.tasks[];
begin
  perform tasker.check_depth('template', p_template);
  return query
  select
    'problem', 'fail', null::text, null::text, null::text, 0::bigint, concat_ws(' ', nullif(p.path, ''), p.problem),
    jsonb_strip_nulls(jsonb_build_object('path', p.path, 'hint', p.hint))
  from tasker.validate_task_template(p_template) as p;
  if found then
    return;
  end if;
  v_template := tasker.normalize_template(p_template);
  perform tasker.check_bound_namespaces(array[v_template ->> 'namespace']);
  v_tasks := array(select t from tasker.template_open_tasks(v_template ->> 'namespace', v_template ->> 'name') as t);

  return query select f.* from tasker.template_registered(v_template, nullif(p_template -> 'types', 'null')) as f;
  return query select f.* from tasker.template_changes(v_template, v_tasks) as f;
  return query select f.* from tasker.template_conditions(v_template) as f;
  return query select f.* from tasker.template_handlers(v_template) as f;
  if v_template ? 'input_schema' then
    return query select f.* from tasker.template_inputs(v_template, v_tasks) as f;
  end if;
  return query select f.* from tasker.template_forks(v_template, v_tasks) as f;
  return query select f.* from tasker.template_bounds(v_template ->> 'namespace', v_template ->> 'name', v_tasks) as f;
end;
$$;

comment on function tasker.check_template_change is
$$Returns findings about the deployment of a version of a template to this database. The findings say whether the
version can be registered, how many open tasks of which other version use its handlers, and which of its handlers no
running worker has. The findings name steps that open tasks have not settled yet and that the version does not have, and
conditions that none or all of the recent results satisfy. The findings say which steps run again if the open tasks are
forked to the version, and which schedules and open tasks have a context that does not fit the version's input schema.
The findings also have the digests of the types that programs named for the version, and the programs that were refused
under this version, as list_refused_programs() returns them.

Changes nothing. Reads at most the newest 1,000 open tasks of the template among the newest 100,000 open tasks. For
forks it reads the newest 100 of these tasks, and for conditions the newest 100 tasks of the template. If it did not
read all tasks, a finding "bound" says how many of how many it read. Raises TK422 for a template that is too deep, and
TK403 if the caller is bound to other namespaces.$$;

grant execute on function tasker.check_template_change to tasker_orchestrator, tasker_operator, tasker_reader;
-- <<<

-- >>> db/schema/rows/operate/deploy/diverged_templates.sql
create or replace view tasker.diverged_templates as
select
  ''::text as namespace,
  ''::text as name,
  ''::text as version,
  null::text as types_digest,
  0::bigint as steps,
  '00000000-0000-0000-0000-000000000000'::uuid as step_uuid
where false;

comment on view tasker.diverged_templates is
  'Row type: a version of a template whose steps wait for a program that fits their kept results.';
comment on column tasker.diverged_templates.types_digest is
  'The digest of the types that programs registered for the version. Null if no program registered types.';
comment on column tasker.diverged_templates.step_uuid is
  'One of the steps that wait.';
-- <<<

-- >>> db/schema/functions/operate/deploy/list_diverged_templates.sql
create or replace function tasker.list_diverged_templates(p_namespaces text[] default null)
  returns setof tasker.diverged_templates
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
  perform tasker.check_bound_namespaces(p_namespaces);
  return query
  select w.namespace, k.name, k.version, tasker.types_digest(k.types), w.steps, w.step_uuid
    from (
      -- Read by namespace, so that the query can use the index on signals.
      select n.name as namespace, w.named_task_uuid, count(*) as steps,
        (array_agg(tasker.step_uuid(w.task_uuid, w.step_no) order by w.place))[1] as step_uuid
        from tasker.task_namespaces as n
       cross join lateral (
         select w.named_task_uuid, w.task_uuid, w.step_no, row_number() over (order by w.waiting_since, w.task_uuid, w.step_no) as place
           from tasker.waits as w
          where w.namespace = n.name
            and w.signal = '$diverged'
          order by w.waiting_since, w.task_uuid, w.step_no
          limit 10000
       ) as w
       where (p_namespaces is null or n.name = any (p_namespaces))
         and (v_bound is null or n.name = any (v_bound))
       group by n.name, w.named_task_uuid
    ) as w
    join tasker.named_tasks as k
      on k.named_task_uuid = w.named_task_uuid
   order by w.steps desc, w.namespace, k.name, k.version
   limit 100;
end;
$$;

comment on function tasker.list_diverged_templates is
$$Returns the versions of templates that have diverged steps. Such a step waits because the program that ran it makes
other calls, or takes other types, than the program that ran it before. Each row has the digest of the types that
programs registered for the version, and one of its steps. A usual cause is that two programs run under one version.
"tasker template check" compares the types of a file.

Reads at most 10,000 of these waits in each namespace, the longest wait first. Returns at most 100 versions. If
p_namespaces is null, reads all namespaces. Raises TK403 if the caller is bound to other namespaces.$$;

grant execute on function tasker.list_diverged_templates to tasker_worker, tasker_orchestrator, tasker_operator, tasker_reader;
-- <<<

insert into tasker.schema_builds (version, files) values ('20261121001430', 'functions/operate/deploy/check_template_change ea050ab9e05f9784
functions/operate/deploy/list_diverged_templates 9293256c8b48b0c4
functions/operate/deploy/list_refused_programs ba70f4dbb45cf1cc
functions/operate/deploy/note_refused_program 5859355b473075d4
functions/operate/deploy/private/template_bounds 4429fee78aafaaf6
functions/operate/deploy/private/template_changes eefec5f944c6b860
functions/operate/deploy/private/template_conditions e6aa908365d99c63
functions/operate/deploy/private/template_forks b3639ec9baad2629
functions/operate/deploy/private/template_handlers 1643f58668013f9e
functions/operate/deploy/private/template_inputs 6d1c620851d43cc5
functions/operate/deploy/private/template_open_tasks 3193193082bcb610
functions/operate/deploy/private/template_registered 5615ef0c077ef81f
functions/operate/export/export_task dd8eaebcb9847609
functions/operate/export/private/blank_path a8667156f56743da
functions/operate/export/private/blank_steps 8222e6ea4e2fcaf3
functions/operate/export/private/check_export_size 00d553d98871a411
functions/operate/export/private/exported_events 33102939adcc446d
functions/operate/export/private/exported_kept e1e1719d87cdd2b7
functions/operate/export/private/exported_signals b0f116c92fb0ffff
functions/operate/export/private/exported_step_history 35e8ec70e1723aef
functions/operate/export/private/exported_steps 77e5ca58bcb2c33d
functions/operate/export/private/exported_task 4673023d919e77f7
functions/operate/export/private/exported_value b92809037ed72e2d
functions/operate/export/private/types_digest eadbe036867ef074
functions/operate/story/get_task_story d3e4bdadc698baf6
functions/operate/story/private/critical_path 58561acbce2c7739
functions/operate/story/private/step_story 03ee160f6fae03ac
functions/operate/story/private/story_kind 4a2e8915a77b1077
rows/operate/deploy/diverged_templates e9818f86d55626a7
rows/operate/deploy/refused_program_details 9d0a2cba7c83d1f6
rows/operate/deploy/template_findings 34ec19dc7891de78
rows/operate/story/task_story_parts e9912667bb5daad2
tables/operate/deploy/refused_programs 50ccae985137cb7b
');

select tasker.note_objects();

reset role;

-- migrate:down
set local citus.enable_ddl_propagation = off; -- Citus would repeat this on its worker nodes
set local role tasker_owner;

delete from tasker.schema_builds where version = '20261121001430';

drop function tasker.list_diverged_templates;
drop view tasker.diverged_templates;
drop function tasker.check_template_change;
drop function tasker.template_bounds;
drop function tasker.template_inputs;
drop function tasker.template_forks;
drop function tasker.template_handlers;
drop function tasker.template_conditions;
drop function tasker.template_changes;
drop function tasker.template_registered;
drop function tasker.template_open_tasks;
drop view tasker.template_findings;
drop function tasker.list_refused_programs;
drop function tasker.note_refused_program;
drop view tasker.refused_program_details;
drop table tasker.refused_programs;
drop function tasker.get_task_story;
drop function tasker.step_story;
drop function tasker.story_kind;
drop function tasker.critical_path;
drop view tasker.task_story_parts;
drop function tasker.export_task;
drop function tasker.exported_task;
drop function tasker.exported_events;
drop function tasker.exported_signals;
drop function tasker.exported_steps;
drop function tasker.exported_step_history;
drop function tasker.exported_kept;
drop function tasker.check_export_size;
drop function tasker.types_digest;
drop function tasker.exported_value;
drop function tasker.blank_steps;
drop function tasker.blank_path;

select tasker.note_objects();

reset role;
