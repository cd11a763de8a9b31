-- waiting: steps that wait for signals and times, signals, the inbox
-- Composed from db/schema: edit there, then compose again. Frozen by the first release tag.

-- migrate:up
set local citus.enable_ddl_propagation = off; -- Citus would repeat this on its worker nodes
set local role tasker_owner;

-- >>> db/schema/rows/kernel/suspend/wait_ends.sql
create or replace view tasker.wait_ends as
select
  null::timestamptz as due_at,
  null::text as ended_by,
  null::text as problem
where false;

comment on view tasker.wait_ends is
  'Row type: the time at which a wait ends, and the kind of that end: "for", "until" or "timeout". All columns are null if only a signal ends the wait.';
comment on column tasker.wait_ends.problem is
  'The reason why the time of an "until" or the key of an event cannot be read from the context. Then the wait ends at once and its step fails.';
-- <<<

-- >>> db/schema/functions/kernel/suspend/private/event_key.sql
create or replace function tasker.event_key(p_key text, p_context jsonb)
  returns text
  language plpgsql
  immutable
as $$
declare
  v_value jsonb;
begin
  if p_key is null or p_key not like '$%' then
    return coalesce(p_key, '');
  end if;
  v_value := jsonb_path_query_first(p_context, tasker.stored_path(p_key), '{}', true);
  if jsonb_typeof(v_value) in ('string', 'number', 'boolean') and length(v_value #>> '{}') <= 500 then
    return v_value #>> '{}';
  end if;
  return null;
end;
$$;

comment on function tasker.event_key is
$$Returns the key of the events that a wait is for. It is the key in the template or, if that is a path that begins with $, the value at this path in the context. The key is the empty text if the template has no key. Returns null if the path does not lead to a text, number or boolean of at most 500 characters.$$;
-- <<<

-- >>> db/schema/functions/kernel/suspend/private/wait_end.sql
create or replace function tasker.wait_end(p_await jsonb, p_context jsonb, p_since timestamptz)
  returns tasker.wait_ends
  language plpgsql
  stable
as $$
declare
  v_one  jsonb;
  v_at   timestamptz;
  v_by   text;
  v_end  tasker.wait_ends;
  v_bad  text;
begin
  for v_one in select a.value from jsonb_array_elements(p_await -> 'any') as a (value) loop
    v_bad := coalesce(
      tasker.regex_error(v_one ->> 'when'), tasker.regex_error(v_one ->> 'key'), tasker.regex_error(v_one ->> 'until')
    );
    if v_bad is not null then
      v_end.due_at := p_since;
      v_end.ended_by := 'timeout';
      v_end.problem := 'the wait cannot be judged: ' || v_bad;
      return v_end;
    end if;
    continue when v_one ? 'signal';
    if v_one ? 'event' then
      continue when tasker.event_key(v_one ->> 'key', p_context) is not null;
      v_end.due_at := p_since;
      v_end.ended_by := 'event';
      v_end.problem := format(
        'key: %s of the context is not a text, number or boolean of at most 500 characters', v_one ->> 'key'
      );
      return v_end;
    end if;
    if v_one ? 'for' then
      v_by := 'for';
      v_at := p_since + (v_one ->> 'for')::numeric * interval '1 second';
    else
      v_by := 'until';
      v_at := tasker.instant_of(case
        when v_one ->> 'until' like '$%'
          then jsonb_path_query_first(p_context, tasker.stored_path(v_one ->> 'until'), '{}', true) #>> '{}'
        else v_one ->> 'until'
      end);
      if v_at is null then
        v_end.due_at := p_since;
        v_end.ended_by := 'until';
        v_end.problem := format(
          'until: %s of the context is not a time such as 2026-12-24T18:00:00Z', v_one ->> 'until'
        );
        return v_end;
      end if;
    end if;
    if v_end.due_at is null or v_at < v_end.due_at then
      v_end.due_at := v_at;
      v_end.ended_by := v_by;
    end if;
  end loop;

  v_at := p_since + (p_await ->> 'timeout')::numeric * interval '1 second';
  if v_at < coalesce(v_end.due_at, 'infinity') then
    v_end.due_at := v_at;
    v_end.ended_by := 'timeout';
  end if;
  return v_end;
end;
$$;

comment on function tasker.wait_end is
$$Returns the time at which a wait that began at p_since ends unless a signal or an event ends it first, and the alternative that then ends it. The same rule sets the timer of the wait and applies when the timer fires. A day is 86,400 seconds, whatever the session's time zone.$$;
-- <<<

-- >>> db/schema/functions/features/waits/private/begin_waits.sql
create or replace function tasker.begin_waits(p_moves tasker.step_moves[])
  returns void
  language plpgsql
as $$
declare
  v_timers integer;
  v_events text[]; -- the namespaces of the steps that wait for an event
begin
  with begun as materialized (
    select m.task_uuid, m.step_no, m.moved_at, s.await, t.named_task_uuid, t.namespace, e.due_at,
           case when jsonb_path_exists(s.await, '$.any[*].event') then t.context end as context
      from unnest(p_moves) as m
     cross join lateral (
       select tasker.step_wait(s.await, s.wait, s.claim_no) as await
         from tasker.workflow_steps as s
        where s.task_uuid = m.task_uuid
          and s.step_no = m.step_no
          and tasker.step_wait(s.await, s.wait, s.claim_no) is not null
       offset 0
     ) as s
     cross join lateral (
       select t.named_task_uuid, t.context, n.name as namespace
         from tasker.tasks as t
         join tasker.named_tasks as k
           on k.named_task_uuid = t.named_task_uuid
         join tasker.task_namespaces as n
           on n.task_namespace_uuid = k.task_namespace_uuid
        where t.task_uuid = m.task_uuid
       offset 0
     ) as t
     cross join lateral tasker.wait_end(s.await, t.context, tasker.wait_since(s.await, m.moved_at)) as e
     where m.to_state = 'suspended'
       and m.event is not null
  ),
  awaited as (
    insert into tasker.waits (
      task_uuid, step_no, wait_no, signal, event, event_key, counts_from, namespace, named_task_uuid, first, waiting_since,
      due_at, assignee
    )
    select
      b.task_uuid, b.step_no, g.wait_no, g.signal, g.event, g.event_key, g.counts_from, b.namespace, b.named_task_uuid,
      g.place = 1, b.moved_at, b.due_at, b.await ->> 'assignee'
    from begun as b
    cross join lateral (
      select
        min(a.no)::integer as wait_no, a.signal, a.event, a.event_key, a.counts_from,
        row_number() over (order by min(a.no)) as place
        from (
          select
            a.no, a.value ->> 'signal' as signal, a.value ->> 'event' as event,
            case when a.value ? 'event' then tasker.event_key(a.value ->> 'key', b.context) end as event_key,
            case when a.value ? 'event' then
              tasker.wait_since(b.await, b.moved_at) - (a.value ->> 'look_back')::numeric * interval '1 second'
            end as counts_from,
            case when a.value ? 'event' then a.no end as alternative
            from jsonb_array_elements(b.await -> 'any') with ordinality as a (value, no)
           where a.value ?| '{signal,event}'
        ) as a
       where a.signal is not null
          or a.event_key is not null
       group by a.signal, a.event, a.event_key, a.counts_from, a.alternative
    ) as g
  ),
  noted as (
    insert into tasker.timers (task_uuid, step_no, kind, due_at, namespace)
    select b.task_uuid, b.step_no, 'end_wait'::tasker.timer_kind, b.due_at, b.namespace
      from begun as b
     where b.due_at is not null
    union all
    select b.task_uuid, b.step_no, 'start_child', tasker.clock(), b.namespace
      from begun as b
     where b.await ?| '{task,tasks}'
    union all
    -- A later transaction fires this note, and sees the events that this transaction cannot see.
    select b.task_uuid, b.step_no, 'match_wait', tasker.clock(), b.namespace
      from begun as b
     where b.context is not null
    on conflict (task_uuid, step_no, kind) do update
       set due_at = excluded.due_at,
           xact   = excluded.xact
    returning task_uuid
  )
  select (select count(*) from noted as n), (select array_agg(b.namespace) from begun as b where b.context is not null)
    into v_timers, v_events;

  -- Wake clients that sleep until work is due, because the new timers may be due sooner.
  if v_timers > 0 then
    -- A step that begins again continues with the task that it has, so do not cancel this task.
    delete from tasker.timers as d
     using unnest(p_moves) as m
     where d.task_uuid = any (array[m.task_uuid])
       and d.step_no = m.step_no
       and d.kind = 'cancel_child'
       and m.to_state = 'suspended'
       and m.event is not null
       -- A durable function starts other tasks, so its former tasks are cancelled.
       and not exists (
         select
           from tasker.workflow_steps as s
          where s.task_uuid = m.task_uuid
            and s.step_no = m.step_no
            and s.child_task_uuids is not null
       );
    perform tasker.notify_orchestrators();
    if v_events is not null then
      perform tasker.notify_steps_ready(u.namespace) from (select distinct u.namespace from unnest(v_events) as u (namespace)) as u;
    end if;
  end if;
end;
$$;

comment on function tasker.begin_waits is
$$Writes the waits of steps that were just suspended: a row for each signal and event, a timer if a time can end the wait, and notes that start the step's tasks and match the wait with the kept events. Writes no row for a step whose handler asked for no wait. The writer of moves calls this function.$$;
-- <<<

-- >>> db/schema/functions/features/waits/private/end_waits.sql
create or replace function tasker.end_waits(p_moves tasker.step_moves[])
  returns void
  language plpgsql
as $$
begin
  delete from tasker.waits as w
   using unnest(p_moves) as m
   where w.task_uuid = any (array[m.task_uuid])
     and w.step_no = m.step_no
     and m.from_state = 'suspended'
     and m.event is not null;
  with ended as (
    delete from tasker.timers as d
     using unnest(p_moves) as m
     where d.task_uuid = any (array[m.task_uuid])
       and d.step_no = m.step_no
       and d.kind in ('end_wait', 'start_child', 'match_wait')
       and m.from_state = 'suspended'
       and m.event is not null
  )
  insert into tasker.timers (task_uuid, step_no, kind, due_at, namespace)
  select m.task_uuid, m.step_no, 'cancel_child', tasker.clock(), tasker.namespace_of_task(m.task_uuid)
    from unnest(p_moves) as m
   cross join lateral (
     select
       from tasker.workflow_steps as s
      where s.task_uuid = m.task_uuid
        and s.step_no = m.step_no
        and (s.child_task_uuid is not null and s.await is not null or s.wait ? 'started')
        and not coalesce(s.await, '{}') @> '{"task": {"abandon": true}}'
     offset 0
   ) as s
   where m.from_state = 'suspended'
     and m.event is not null
  on conflict (task_uuid, step_no, kind) do nothing;
  if found then
    perform tasker.notify_orchestrators();
  end if;
end;
$$;

comment on function tasker.end_waits is
$$Ends the waits of steps that have left the state suspended: deletes their rows in tasker.waits and their timers, and writes notes that cancel the tasks that they waited for. The writer of moves calls this function.$$;
-- <<<

-- >>> db/schema/functions/features/waits/private/may_answer.sql
create or replace function tasker.may_answer(p_assignee text, p_sender text)
  returns boolean
  language plpgsql
  stable
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_role   oid := (select r.oid from pg_roles as r where r.rolname = p_assignee);
  v_sender oid := (select r.oid from pg_roles as r where r.rolname = p_sender);
begin
  -- If the assignee is not a role of this server, it is only a name for people, which is shown but not enforced.
  return v_role is null or coalesce(pg_has_role(v_sender, v_role, 'member'), false);
end;
$$;

comment on function tasker.may_answer is
$$Returns whether this role may answer a wait with this assignee. The role must be a member of the assignee's role, unless the assignee is not a role. Any role may answer a wait without an assignee (null).$$;
-- <<<

-- >>> db/schema/functions/kernel/graph/private/payload_problem.sql
create or replace function tasker.payload_problem(p_schema jsonb, p_value jsonb, p_path text)
  returns text
  language plpgsql
  immutable
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_type    text := jsonb_typeof(p_value);
  v_problem text;
  v_key     text;
  v_no      integer := 0;
  v_item    jsonb;
begin
  -- Lengths and bounds restrict only values of their own type, as in JSON Schema.
  v_problem := case
    -- The operator ? finds a key of an object as well as a text in a list.
    when p_schema ? 'type' and not (
      p_schema -> 'type' ? v_type
      or v_type = 'number' and p_schema -> 'type' ? 'integer' and p_value::numeric = trunc(p_value::numeric)
    ) then format('must be of type %s, not %s', (
      select string_agg(t.value #>> '{}', ' or ' order by t.no)
        from jsonb_path_query(p_schema -> 'type', '$[*]') with ordinality as t (value, no)
    ), v_type)
    when p_schema ? 'enum' and not exists (
      select from jsonb_array_elements(p_schema -> 'enum') as e (value) where e.value = p_value
    ) then format('must be one of %s', left(p_schema ->> 'enum', 200))
    when v_type = 'number' and p_schema ? 'minimum' and p_value::numeric < (p_schema ->> 'minimum')::numeric
      then format('must not be below %s', p_schema ->> 'minimum')
    when v_type = 'number' and p_schema ? 'maximum' and p_value::numeric > (p_schema ->> 'maximum')::numeric
      then format('must not be above %s', p_schema ->> 'maximum')
    when v_type = 'string' and p_schema ? 'maxLength' and length(p_value #>> '{}') > (p_schema ->> 'maxLength')::numeric
      then format('must not be longer than %s characters', p_schema ->> 'maxLength')
  end;
  if v_problem is not null then
    return p_path || ' ' || v_problem;
  end if;

  if v_type = 'object' then
    for v_key in select r.value from jsonb_array_elements_text(p_schema -> 'required') as r (value) loop
      if not p_value ? v_key then
        return format('%s.%s is missing', p_path, v_key);
      end if;
    end loop;
    for v_key, v_item in select f.key, f.value from jsonb_each(p_schema -> 'properties') as f loop
      if p_value ? v_key then
        v_problem := tasker.payload_problem(v_item, p_value -> v_key, p_path || '.' || v_key);
        if v_problem is not null then
          return v_problem;
        end if;
      end if;
    end loop;
  elsif v_type = 'array' and p_schema ? 'items' then
    for v_item in select e.value from jsonb_array_elements(p_value) as e (value) loop
      v_problem := tasker.payload_problem(p_schema -> 'items', v_item, format('%s[%s]', p_path, v_no));
      if v_problem is not null then
        return v_problem;
      end if;
      v_no := v_no + 1;
    end loop;
  end if;
  return null;
end;
$$;

comment on function tasker.payload_problem is
$$Returns the path of the first part of a payload or of a task's input that the schema does not allow, followed by the reason. Returns null if the schema allows all parts or is null.$$;
-- <<<

-- >>> db/schema/functions/features/waits/private/takes_signal.sql
create or replace function tasker.takes_signal(p_await jsonb, p_name text, p_payload jsonb, p_sender text)
  returns boolean
  language plpgsql
  stable
as $$
begin
  return tasker.may_answer(p_await ->> 'assignee', p_sender)
     and exists (
       select
         from jsonb_array_elements(p_await -> 'any') as a (value)
        where a.value ->> 'signal' = p_name
          and tasker.condition_holds(tasker.stored_path(a.value ->> 'when'), p_payload)
          and tasker.payload_problem(a.value -> 'schema', p_payload, 'payload') is null
     );
end;
$$;

comment on function tasker.takes_signal is
$$Returns true if the wait p_await is for this signal, the payload fits its condition and its schema, and the sender may answer. Both a signal that finds a wait and a wait that finds a kept signal use this rule.$$;
-- <<<

-- >>> db/schema/functions/kernel/suspend/private/ended_wait.sql
create or replace function tasker.ended_wait(
  p_task_uuid  uuid,
  p_step_no    integer,
  p_ended_by   text,
  p_outcome    text,
  p_detail     jsonb,
  p_reason     text,
  p_actor      text,
  p_function   boolean  default false
)
  returns tasker.step_moves
  language plpgsql
  immutable
as $$
declare
  v_move tasker.step_moves;
begin
  v_move.task_uuid := p_task_uuid;
  v_move.step_no := p_step_no;
  v_move.from_state := 'suspended';
  v_move.actor := p_actor;
  if p_function then
    v_move.event := 'Resume';
    v_move.to_state := 'enqueued';
    v_move.reason := p_reason;
    v_move.value := jsonb_build_object('by', p_ended_by) || coalesce(p_detail, '{}');
  elsif p_outcome = 'skip' then
    v_move.event := 'Skip';
    v_move.to_state := 'cancelled';
    v_move.reason := p_reason;
  elsif p_outcome = 'fail' then
    v_move.first_event := 'EnqueueForOrchestration';
    v_move.via_state := 'enqueued_as_error_for_orchestration';
    v_move.event := 'Fail';
    v_move.to_state := 'error';
    v_move.error := p_reason;
    v_move.metadata := jsonb_build_object('error', p_reason, 'permanent', true);
  else
    v_move.first_event := 'EnqueueForOrchestration';
    v_move.via_state := 'enqueued_for_orchestration';
    v_move.event := 'Complete';
    v_move.to_state := 'complete';
    v_move.reason := p_reason;
    v_move.result := jsonb_build_object('by', p_ended_by) || coalesce(p_detail, '{}');
  end if;
  return v_move;
end;
$$;

comment on function tasker.ended_wait is
$$Returns the move of a step whose wait has ended, by p_outcome: "complete", "fail" or "skip". The move records a result, as a worker does. The result names the alternative that ended the wait, and has p_detail. With p_function, the wait belongs to a handler, which continues with the value that ended the wait.$$;
-- <<<

-- >>> db/schema/functions/kernel/suspend/private/sent_answer.sql
create or replace function tasker.sent_answer(p_name text, p_payload jsonb, p_sent_at timestamptz)
  returns jsonb
  language sql
  stable
  parallel safe
begin atomic
  select jsonb_build_object('name', p_name, 'payload', p_payload, 'sent_at', tasker.utc_text(p_sent_at));
end;

comment on function tasker.sent_answer is
$$Returns the part of a wait's answer that signals and events have in common. The text does not depend on the session, because check_integrity compares the digest of the answer.$$;
-- <<<

-- >>> db/schema/functions/features/waits/private/consume_signal.sql
create or replace function tasker.consume_signal(p_signal tasker.task_signals, p_step_no integer)
  returns tasker.step_moves
  language plpgsql
as $$
begin
  update tasker.task_signals as g
     set step_no     = p_step_no,
         consumed_at = tasker.write_clock()
   where g.task_uuid = p_signal.task_uuid
     and g.signal_no = p_signal.signal_no;
  return tasker.ended_wait(
    p_signal.task_uuid, p_step_no, 'signal', 'complete', tasker.sent_answer(p_signal.name, p_signal.payload, p_signal.sent_at),
    format('signal "%s"', p_signal.name), p_signal.sent_by,
    exists (
      select
        from tasker.workflow_steps as s
       where s.task_uuid = p_signal.task_uuid
         and s.step_no = p_step_no
         and s.await is null
    )
  );
end;
$$;

comment on function tasker.consume_signal is
$$Records that a step takes a signal, and returns the move that ends the step's wait.$$;
-- <<<

-- >>> db/schema/functions/features/waits/private/kept_signal_moves.sql
create or replace function tasker.kept_signal_moves(p_moves tasker.step_moves[])
  returns tasker.step_moves[]
  language plpgsql
as $$
declare
  v_moves  tasker.step_moves[] := '{}';
  v_wait   record;
  v_signal tasker.task_signals;
begin
  -- Read the steps in their order. Each step takes the oldest kept signal that fits its wait and that no earlier step has
  -- taken.
  for v_wait in
    select m.task_uuid, m.step_no, m.moved_at, s.await
      from unnest(p_moves) as m
     cross join lateral (
       select tasker.step_wait(s.await, s.wait, s.claim_no) as await
         from tasker.workflow_steps as s
        where s.task_uuid = m.task_uuid
          and s.step_no = m.step_no
          and tasker.step_wait(s.await, s.wait, s.claim_no) is not null
       offset 0
     ) as s
     where m.to_state = 'suspended'
       and m.event is not null
       and exists (
         select
           from tasker.task_signals as g
          where g.task_uuid = m.task_uuid
            and g.step_no is null
       )
     order by m.task_uuid, m.step_no
  loop
    select g.*
      into v_signal
      from tasker.task_signals as g
     where g.task_uuid = v_wait.task_uuid
       and g.step_no is null
       and tasker.takes_signal(v_wait.await, g.name, g.payload, g.sent_by)
     order by g.signal_no
     limit 1;
    if found then
      v_moves := v_moves || tasker.consume_signal(v_signal, v_wait.step_no);
    end if;
  end loop;
  return v_moves;
end;
$$;

comment on function tasker.kept_signal_moves is
$$Returns the moves of just suspended steps for which a signal is kept. Each step takes the oldest signal that fits its wait. The caller holds the tasks' locks. Signals are sent under these locks, so no signal is missed.$$;
-- <<<

-- >>> db/schema/functions/features/waits/private/wait_end_moves.sql
create or replace function tasker.wait_end_moves(p_task_uuids uuid[], p_step_nos integer[])
  returns tasker.step_moves[]
  language plpgsql
  stable
as $$
begin
  return array(
    select tasker.ended_wait(
        s.task_uuid, s.step_no, s.ended_by,
        case
          when s.problem is not null then 'fail'
          when s.ended_by = 'timeout' then s.await ->> 'on_timeout'
          else 'complete'
        end,
        null,
        coalesce(
          s.problem,
          case s.ended_by
            when 'timeout' then format('timed out after %s seconds', s.await ->> 'timeout')
            else 'its time came'
          end
        ),
        null
      )
      from unnest(p_task_uuids, p_step_nos) as u (task_uuid, step_no)
     cross join lateral (
       select s.task_uuid, s.step_no, s.await, e.ended_by, e.problem
         from tasker.workflow_steps as s
        cross join tasker.tasks as t
        cross join lateral tasker.wait_end(s.await, t.context, s.moved_at) as e
        where s.task_uuid = u.task_uuid
          and s.step_no = u.step_no
          and s.state = 'suspended'
          and s.await is not null
          and t.task_uuid = u.task_uuid
       offset 0
     ) as s
     where s.ended_by is not null
     order by s.task_uuid, s.step_no
  );
end;
$$;

comment on function tasker.wait_end_moves is
$$Returns the moves of these steps whose wait has ended by time. A step that waited for this time completes. After a time-out the step fails, is skipped or completes, as its template says.$$;
-- <<<

-- >>> db/schema/functions/features/waits/private/fire_waits.sql
create or replace function tasker.fire_waits(p_task_uuids uuid[], p_step_nos integer[], p_processor uuid)
  returns void
  language plpgsql
as $$
declare
  v_moves   tasker.step_moves[] := tasker.wait_end_moves(p_task_uuids, p_step_nos);
  v_resumed tasker.step_moves[];
begin
  v_resumed := tasker.resume_moves(p_task_uuids, p_step_nos);
  if cardinality(v_resumed) > 0 then
    v_moves := array(select m from unnest(v_moves || v_resumed) as m order by m.task_uuid, m.step_no);
  end if;
  if cardinality(v_moves) > 0 then
    perform tasker.apply_moves(
      v_moves, tasker.task_facts(array(select m.task_uuid from unnest(v_moves) as m)), p_processor
    );
  end if;
  -- Delete the timers of steps that no longer wait.
  delete from tasker.timers as t
   using unnest(p_task_uuids, p_step_nos) as u (task_uuid, step_no)
   where t.task_uuid = any (array[u.task_uuid])
     and t.step_no = u.step_no
     and t.kind = 'end_wait'
     and cardinality(v_moves) < cardinality(p_task_uuids);
end;
$$;

comment on function tasker.fire_waits is
$$Ends the waits of these steps whose time has passed. Applies the moves from tasker.wait_end_moves and, for durable functions, tasker.resume_moves. The caller holds the locks of the steps' tasks.$$;
-- <<<

-- >>> db/schema/rows/features/waits/signal_answers.sql
create or replace view tasker.signal_answers as
select
  '00000000-0000-0000-0000-000000000000'::uuid as task_uuid,
  false::boolean as created,
  0::integer as signal_no,
  'kept'::tasker.delivery as answer,
  null::uuid as step_uuid
where false;

comment on view tasker.signal_answers is
  'Row type: the outcome of a signal.';
comment on column tasker.signal_answers.created is
  'Whether the call created the task.';
comment on column tasker.signal_answers.answer is
  'delivered: the signal ended the wait of step_uuid; kept: no step waits for the signal yet, and the next step that waits for it takes it; repeated: an earlier signal has the same idempotency key, and nothing was changed; ended: the task has ended and takes no signal, and signal_no is 0.';
-- <<<

-- >>> db/schema/rows/features/waits/signal_details.sql
create or replace view tasker.signal_details as
select
  '00000000-0000-0000-0000-000000000000'::uuid as task_uuid,
  0::integer as signal_no,
  ''::text as name,
  '{}'::jsonb as payload,
  null::text as idempotency_key,
  ''::text as sent_by,
  '-infinity'::timestamptz as sent_at,
  false::boolean as consumed,
  null::uuid as step_uuid,
  null::text as step_name,
  null::timestamptz as consumed_at
where false;

comment on view tasker.signal_details is
  'Row type: a signal that was sent to a task, and the step that took it.';
-- <<<

-- >>> db/schema/rows/features/waits/wait_details.sql
create or replace view tasker.wait_details as
select
  '00000000-0000-0000-0000-000000000000'::uuid as step_uuid,
  '00000000-0000-0000-0000-000000000000'::uuid as task_uuid,
  0::integer as step_no,
  ''::text as namespace,
  ''::text as task_name,
  ''::text as task_version,
  ''::text as step_name,
  null::text as description,
  '-infinity'::timestamptz as waiting_since,
  null::timestamptz as due_at,
  ''::text as on_timeout,
  null::text as assignee,
  '{}'::text[] as signals,
  '{}'::jsonb as await,
  '{}'::text[] as tags,
  null::text as initiator,
  '{}'::text[] as events,
  '{}'::text[] as event_keys
where false;

comment on view tasker.wait_details is
  'Row type: a step that waits for a signal or an event, as an inbox shows it.';
comment on column tasker.wait_details.description is
  'The description of the step in the template.';
comment on column tasker.wait_details.due_at is
  'The time that ends the wait. Null if only a signal or an event ends it.';
comment on column tasker.wait_details.await is
  'The alternatives that end the wait, as in the template: signals with the schema of their payload, events, times.';
comment on column tasker.wait_details.event_keys is
  'The keys of the events, in the order of the column events. The key of an event without a key is the empty text.';
-- <<<

-- >>> db/schema/functions/features/waits/private/check_signal.sql
create or replace function tasker.check_signal(p_name text, p_payload jsonb, p_idempotency_key text)
  returns void
  language plpgsql
  stable
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_limit integer := tasker.setting_integer('result_bytes');
begin
  if p_name is null or p_name !~ '^[a-zA-Z0-9][a-zA-Z0-9_.:-]{0,127}$' then
    raise exception using
      errcode = 'TK422',
      message = format('"%s" is no name of a signal', coalesce(left(p_name, 100), 'null')),
      hint    = 'A letter or digit, then at most 127 of these, underscores, dots, colons and hyphens.';
  elsif p_payload is null then
    raise exception using
      errcode = 'TK422',
      message = format('signal "%s" has no payload', p_name),
      hint    = 'Give {} if there is nothing to say.';
  elsif length(p_idempotency_key) = 0 then
    raise exception using
      errcode = 'TK422',
      message = format('the idempotency key of signal "%s" is empty', p_name),
      hint    = 'Give what makes two deliveries the same signal, such as the number of the webhook, or null.';
  end if;
  perform tasker.check_text_size('idempotency key', p_idempotency_key, 1000);
  if octet_length(p_payload::text) > v_limit then
    raise exception using
      errcode = 'TK413',
      message = format('the payload of signal "%s" is too large', p_name),
      detail  = format('It has %s bytes, the limit is %s.', octet_length(p_payload::text), v_limit),
      hint    = 'Store large data elsewhere and send a reference, or raise the setting "result_bytes".';
  end if;
  perform tasker.check_depth(format('payload of signal "%s"', p_name), p_payload);
end;
$$;

comment on function tasker.check_signal is
$$Raises TK422 for a signal without a valid name, without a payload, with an empty idempotency key, or with a payload nested deeper than 1,000 levels. Raises TK413 if the payload or the key is too large.$$;
-- <<<

-- >>> db/schema/functions/features/waits/private/find_taker.sql
create or replace function tasker.find_taker(p_signal tasker.task_signals)
  returns integer
  language plpgsql
  stable
as $$
declare
  v_taker    integer;
  v_waits    integer;
  v_allowed  integer;
  v_fits     integer;
  v_assignee text;
  v_problem  text;
begin
  -- Steps that will wait later count, too. So a signal that none of these steps can take is refused at once, and its
  -- sender gets the error.
  select
    min(s.step_no) filter (
      where s.state = 'suspended' and tasker.takes_signal(s.await, p_signal.name, p_signal.payload, p_signal.sent_by)
    ),
    count(*),
    count(*) filter (where s.allowed),
    count(*) filter (where s.problem is null),
    min(s.await ->> 'assignee') filter (where not s.allowed),
    min(s.problem)
    into v_taker, v_waits, v_allowed, v_fits, v_assignee, v_problem
    from (
      select
        s.step_no, s.state, w.await,
        tasker.may_answer(w.await ->> 'assignee', p_signal.sent_by) as allowed,
        tasker.payload_problem(a.value -> 'schema', p_signal.payload, 'payload') as problem
        from tasker.workflow_steps as s
       cross join lateral (
         select case when s.state = 'suspended' then tasker.step_wait(s.await, s.wait, s.claim_no) else s.await end as await
       ) as w
       cross join lateral jsonb_array_elements(w.await -> 'any') as a (value)
       where s.task_uuid = p_signal.task_uuid
         and w.await is not null
         and s.state in ('pending', 'suspended')
         and a.value ->> 'signal' = p_signal.name
    ) as s;

  if v_waits > 0 and v_allowed = 0 then
    raise exception using
      errcode = 'TK403',
      message = format('signal "%s" is for %s to send', p_signal.name, v_assignee),
      detail  = format('The caller is "%s", which is not a member of that role.', p_signal.sent_by),
      hint    = format('Call as a member of "%s".', v_assignee);
  elsif v_waits > 0 and v_fits = 0 then
    raise exception using
      errcode = 'TK422',
      message = format('signal "%s": %s', p_signal.name, left(v_problem, 500)),
      hint    = 'tasker.list_waits() shows the schema of the payload that a step waits for.';
  end if;
  return v_taker;
end;
$$;

comment on function tasker.find_taker is
$$Returns the step that takes a signal: the waiting step with the lowest number, or null if no step takes it. If steps of the task wait or will wait for this signal, raises TK403 if the sender is the assignee of none of them, TK422 if the payload fits the schema of none of them. The cost is linear in the task's steps. The caller holds the task's lock.$$;
-- <<<

-- >>> db/schema/functions/features/waits/private/deliver_signal.sql
create or replace function tasker.deliver_signal(
  p_task_uuid        uuid,
  p_name             text,
  p_payload          jsonb,
  p_idempotency_key  text,
  p_created          boolean
)
  returns tasker.signal_answers
  language plpgsql
as $$
declare
  v_task   tasker.task_facts := tasker.lock_task_facts(p_task_uuid);
  v_signal tasker.task_signals;
  v_answer tasker.signal_answers;
  v_taker  integer;
begin
  if v_task.task_uuid is null then
    perform tasker.raise_task_not_found(p_task_uuid);
  end if;
  v_answer.task_uuid := p_task_uuid;
  v_answer.created := p_created;

  -- Look up the key even if the task has ended, because a webhook may repeat a signal that ended its task long ago.
  select g.*
    into v_signal
    from tasker.task_signals as g
   where g.task_uuid = p_task_uuid
     and g.idempotency_key = p_idempotency_key;
  if found then
    v_answer.signal_no := v_signal.signal_no;
    v_answer.answer := 'repeated';
    v_answer.step_uuid := tasker.step_uuid(p_task_uuid, v_signal.step_no);
    return v_answer;
  end if;
  if v_task.state in ('complete', 'error', 'cancelled', 'resolved_manually') then
    v_answer.signal_no := 0;
    v_answer.answer := 'ended';
    return v_answer;
  end if;

  v_signal.task_uuid := p_task_uuid;
  v_signal.signal_no := coalesce((
    select g.signal_no
      from tasker.task_signals as g
     where g.task_uuid = p_task_uuid
     order by g.signal_no desc
     limit 1
  ), 0) + 1;
  v_signal.name := p_name;
  v_signal.payload := p_payload;
  v_signal.idempotency_key := p_idempotency_key;
  v_signal.sent_by := tasker.caller_name();
  v_signal.sent_at := tasker.write_clock();
  if v_signal.signal_no > 65535 then
    raise exception using
      errcode = 'TK409',
      message = format('task %s has 65,535 signals already', p_task_uuid),
      hint    = 'A task is not a queue: create a task for each message.';
  end if;
  perform tasker.judge_payload(p_task_uuid, v_task.named_task_uuid, p_name, p_payload);
  v_taker := tasker.find_taker(v_signal);
  insert into tasker.task_signals select (v_signal).*;

  v_answer.signal_no := v_signal.signal_no;
  v_answer.answer := case when v_taker is null then 'kept'::tasker.delivery else 'delivered' end;
  if v_taker is not null then
    v_answer.step_uuid := tasker.step_uuid(p_task_uuid, v_taker);
    perform tasker.apply_move(tasker.consume_signal(v_signal, v_taker), v_task);
  end if;
  return v_answer;
end;
$$;

comment on function tasker.deliver_signal is
$$Writes a signal to a task. If a step waits for the signal, ends the wait and applies all moves that follow. A task that has ended takes no signal. Waits for the task's lock; the order of the locks is the order of the signals.$$;
-- <<<

-- >>> db/schema/functions/features/waits/private/task_of_key.sql
create or replace function tasker.task_of_key(p_namespace text, p_name text, p_key text, p_version text)
  returns uuid
  language plpgsql
  stable
as $$
declare
  v_template tasker.creation_templates := tasker.find_template(p_namespace, p_name, p_version);
begin
  if v_template.identity_strategy <> 'caller_provided' then
    raise exception using
      errcode = 'TK422',
      message = format('tasks of template "%s/%s" have no identity key', p_namespace, p_name),
      detail  = format('Its identity strategy is %s.', v_template.identity_strategy),
      hint    = 'Use tasker.send_signal(task, …), or register the template with identity_strategy "caller_provided".';
  elsif p_key is null or length(p_key) not between 1 and 1000 then
    raise exception using
      errcode = 'TK422',
      message = format('a signal to a task of template "%s/%s" needs the task''s identity key', p_namespace, p_name),
      detail  = 'A key has 1 to 1,000 characters.',
      hint    = 'Give the key with which the task is created, such as an order''s number.';
  end if;

  return (
    select i.task_uuid
      from tasker.task_identities as i
     where i.identity_hash = tasker.task_identity('caller_provided', p_namespace, p_name, null, null, p_key)
       and (i.expires_at is null or i.expires_at > tasker.clock())
       and exists (select from tasker.tasks as t where t.task_uuid = i.task_uuid)
  );
end;
$$;

comment on function tasker.task_of_key is
$$Returns the task that has this identity key, or null if there is no such task. Raises TK404 for an unknown template, TK410 for a retired version, TK422 without a key, or for a template with another identity strategy than caller_provided.$$;
-- <<<

-- >>> db/schema/functions/features/waits/send_signal.sql
create or replace function tasker.send_signal(
  p_task_uuid        uuid,
  p_name             text,
  p_payload          jsonb  default '{}',
  p_idempotency_key  text   default null
)
  returns setof tasker.signal_answers
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
begin
  p_payload := coalesce(p_payload, '{}');
  perform tasker.check_bound(p_task_uuid);
  perform tasker.check_isolation();
  perform tasker.check_signal(p_name, p_payload, p_idempotency_key);
  return next tasker.deliver_signal(p_task_uuid, p_name, p_payload, p_idempotency_key, false);
exception
  when lock_not_available then
    perform tasker.raise_task_locked(p_task_uuid);
end;
$$;

comment on function tasker.send_signal is
$$Sends a signal to a task. A step that waits for the signal takes it and is complete, and this transaction moves the task on to the next steps with a handler. The answer is then "delivered". If no step waits for the signal yet, it is kept for the first step that waits for it, and the answer is "kept". Only one step takes a signal. If several steps wait for the same name, the step with the lowest number takes the signal.

A task that has ended takes no signal. The answer is then "ended", and the call changes nothing. A failed task takes signals again after tasker.reset_task. The answer to a known idempotency key is repeated, even after the task has ended. Without an idempotency key each call sends another signal. Two alternatives of a wait may name the same signal with different conditions ("when"). A signal whose payload fits no condition is kept.

Locks the task, then the steps that change their state. Raises TK404 if there is no such task, TK409 if the task has 65,535 signals, above READ COMMITTED, or if another session keeps the task locked for 5 seconds, TK413 if the payload is larger than the setting "result_bytes" or the key is longer than 1,000 characters, TK422 if the name is malformed, or the payload is null or does not fit the schema of the waits for this signal, TK403 if the caller does not have the assignee's role or is bound to other namespaces.$$;

grant execute on function tasker.send_signal
  to tasker_submitter, tasker_worker, tasker_orchestrator, tasker_operator;
-- <<<

-- >>> db/schema/functions/features/waits/send_signal_by_key.sql
create or replace function tasker.send_signal_by_key(
  p_namespace        text,
  p_task_name        text,
  p_identity_key     text,
  p_name             text,
  p_payload          jsonb    default '{}',
  p_idempotency_key  text     default null,
  p_start            boolean  default false,
  p_context          jsonb    default '{}',
  p_version          text     default null,
  p_priority         integer  default null,
  p_tags             text[]   default null,
  p_initiator        text     default null,
  p_headers          jsonb    default null,
  p_identity_scope   text     default null
)
  returns setof tasker.signal_answers
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
  v_task     uuid;
  v_open     boolean;
  v_request  tasker.task_requests;
  v_creation tasker.task_creations;
  v_answer   tasker.signal_answers;
begin
  p_payload := coalesce(p_payload, '{}');
  p_context := coalesce(p_context, '{}');
  perform tasker.check_bound_namespaces(array[p_namespace]);
  perform tasker.check_isolation();
  perform tasker.check_signal(p_name, p_payload, p_idempotency_key);
  if p_identity_scope not in ('forever', 'open') then
    raise exception using
      errcode = 'TK422',
      message = format('the identity scope of a task that a signal starts cannot be "%s"', left(p_identity_scope, 100)),
      hint    = 'It is forever or open; null is the scope with which the key''s last task was created.';
  end if;
  v_task := tasker.task_of_key(p_namespace, p_task_name, p_identity_key, p_version);

  if v_task is not null and coalesce(p_start, false) then
    v_open := coalesce(
      p_identity_scope = 'open',
      (select bool_or(i.while_open) from tasker.task_identities as i where i.task_uuid = v_task)
    );
    if v_open then
      v_answer := tasker.deliver_signal(v_task, p_name, p_payload, p_idempotency_key, false);
      if v_answer.answer <> 'ended' then
        return next v_answer;
        return;
      end if;
      v_task := null; -- The task has ended, perhaps just now, and its key is free.
    end if;
  end if;

  if v_task is null and coalesce(p_start, false) then
    begin
      v_request.namespace := p_namespace;
      v_request.name := p_task_name;
      v_request.contexts := array[p_context];
      v_request.version := p_version;
      v_request.identity_keys := array[p_identity_key];
      v_request.priority := p_priority;
      v_request.tags := p_tags;
      v_request.initiator := p_initiator;
      v_request.headers := p_headers;
      v_request.identity_scope := case when coalesce(v_open, p_identity_scope = 'open') then 'open' end;
      v_creation := (tasker.make_tasks(v_request))[1];
      v_task := v_creation.task_uuid;
    exception
      -- Another session has just created the task, with another context. The signal is for that task.
      when sqlstate 'TK409' then
        v_task := tasker.task_of_key(p_namespace, p_task_name, p_identity_key, p_version);
        -- A task with this context would have been found, so the conflict has another cause.
        if not exists (select from tasker.tasks as t where t.task_uuid = v_task and t.context <> p_context) then
          raise;
        end if;
    end;
  end if;
  if v_task is null then
    raise exception using
      errcode = 'TK404',
      message = format(
        'no task of template "%s/%s" has identity key "%s"', p_namespace, p_task_name, left(p_identity_key, 100)
      ),
      hint    = 'Create the task first, or give p_start => true: then the signal creates it.';
  end if;

  return next tasker.deliver_signal(v_task, p_name, p_payload, p_idempotency_key, coalesce(v_creation.created, false));
exception
  when lock_not_available then
    perform tasker.raise_task_locked(v_task);
end;
$$;

comment on function tasker.send_signal_by_key is
$$Sends a signal to the task that was created with this identity key, as tasker.send_signal does. With p_start, a task that does not exist is created first, with p_context, p_version, p_priority, p_tags, p_initiator and p_headers. So a webhook that comes before its task is not lost. These arguments are ignored if the task exists. With the identity scope "open", a task that has ended counts as absent, as for tasker.create_task, and the signal starts the key's next task. If the ended task already had the signal, its answer is repeated and no task starts. p_identity_scope is by default the scope of the key's last task.

The template's identity strategy must be caller_provided. Locks the identity if it creates the task, then the task, then the steps that change their state. Raises the errors of tasker.send_signal and, with p_start, of tasker.create_task. Raises TK404 if there is no such task and p_start is false, TK422 without a key or for a template with another identity strategy.$$;

grant execute on function tasker.send_signal_by_key to tasker_submitter, tasker_worker, tasker_orchestrator, tasker_operator;
-- <<<

-- >>> db/schema/functions/features/waits/get_step_wait.sql
create or replace function tasker.get_step_wait(p_step_uuid uuid)
  returns setof tasker.wait_details
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
  perform tasker.check_bound(p_step_uuid);
  perform tasker.check_step_exists(p_step_uuid);
  return query
  select
    s.workflow_step_uuid, s.task_uuid, s.step_no, n.name, k.name, k.version, s.name,
    (
      select e.value ->> 'description'
        from jsonb_array_elements(k.configuration -> 'steps') as e (value)
       where e.value ->> 'name' = s.name
       limit 1
    ),
    tasker.wait_since(s.wait, s.moved_at), m.due_at, coalesce(s.wait ->> 'on_timeout', 'complete'), s.wait ->> 'assignee',
    array(
      select distinct a.value ->> 'signal' as signal
        from jsonb_array_elements(s.wait -> 'any') as a (value)
       where a.value ? 'signal'
       order by signal
    ),
    s.wait -> 'any', t.tags, t.initiator,
    array(
      select a.value ->> 'event'
        from jsonb_array_elements(s.wait -> 'any') with ordinality as a (value, no)
       where a.value ? 'event'
         and tasker.event_key(a.value ->> 'key', t.context) is not null
       order by a.no
    ),
    array(
      select tasker.event_key(a.value ->> 'key', t.context)
        from jsonb_array_elements(s.wait -> 'any') with ordinality as a (value, no)
       where a.value ? 'event'
         and tasker.event_key(a.value ->> 'key', t.context) is not null
       order by a.no
    )
  from (
    select s.task_uuid, s.step_no, s.workflow_step_uuid, s.name, s.moved_at, tasker.step_wait(s.await, s.wait, s.claim_no) as wait
      from tasker.workflow_steps as s
     where s.task_uuid = tasker.task_uuid_of(p_step_uuid)
       and s.step_no = tasker.step_no_of(p_step_uuid)
       and s.state = 'suspended'
    offset 0
  ) as s
  join tasker.tasks as t
    on t.task_uuid = s.task_uuid
  join tasker.named_tasks as k
    on k.named_task_uuid = t.named_task_uuid
  join tasker.task_namespaces as n
    on n.task_namespace_uuid = k.task_namespace_uuid
  left join lateral (
    select m.due_at
      from tasker.timers as m
     where m.task_uuid = s.task_uuid
       and m.step_no = s.step_no
       and m.kind = 'end_wait'
    offset 0
  ) as m
    on true
  where s.wait ? 'any';
end;
$$;

comment on function tasker.get_step_wait is
$$Returns the wait of a suspended step as one row, with signals, events and times. The wait is the field await of the step
in its template, or the wait that the step's durable function asked for. A step whose function has changed waits for the
signal "$diverged", which is never sent. Returns no row if the step does not wait, or waits only for its child task.

Raises TK404 if there is no such step, TK403 if the caller is bound to other namespaces.$$;

grant execute on function tasker.get_step_wait
  to tasker_submitter, tasker_worker, tasker_orchestrator, tasker_operator, tasker_reader;
-- <<<

-- >>> db/schema/functions/features/waits/list_signals.sql
create or replace function tasker.list_signals(p_task_uuid uuid, p_after integer default 0, p_limit integer default 1000)
  returns setof tasker.signal_details
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
  p_limit := coalesce(p_limit, 1000);
  perform tasker.check_bound(p_task_uuid);
  perform tasker.check_limit(p_limit, 65535);
  perform tasker.check_task_exists(p_task_uuid);
  return query
  select
    g.task_uuid, g.signal_no, g.name, g.payload, g.idempotency_key, g.sent_by, g.sent_at, g.step_no is not null,
    s.workflow_step_uuid, s.name, g.consumed_at
  from tasker.task_signals as g
  left join lateral (
    select s.workflow_step_uuid, s.name
      from tasker.workflow_steps as s
     where s.task_uuid = g.task_uuid
       and s.step_no = g.step_no
    offset 0
  ) as s
    on true
  where g.task_uuid = p_task_uuid
    and g.signal_no > coalesce(p_after, 0)
  order by g.signal_no
  limit p_limit;
end;
$$;

comment on function tasker.list_signals is
$$Returns the signals that were sent to a task, in the order in which they were sent, each with the step that took it. The column "consumed" is false for a signal that no step has taken. The last signal_no of a page is p_after of the next page.

Raises TK404 if there is no such task, TK422 for a limit out of range, TK403 if the caller is bound to other namespaces.$$;

grant execute on function tasker.list_signals
  to tasker_submitter, tasker_worker, tasker_orchestrator, tasker_operator, tasker_reader;
-- <<<

-- >>> db/schema/functions/features/waits/private/check_wait_filters.sql
create or replace function tasker.check_wait_filters(
  p_task_name    text,
  p_signal       text,
  p_event        text,
  p_assignee     text,
  p_older_than   interval,
  p_after_since  timestamptz,
  p_after_step   uuid
)
  returns void
  language plpgsql
  stable
as $$
begin
  perform tasker.check_text_size('name of a template', p_task_name, 64);
  perform tasker.check_text_size('name of a signal', p_signal, 128);
  perform tasker.check_text_size('name of an event', p_event, 128);
  perform tasker.check_text_size('assignee', p_assignee, 200);
  perform tasker.check_instant('time after which a page begins', p_after_since);
  if p_older_than is not null then
    perform tasker.check_period('age of a wait', p_older_than);
    if p_older_than < interval '0' then
      raise exception using
        errcode = 'TK422',
        message = format('an age of %s is below zero', p_older_than),
        hint    = 'Give how long a step has waited at least.';
    end if;
  end if;
  if (p_after_since is null) <> (p_after_step is null) then
    raise exception using
      errcode = 'TK422',
      message = 'a page begins after a wait: p_after_since and p_after_step come together',
      hint    = 'Give waiting_since and step_uuid of the last row of the page before.';
  end if;
end;
$$;

comment on function tasker.check_wait_filters is
$$Checks the filters of tasker.list_waits. Raises TK422 for a filter out of range, TK413 for a text that is too long.$$;
-- <<<

-- >>> db/schema/functions/features/waits/private/first_wait_no.sql
create or replace function tasker.first_wait_no(p_task_uuid uuid, p_step_no integer, p_event text)
  returns integer
  language plpgsql
  stable
as $$
begin
  return (
    select min(w.wait_no)
      from tasker.waits as w
     where w.task_uuid = p_task_uuid
       and w.step_no = p_step_no
       and w.event = p_event
  );
end;
$$;

comment on function tasker.first_wait_no is
$$Returns the lowest wait number of a step for an event of this name, or null if the step waits for no such event.$$;
-- <<<

-- >>> db/schema/functions/features/waits/list_waits.sql
create or replace function tasker.list_waits(
  p_namespace    text         default null,
  p_task_name    text         default null,
  p_signal       text         default null,
  p_assignee     text         default null,
  p_older_than   interval     default null,
  p_after_since  timestamptz  default null,
  p_after_step   uuid         default null,
  p_limit        integer      default 100,
  p_event        text         default null,
  p_task_uuid    uuid         default null
)
  returns setof tasker.wait_details
  language plpgsql
  stable
  security definer
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_bound  text[] := tasker.bound_namespaces();
  v_before timestamptz;
begin
  p_limit := coalesce(p_limit, 100);
  perform tasker.check_bound_namespaces(array[p_namespace]);
  perform tasker.check_limit(p_limit, 10000);
  perform tasker.check_wait_filters(p_task_name, p_signal, p_event, p_assignee, p_older_than, p_after_since, p_after_step);
  v_before := tasker.clock() - p_older_than;
  -- The query is planned for the given filters: the index of the signal, of the assignee or of the namespace.
  return query
  select
    tasker.step_uuid(w.task_uuid, w.step_no), w.task_uuid, w.step_no, w.namespace, k.name, k.version, s.name,
    d.description, w.waiting_since, w.due_at, case when w.due_at is null or s.await ? 'timeout' then coalesce(s.await ->> 'on_timeout', 'complete') else 'complete' end, w.assignee, g.signals, s.await -> 'any',
    t.tags, t.initiator, g.events, g.event_keys
  from (
    select w.*
      from tasker.waits as w
     where (p_namespace is null or w.namespace = p_namespace)
       and (v_bound is null or w.namespace = any (v_bound))
       and case
         when p_signal is not null then w.signal = p_signal
         when p_event is not null then w.event = p_event
         else w.first and w.signal is distinct from '$diverged'
       end
       and (
         p_event is null
         or case
           when p_signal is null then w.wait_no = tasker.first_wait_no(w.task_uuid, w.step_no, p_event)
           else tasker.first_wait_no(w.task_uuid, w.step_no, p_event) is not null
         end
       )
       and (p_assignee is null or w.assignee = p_assignee)
       and (p_task_uuid is null or w.task_uuid = p_task_uuid)
       and (v_before is null or w.waiting_since <= v_before)
       and (
         p_task_name is null
         or w.named_task_uuid in (select k.named_task_uuid from tasker.named_tasks as k where k.name = p_task_name)
       )
       and (
         p_after_since is null
         or (w.waiting_since, w.task_uuid, w.step_no)
              > (p_after_since, tasker.task_uuid_of(p_after_step), tasker.step_no_of(p_after_step))
       )
     order by w.waiting_since, w.task_uuid, w.step_no
     limit p_limit
  ) as w
  join tasker.named_tasks as k
    on k.named_task_uuid = w.named_task_uuid
  cross join lateral (
    select s.name, tasker.step_wait(s.await, s.wait, s.claim_no) as await
      from tasker.workflow_steps as s
     where s.task_uuid = w.task_uuid
       and s.step_no = w.step_no
    offset 0
  ) as s
  cross join lateral (
    select t.tags, t.initiator
      from tasker.tasks as t
     where t.task_uuid = w.task_uuid
    offset 0
  ) as t
  cross join lateral (
    select
      coalesce(array_agg(o.signal order by o.signal) filter (where o.signal is not null), '{}') as signals,
      coalesce(array_agg(o.event order by o.wait_no) filter (where o.event is not null), '{}') as events,
      coalesce(array_agg(o.event_key order by o.wait_no) filter (where o.event is not null), '{}') as event_keys
      from tasker.waits as o
     where o.task_uuid = w.task_uuid
       and o.step_no = w.step_no
  ) as g
  left join lateral (
    select e.value ->> 'description' as description
      from jsonb_array_elements(k.configuration -> 'steps') as e (value)
     where e.value ->> 'name' = s.name
     limit 1
  ) as d
    on true
  order by w.waiting_since, w.task_uuid, w.step_no;
end;
$$;

comment on function tasker.list_waits is
$$Returns the inbox: the steps that wait for a signal or an event and match all given filters, the longest waiting first. The filters are namespace, template, signal, assignee, minimum age, event and task. Null is no filter. Steps that only wait for a time are not listed. Steps whose function has changed are listed if p_signal is "$diverged", a signal that is never sent. A bound caller sees its namespaces only.

The next page begins after the last row of this page: p_after_since is the waiting_since of that row, p_after_step its step_uuid. Returns at most p_limit rows; p_limit is at most 10,000. Raises TK422 for an argument out of range, TK413 for a text that is too long, TK403 if the caller is bound to other namespaces.$$;

grant execute on function tasker.list_waits
  to tasker_submitter, tasker_worker, tasker_orchestrator, tasker_operator, tasker_reader;
-- <<<

-- >>> db/schema/rows/features/broadcasts/emitted_events.sql
create or replace view tasker.emitted_events as
select
  '00000000-0000-0000-0000-000000000000'::uuid as event_uuid,
  false::boolean as repeated
where false;

comment on view tasker.emitted_events is
  'Row type: an event that was emitted.';
comment on column tasker.emitted_events.repeated is
  'True if an earlier call used the same idempotency key. The call then changed nothing, and event_uuid is the event of the earlier call.';
-- <<<

-- >>> db/schema/rows/features/broadcasts/broadcast_details.sql
create or replace view tasker.broadcast_details as
select
  '00000000-0000-0000-0000-000000000000'::uuid as event_uuid,
  ''::text as namespace,
  ''::text as name,
  ''::text as key,
  '{}'::jsonb as payload,
  null::text as idempotency_key,
  ''::text as sent_by,
  '-infinity'::timestamptz as sent_at,
  null::timestamptz as delivered_at,
  0::bigint as receivers,
  0::bigint as busy_receivers
where false;

comment on view tasker.broadcast_details is
  'Row type: a kept event and the progress of its delivery.';
comment on column tasker.broadcast_details.delivered_at is
  'The time when all waiting steps had received the event. Null if some steps have not received it yet.';
comment on column tasker.broadcast_details.receivers is
  'The number of steps that have taken the event so far.';
comment on column tasker.broadcast_details.busy_receivers is
  'The number of steps to which the event will be delivered again, because another transaction held their task.';
-- <<<

-- >>> db/schema/rows/features/broadcasts/broadcast_health.sql
create or replace view tasker.broadcast_health as
select
  ''::text as namespace_name,
  0::bigint as kept_events,
  0::bigint as undelivered_events,
  0::double precision as oldest_undelivered_seconds,
  0::bigint as busy_receivers,
  0::bigint as waits
where false;

comment on view tasker.broadcast_health is
  'Row type: the events of a namespace that tasker.emit_event has sent, and the steps that wait for events.';
comment on column tasker.broadcast_health.kept_events is
  'The number of kept events. The count stops at 100,000.';
comment on column tasker.broadcast_health.undelivered_events is
  'The number of kept events that at least one waiting step has not received yet.';
comment on column tasker.broadcast_health.oldest_undelivered_seconds is
  'The seconds since the oldest undelivered event was emitted, 0 if there is none.';
comment on column tasker.broadcast_health.busy_receivers is
  'The number of deliveries that will be repeated, because another transaction held the step''s task.';
comment on column tasker.broadcast_health.waits is
  'The number of waits for events. Each alternative of a step counts as one wait. The count stops at 100,000.';
-- <<<

-- >>> db/schema/rows/features/broadcasts/event_matches.sql
create or replace view tasker.event_matches as
select
  '00000000-0000-0000-0000-000000000000'::uuid as task_uuid,
  0::integer as step_no,
  '00000000-0000-0000-0000-000000000000'::uuid as event_uuid,
  false::boolean as function
where false;

comment on view tasker.event_matches is
  'Row type: a waiting step, and the event that the step takes.';
comment on column tasker.event_matches.function is
  'Whether the step runs a durable function, which continues after the event. False if the step has no handler and only waits.';
-- <<<

-- >>> db/schema/functions/features/broadcasts/private/check_event.sql
create or replace function tasker.check_event(p_name text, p_key text, p_payload jsonb, p_idempotency_key text)
  returns void
  language plpgsql
  stable
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_limit integer := tasker.setting_integer('event_bytes');
begin
  if p_name is null or p_name !~ '^[a-zA-Z0-9][a-zA-Z0-9_.:-]{0,127}$' then
    raise exception using
      errcode = 'TK422',
      message = format('"%s" is no name of an event', coalesce(left(p_name, 100), 'null')),
      hint    = 'A letter or digit, then at most 127 of these, underscores, dots, colons and hyphens.';
  elsif p_payload is null then
    raise exception using
      errcode = 'TK422',
      message = format('event "%s" has no payload', p_name),
      hint    = 'Give {} if there is nothing to say.';
  elsif p_key ~ '^\$([.\[]|$)' then
    raise exception using
      errcode = 'TK422',
      message = format('the key "%s" of event "%s" is a path', left(p_key, 100), p_name),
      detail  = 'A path of the context, such as $.order, belongs to the steps that wait; an event has the value that the path leads to.',
      hint    = 'Give the key itself, such as the number of the order.';
  elsif length(p_idempotency_key) = 0 then
    raise exception using
      errcode = 'TK422',
      message = format('the idempotency key of event "%s" is empty', p_name),
      hint    = 'Give what makes two calls the same event, such as the number of the webhook, or null.';
  end if;
  perform tasker.check_text_size('key of an event', p_key, 500);
  perform tasker.check_text_size('idempotency key', p_idempotency_key, 500);
  if octet_length(p_payload::text) > v_limit then
    raise exception using
      errcode = 'TK413',
      message = format('the payload of event "%s" is too large', p_name),
      detail  = format('It has %s bytes, the limit is %s.', octet_length(p_payload::text), v_limit),
      hint    = 'Each step that takes the event gets a copy: store large data elsewhere and send a reference, or raise the setting "event_bytes".';
  end if;
  perform tasker.check_depth(format('payload of event "%s"', p_name), p_payload);
end;
$$;

comment on function tasker.check_event is
$$Raises TK422 for an event without a name or payload, with a path as its key, with an empty idempotency key, or with a payload nested deeper than 1,000 levels. Raises TK413 if the payload or a key is too large.$$;
-- <<<

-- >>> db/schema/functions/features/broadcasts/private/match_events.sql
create or replace function tasker.match_events(p_task_uuids uuid[], p_step_nos integer[], p_until uuid)
  returns setof tasker.event_matches
  language plpgsql
  stable
as $$
begin
  return query
  select s.task_uuid, s.step_no, e.event_uuid, s.function
    from unnest(p_task_uuids, p_step_nos) as u (task_uuid, step_no)
   cross join lateral (
     select s.task_uuid, s.step_no, s.await is null as function, tasker.step_wait(s.await, s.wait, s.claim_no) as await
       from tasker.workflow_steps as s
      where s.task_uuid = u.task_uuid
        and s.step_no = u.step_no
        and s.state = 'suspended'
     offset 0
   ) as s
   cross join lateral (
     select b.event_uuid
       from tasker.waits as w
      cross join lateral (
        select b.event_uuid, b.sent_at
          from tasker.broadcasts as b
         where b.namespace = w.namespace
           and b.name = w.event
           and b.key = w.event_key
           and b.sent_at >= w.counts_from
           and (
             p_until is null
             or b.delivered_at is null
                and (b.sent_at, b.event_uuid) <= (select e.sent_at, e.event_uuid from tasker.broadcasts as e where e.event_uuid = p_until)
           )
           and tasker.condition_holds(tasker.stored_path(s.await -> 'any' -> (w.wait_no - 1) ->> 'when'), b.payload)
           and not exists (
             select
               from tasker.broadcast_receipts as r
              where r.event_uuid = b.event_uuid
                and r.task_uuid = w.task_uuid
                and r.step_no = w.step_no
           )
         order by b.sent_at, b.event_uuid
         limit 1
      ) as b
      where w.task_uuid = s.task_uuid
        and w.step_no = s.step_no
        and w.event is not null
      order by b.sent_at, b.event_uuid
      limit 1
   ) as e
   -- A wait that has not been matched with the kept events yet gets no new event: match_waits first gives it the oldest
   -- kept event.
   where p_until is null
      or not exists (
        select
          from tasker.timers as m
         where m.task_uuid = u.task_uuid
           and m.step_no = u.step_no
           and m.kind = 'match_wait'
      )
   order by s.task_uuid, s.step_no;
end;
$$;

comment on function tasker.match_events is
$$Returns the event that each of these steps takes: the oldest event that matches the step's wait, that the step has not received before and whose payload fits. A wait that finds a kept event and an event that finds a wait use the same rule. When a wait has begun, p_until is null and all kept events count. When event p_until is delivered, an event counts only if it is not later than p_until and its delivery has not ended.

The caller holds the tasks' locks. Its snapshot is later than the commit of the transaction that wrote the wait or the event.$$;
-- <<<

-- >>> db/schema/functions/features/broadcasts/private/receive_events.sql
create or replace function tasker.receive_events(p_matches tasker.event_matches[], p_processor uuid)
  returns void
  language plpgsql
as $$
declare
  v_moves tasker.step_moves[] := '{}';
  v_one   record;
  v_ended jsonb;
begin
  if cardinality(p_matches) = 0 then
    return;
  end if;
  insert into tasker.broadcast_receipts (event_uuid, task_uuid, step_no, received_at)
  select m.event_uuid, m.task_uuid, m.step_no, tasker.write_clock()
    from unnest(p_matches) as m;
  for v_one in
    select m.task_uuid, m.step_no, m.function, b.event_uuid, b.name, b.key, b.payload, b.sent_by, b.sent_at
      from unnest(p_matches) as m
     cross join lateral (
       select b.*
         from tasker.broadcasts as b
        where b.event_uuid = m.event_uuid
       offset 0
     ) as b
     order by m.task_uuid, m.step_no
  loop
    v_ended := jsonb_build_object('key', v_one.key, 'event_uuid', v_one.event_uuid)
      || tasker.sent_answer(v_one.name, v_one.payload, v_one.sent_at);
    v_moves := v_moves || tasker.ended_wait(
      v_one.task_uuid, v_one.step_no, 'event', 'complete', v_ended, format('event "%s"', v_one.name), v_one.sent_by, v_one.function
    );
  end loop;
  perform tasker.apply_moves(
    v_moves, tasker.task_facts(array(select distinct m.task_uuid from unnest(v_moves) as m order by m.task_uuid)), p_processor
  );
end;
$$;

comment on function tasker.receive_events is
$$Gives steps the events that they take: writes the receipts, ends the waits, and applies all moves that follow. The caller holds the tasks' locks, and has found the matches under these locks.$$;
-- <<<

-- >>> db/schema/functions/features/broadcasts/private/match_waits.sql
create or replace function tasker.match_waits(p_task_uuids uuid[], p_step_nos integer[], p_processor uuid)
  returns void
  language plpgsql
as $$
begin
  delete from tasker.timers as m
   using unnest(p_task_uuids, p_step_nos) as u (task_uuid, step_no)
   where m.task_uuid = any (array[u.task_uuid])
     and m.step_no = u.step_no
     and m.kind = 'match_wait';
  perform tasker.receive_events(
    array(select m from tasker.match_events(p_task_uuids, p_step_nos, null) as m), p_processor
  );
end;
$$;

comment on function tasker.match_waits is
$$Matches steps that have begun to wait with the kept events. The caller holds the tasks' locks and the notes, which another transaction has written and committed. An event that this call does not see commits later, and its delivery sees the wait.$$;
-- <<<

-- >>> db/schema/functions/features/broadcasts/private/postpone_receivers.sql
create or replace function tasker.postpone_receivers(
  p_event_uuid  uuid,
  p_task_uuids  uuid[],
  p_step_nos    integer[],
  p_locked      uuid[],
  p_due_at      timestamptz
)
  returns void
  language plpgsql
as $$
begin
  if exists (select from unnest(p_task_uuids) as u (task_uuid) where u.task_uuid <> all (p_locked)) then
    insert into tasker.broadcast_retries (event_uuid, task_uuid, step_no, due_at)
    select distinct p_event_uuid, u.task_uuid, u.step_no, p_due_at
      from unnest(p_task_uuids, p_step_nos) as u (task_uuid, step_no)
     where u.task_uuid <> all (p_locked)
    on conflict (event_uuid, task_uuid, step_no) do update
       set due_at = excluded.due_at;
  end if;
end;
$$;

comment on function tasker.postpone_receivers is
$$Writes that the delivery of an event to these steps is tried again at p_due_at, except for steps of the tasks in p_locked.$$;
-- <<<

-- >>> db/schema/functions/features/broadcasts/private/end_delivery.sql
create or replace function tasker.end_delivery(p_event_uuid uuid)
  returns timestamptz
  language plpgsql
as $$
declare
  v_retry timestamptz := (
    select r.due_at from tasker.broadcast_retries as r where r.event_uuid = p_event_uuid order by r.due_at limit 1
  );
begin
  if v_retry is null then
    delete from tasker.timers as m
     where m.task_uuid = p_event_uuid
       and m.step_no = 0
       and m.kind = 'deliver_event';
    return tasker.write_clock();
  end if;
  update tasker.timers as m
     set due_at = v_retry
   where m.task_uuid = p_event_uuid
     and m.step_no = 0
     and m.kind = 'deliver_event';
  return null;
end;
$$;

comment on function tasker.end_delivery is
$$Deletes the note of an event that was delivered to all steps, and returns the time. If some deliveries are to be tried again, postpones the note until the first of these tries, and returns null.$$;
-- <<<

-- >>> db/schema/functions/features/broadcasts/private/receive_singly.sql
create or replace function tasker.receive_singly(p_matches tasker.event_matches[], p_processor uuid)
  returns tasker.event_matches[]
  language plpgsql
as $$
declare
  v_match  tasker.event_matches;
  v_failed tasker.event_matches[] := '{}';
begin
  foreach v_match in array p_matches loop
    begin
      perform tasker.receive_events(array[v_match], p_processor);
    exception when others then
      if tasker.error_pause(sqlstate) is null then
        raise;
      end if;
      perform tasker.warn_of_failure(
        format('the delivery of event %s to step %s of task %s', v_match.event_uuid, v_match.step_no, v_match.task_uuid),
        sqlstate, sqlerrm
      );
      v_failed := v_failed || v_match;
    end;
  end loop;
  return v_failed;
end;
$$;

comment on function tasker.receive_singly is
$$Gives each step the event that it takes (tasker.receive_events) in a subtransaction of its own. Returns the matches of the steps that failed. The caller holds the tasks' locks.$$;
-- <<<

-- >>> db/schema/functions/features/broadcasts/private/note_delivery.sql
create or replace function tasker.note_delivery(p_event tasker.broadcasts, p_ended boolean, p_now timestamptz, p_head_start interval)
  returns void
  language plpgsql
as $$
begin
  if p_ended then
    p_event.delivered_at := tasker.end_delivery(p_event.event_uuid);
  elsif p_head_start > interval '0' then
    update tasker.timers as m
       set due_at = p_now + p_head_start
     where m.task_uuid = p_event.event_uuid
       and m.step_no = 0
       and m.kind = 'deliver_event';
  end if;
  update tasker.broadcasts as b
     set passed_task_uuid = p_event.passed_task_uuid,
         passed_step_no   = p_event.passed_step_no,
         delivered_at     = p_event.delivered_at
   where b.event_uuid = p_event.event_uuid;
end;
$$;

comment on function tasker.note_delivery is
$$Records the progress of an event's delivery: the last wait that it has passed, and either its end (tasker.end_delivery) or the time when the rest of the delivery is due. The caller holds the event's note.$$;
-- <<<

-- >>> db/schema/functions/features/broadcasts/private/deliver_event.sql
create or replace function tasker.deliver_event(p_event_uuid uuid, p_limit integer, p_head_start interval, p_processor uuid, p_singly boolean)
  returns integer
  language plpgsql
as $$
declare
  v_now     timestamptz := tasker.clock();
  v_event   tasker.broadcasts;
  v_tasks   uuid[];
  v_steps   integer[];
  v_new     integer;   -- waits that the event reaches for the first time
  v_again   integer;   -- steps whose task was locked at the last try
  v_locked  uuid[] := '{}';
  v_matches tasker.event_matches[];
  v_failed  tasker.event_matches[] := '{}';
begin
  select b.* into v_event from tasker.broadcasts as b where b.event_uuid = p_event_uuid;
  -- Read on in the order of the waits. A wait that begins later, before this place, has a note of its own.
  select array_agg(w.task_uuid), array_agg(w.step_no), count(*)
    into v_tasks, v_steps, v_new
    from (
      select w.task_uuid, w.step_no
        from tasker.waits as w
       where w.namespace = v_event.namespace
         and w.event = v_event.name
         and w.event_key = v_event.key
         and (w.task_uuid, w.step_no) > (v_event.passed_task_uuid, v_event.passed_step_no)
       order by w.task_uuid, w.step_no
       limit p_limit
    ) as w;
  if v_new > 0 then
    v_event.passed_task_uuid := v_tasks[v_new];
    v_event.passed_step_no := v_steps[v_new];
  end if;
  select v_tasks || array_agg(r.task_uuid), v_steps || array_agg(r.step_no), count(*)
    into v_tasks, v_steps, v_again
    from (
      select r.task_uuid, r.step_no
        from tasker.broadcast_retries as r
       where r.event_uuid = p_event_uuid
         and r.due_at <= v_now + p_head_start
       order by r.due_at
       limit p_limit - v_new
    ) as r;

  if v_new + v_again > 0 then
    v_locked := tasker.lock_tasks(v_tasks);
    -- A separate statement after the locks sees the present state of the waits.
    v_matches := array(
      select m
        from tasker.match_events(
          array(select u.task_uuid from unnest(v_tasks, v_steps) as u (task_uuid, step_no) where u.task_uuid = any (v_locked) group by u.task_uuid, u.step_no order by u.task_uuid, u.step_no),
          array(select u.step_no from unnest(v_tasks, v_steps) as u (task_uuid, step_no) where u.task_uuid = any (v_locked) group by u.task_uuid, u.step_no order by u.task_uuid, u.step_no),
          p_event_uuid
        ) as m
    );
    if p_singly then
      v_failed := tasker.receive_singly(v_matches, p_processor);
    else
      perform tasker.receive_events(v_matches, p_processor);
    end if;
  end if;
  if v_again > 0 then
    delete from tasker.broadcast_retries as r
     using unnest(v_tasks, v_steps) as u (task_uuid, step_no)
     where r.event_uuid = any (array[p_event_uuid])
       and r.task_uuid = u.task_uuid
       and r.step_no = u.step_no
       and u.task_uuid = any (v_locked);
  end if;
  if v_new + v_again > 0 then
    perform tasker.postpone_receivers(p_event_uuid, v_tasks, v_steps, v_locked, v_now + interval '1 second');
  end if;
  if cardinality(v_failed) > 0 then
    perform tasker.postpone_receivers(
      p_event_uuid, array(select f.task_uuid from unnest(v_failed) as f), array(select f.step_no from unnest(v_failed) as f), '{}',
      v_now + interval '1 minute'
    );
  end if;

  perform tasker.note_delivery(v_event, v_new + v_again < p_limit, v_now, p_head_start);
  return v_new + v_again;
end;
$$;

comment on function tasker.deliver_event is
$$Delivers an event to the next p_limit steps that wait for it, and returns the number of steps that it tried. If another transaction has the task of a step locked, the step is tried again in a second and does not delay the other steps. If more steps may wait, the rest of the delivery is due in p_head_start. With p_singly each step gets the event in a subtransaction, and a step that fails is tried again in a minute. The caller holds the event's note, which is deleted when no step is left.$$;
-- <<<

-- >>> db/schema/functions/features/broadcasts/private/deliver_events.sql
create or replace function tasker.deliver_events(p_event_uuids uuid[], p_limit integer, p_head_start interval, p_processor uuid)
  returns void
  language plpgsql
as $$
declare
  v_event uuid;
  v_left  integer := p_limit;
begin
  -- Deliver the due events in the order in which they were emitted, until the batch is full.
  for v_event in
    select b.event_uuid
      from unnest(p_event_uuids) as u (event_uuid)
     cross join lateral (
       select b.event_uuid, b.sent_at
         from tasker.broadcasts as b
        where b.event_uuid = u.event_uuid
       offset 0
     ) as b
     order by b.sent_at, b.event_uuid
  loop
    v_left := v_left - tasker.deliver_event(v_event, v_left, p_head_start, p_processor, false);
    exit when v_left <= 0;
  end loop;
end;
$$;

comment on function tasker.deliver_events is
$$Delivers events whose notes the caller holds, to at most p_limit steps. Undelivered events stay due. The rest of an
event whose delivery has begun is due in p_head_start.$$;
-- <<<

-- >>> db/schema/functions/kernel/timer/private/fire_rest.sql
create or replace function tasker.fire_rest(p_receivers integer, p_processor uuid)
  returns boolean
  language plpgsql
as $$
declare
  v_xact   bigint := pg_current_xact_id()::text::bigint;
  v_due    tasker.timers[] := array(
    select m
      from tasker.timers as m
     where m.due_at <= tasker.clock()
     order by m.due_at
     limit 100
       for update skip locked
  );
  v_events uuid[] := array(select d.task_uuid from unnest(v_due) as d where p_receivers > 0 and d.kind = 'deliver_event' and d.xact <> v_xact);
  v_notes  tasker.timers[] := array(select d from unnest(v_due) as d where d.kind in ('undo_task', 'start_child', 'child_ended', 'cancel_child'));
begin
  if cardinality(v_events) = 0 and cardinality(v_notes) = 0 then
    return false;
  end if;
  begin
    if cardinality(v_notes) > 0 then
      perform tasker.fire_set(v_notes, row(100, 0, 0, interval '0', p_processor)::tasker.fire_budgets);
    end if;
    perform tasker.idle(v_events, p_receivers, p_processor);
    return true;
  exception when others then
    if tasker.error_pause(sqlstate) is null then
      raise;
    end if;
  end;
  -- The next claim finds these timers due, and fires them one by one.
  return false;
end;
$$;

comment on function tasker.fire_rest is
$$After a claim has fired timers and found no step, fires the timers that became due because of the first timers. These are notes between tasks, notes about steps that are to be undone next, and events, which it delivers to at most p_receivers steps. Returns whether it fired a timer. After an error it returns false, and leaves the timers to the next call of tasker.fire_timers. Locks the notes and their tasks without waiting.$$;
-- <<<

-- >>> db/schema/functions/doors/claims/private/idle.sql
create or replace function tasker.idle(p_events uuid[], p_limit integer, p_worker_uuid uuid)
  returns void
  language plpgsql
as $$
begin
  if cardinality(p_events) > 0 then
    perform tasker.deliver_events(p_events, p_limit, interval '0', p_worker_uuid);
  end if;
end;
$$;

comment on function tasker.idle is
$$Door: a claim has fired all due timers and found no step. Delivers the events p_events, which are still due, to at most p_limit steps.$$;
-- <<<

-- >>> db/schema/functions/features/broadcasts/private/deliver_own_events.sql
create or replace function tasker.deliver_own_events(p_event_uuids uuid[], p_limit integer, p_processor uuid)
  returns integer
  language plpgsql
as $$
declare
  v_tasks   uuid[];
  v_steps   integer[];
  v_locked  uuid[];
  v_matches tasker.event_matches[];
begin
  select array_agg(w.task_uuid order by w.task_uuid, w.step_no), array_agg(w.step_no order by w.task_uuid, w.step_no)
    into v_tasks, v_steps
    from (
      select distinct w.task_uuid, w.step_no
        from unnest(p_event_uuids) as u (event_uuid)
       cross join lateral (
         select b.namespace, b.name, b.key
           from tasker.broadcasts as b
          where b.event_uuid = u.event_uuid
         offset 0
       ) as b
        join tasker.waits as w
          on w.namespace = b.namespace
         and w.event = b.name
         and w.event_key = b.key
       limit p_limit
    ) as w;
  if v_tasks is null then
    return 0;
  end if;
  v_locked := tasker.lock_tasks(v_tasks);
  v_matches := array(
    select m
      from tasker.match_events(
        array(select u.task_uuid from unnest(v_tasks, v_steps) with ordinality as u (task_uuid, step_no, no) where u.task_uuid = any (v_locked) order by u.no),
        array(select u.step_no from unnest(v_tasks, v_steps) with ordinality as u (task_uuid, step_no, no) where u.task_uuid = any (v_locked) order by u.no),
        null
      ) as m
  );
  perform tasker.receive_events(v_matches, p_processor);
  return cardinality(v_matches);
end;
$$;

comment on function tasker.deliver_own_events is
$$Delivers events that this transaction has emitted itself to at most p_limit steps that this transaction sees. Returns the number of steps that took an event. The notes of the events stay for a later transaction, which sees the steps that begin to wait meanwhile. Only tests need this function, because they emit, wait and work in one transaction. Other callers do not fire timers in the transaction that emits.$$;
-- <<<

-- >>> db/schema/functions/features/broadcasts/private/describe_event.sql
create or replace function tasker.describe_event(p_event tasker.broadcasts)
  returns tasker.broadcast_details
  language plpgsql
  stable
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_detail tasker.broadcast_details;
begin
  v_detail.event_uuid := p_event.event_uuid;
  v_detail.namespace := p_event.namespace;
  v_detail.name := p_event.name;
  v_detail.key := p_event.key;
  v_detail.payload := p_event.payload;
  v_detail.idempotency_key := p_event.idempotency_key;
  v_detail.sent_by := p_event.sent_by;
  v_detail.sent_at := p_event.sent_at;
  v_detail.delivered_at := p_event.delivered_at;
  v_detail.receivers := (select count(*) from tasker.broadcast_receipts as r where r.event_uuid = p_event.event_uuid);
  v_detail.busy_receivers := (select count(*) from tasker.broadcast_retries as r where r.event_uuid = p_event.event_uuid);
  return v_detail;
end;
$$;

comment on function tasker.describe_event is
$$Returns a kept event with the number of steps that took it, and the number of steps to which the delivery is tried again.$$;
-- <<<

-- >>> db/schema/functions/features/broadcasts/private/forget_events.sql
create or replace function tasker.forget_events(p_limit integer)
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
  v_old      uuid[];
  v_receipts integer;
  v_events   integer;
begin
  v_old := array(
    select b.event_uuid
      from tasker.broadcasts as b
     where b.sent_at < tasker.clock() - tasker.setting_integer('event_hours') * interval '1 hour'
       and b.delivered_at is not null
     order by b.sent_at
     limit p_limit
       for update skip locked
  );
  delete from tasker.broadcast_receipts as r
   using (
     select r.event_uuid, r.task_uuid, r.step_no
       from unnest(v_old) as u (event_uuid)
      cross join lateral (
        select r.event_uuid, r.task_uuid, r.step_no
          from tasker.broadcast_receipts as r
         where r.event_uuid = u.event_uuid
         limit p_limit
      ) as r
      limit p_limit
   ) as o
   where r.event_uuid = o.event_uuid
     and r.task_uuid = o.task_uuid
     and r.step_no = o.step_no;
  get diagnostics v_receipts = row_count;
  delete from tasker.broadcasts as b
   where b.event_uuid = any (v_old)
     and not exists (select from tasker.broadcast_receipts as r where r.event_uuid = b.event_uuid);
  get diagnostics v_events = row_count;
  return v_receipts + v_events;
end;
$$;

comment on function tasker.forget_events is
$$Deletes events that are older than the setting "event_hours" and were delivered to all waiting steps. First deletes the receipts of the steps that took them. Deletes at most p_limit events and p_limit receipts, and returns the number of deleted rows.$$;
-- <<<

-- >>> db/schema/rows/features/triggers/event_effects.sql
create or replace view tasker.event_effects as
select
  ''::text as action,
  ''::text as task_name,
  ''::text as version,
  ''::text as outcome,
  null::text as identity_key,
  null::uuid as task_uuid,
  null::jsonb as context,
  null::text as problem
where false;

comment on view tasker.event_effects is
  'Row type: the effect of an event on the tasks of a template.';
comment on column tasker.event_effects.action is
  'start or cancel: the list of the template (start_on or cancel_on) that names the event.';
comment on column tasker.event_effects.outcome is
  'starts: the event starts a task; cancels: the event cancels a task; exists: a task with the identity key exists already, so that the event starts none; no_task: no open task of this version has the identity key; other_key, other_payload: the template asks for another key or another payload.';
comment on column tasker.event_effects.problem is
  'The reason why the event would be refused. Null if it would be accepted.';
-- <<<

-- >>> db/schema/functions/features/triggers/private/event_context.sql
create or replace function tasker.event_context(p_mapping jsonb, p_payload jsonb)
  returns jsonb
  language sql
  immutable
  parallel safe
begin atomic
  select case
    when p_mapping is null then p_payload
    else (
      select coalesce(jsonb_object_agg(f.key, f.value) filter (where f.value is not null), '{}')
        from (
          select m.key, tasker.child_value(m.value, p_payload, null) as value
            from jsonb_each(p_mapping) as m
        ) as f
    )
  end;
end;

comment on function tasker.event_context is
$$Returns the context of a task that an event starts. Without a mapping it is the payload. Otherwise it is an object with a value for each field of the mapping; a field whose value is not found is left out.$$;
-- <<<

-- >>> db/schema/functions/features/triggers/private/event_effects.sql
create or replace function tasker.event_effects(p_namespace text, p_name text, p_key text, p_payload jsonb)
  returns setof tasker.event_effects
  language plpgsql
  stable
as $$
begin
  return query
  select
    r.action, p.name, p.version,
    case
      when r.event_key <> p_key then 'other_key'
      when not tasker.condition_holds(tasker.stored_path(r.condition), p_payload) then 'other_payload'
      when r.action = 'start' then case when t.task_uuid is null then 'starts' else 'exists' end
      when not t.complete and not tasker.is_undone(t.undo) and t.named_task_uuid = r.named_task_uuid then 'cancels'
      else 'no_task'
    end,
    i.identity_key, t.task_uuid,
    case when r.action = 'start' then c.context end,
    null::text
  from tasker.event_triggers as r
  join tasker.creation_plans as p
    on p.named_task_uuid = r.named_task_uuid
  cross join lateral (
    select case when p.identity_strategy = 'caller_provided' then coalesce(
      tasker.child_value(to_jsonb(r.identity), p_payload, null) #>> '{}', case when r.identity is null then nullif(p_key, '') end
    ) end as identity_key
  ) as i
  cross join lateral (
    select case when r.action = 'start' then tasker.event_context(r.context, p_payload) end as context
  ) as c
  cross join lateral (
    select case
      when i.identity_key is not null then tasker.task_identity('caller_provided', p.namespace, p.name, null, null, i.identity_key)
      when p.identity_strategy = 'strict' and r.action = 'start' then tasker.task_identity('strict', p.namespace, p.name, p.version, c.context, null)
    end as hash
  ) as h
  left join lateral (
    select t.task_uuid, t.named_task_uuid, t.complete, t.undo
      from tasker.task_identities as d
      join tasker.tasks as t
        on t.task_uuid = d.task_uuid
     where d.identity_hash = h.hash
       and (d.expires_at is null or d.expires_at > tasker.clock())
  ) as t
    on true
  where r.namespace = p_namespace
    and r.event = p_name
    and (
      r.action = 'cancel'
      -- Only the newest version that is not retired starts tasks.
      or r.named_task_uuid = (
        select k.named_task_uuid
          from tasker.creation_plans as k
         where k.namespace = p.namespace
           and k.name = p.name
           and k.retired_at is null
         order by k.retired_at is not null, k.created_at desc, k.named_task_uuid desc
         limit 1
      )
    )
  -- This is the order of the locks: first the identities by their hashes, then the tasks by their UUIDs.
  order by r.action desc, case r.action when 'start' then h.hash end, case r.action when 'cancel' then t.task_uuid end, p.name, p.version, r.trigger_no;
end;
$$;

comment on function tasker.event_effects is
$$Returns the effects of an event on the tasks of each template that names the event. Rows for starts come before rows for cancellations. The newest version that is not retired starts tasks. Every version cancels its own tasks.$$;
-- <<<

-- >>> db/schema/functions/features/triggers/private/cancel_by_event.sql
create or replace function tasker.cancel_by_event(p_task_uuid uuid, p_event tasker.broadcasts)
  returns void
  language plpgsql
as $$
declare
  v_task    tasker.tasks;
  v_timeout text := current_setting('lock_timeout');
begin
  -- Events of several callers may share a call that has a shorter lock_timeout, so that one task does not hold them up.
  if v_timeout::interval not between interval '1 ms' and interval '5 s' then
    perform set_config('lock_timeout', '5s', true);
  end if;
  v_task := tasker.lock_task(p_task_uuid);
  if not v_task.complete and not tasker.is_undone(v_task.undo) then
    perform tasker.move_task(
      v_task, 'Cancel', 'cancelled', null,
      jsonb_build_object('reason', format('event "%s"', p_event.name), 'event_uuid', p_event.event_uuid), p_event.sent_by
    );
  end if;
  perform set_config('lock_timeout', v_timeout, true);
exception
  when lock_not_available then
    perform tasker.raise_task_locked(p_task_uuid);
end;
$$;

comment on function tasker.cancel_by_event is
$$Cancels a task because of an event, unless the task has ended or is being undone. Locks the task, then its steps. Raises TK409 if another session keeps the task locked for 5 seconds, or for the caller's lock_timeout if that is shorter.$$;
-- <<<

-- >>> db/schema/functions/features/triggers/private/start_by_event.sql
create or replace function tasker.start_by_event(p_effect tasker.event_effects, p_event tasker.broadcasts)
  returns void
  language plpgsql
as $$
declare
  v_request tasker.task_requests;
begin
  v_request.namespace := p_event.namespace;
  v_request.name := p_effect.task_name;
  v_request.version := p_effect.version;
  v_request.contexts := array[p_effect.context];
  v_request.identity_keys := case when p_effect.identity_key is not null then array[p_effect.identity_key] end;
  v_request.source_system := 'event';
  v_request.reason := format('event "%s"', p_event.name);
  v_request.headers := jsonb_build_object('event', p_event.name, 'event_uuid', p_event.event_uuid);
  begin
    perform tasker.make_task(v_request);
  exception when sqlstate 'TK409' then
    -- Another transaction has started the task of this key meanwhile, with another context.
    if not exists (
      select
        from tasker.event_effects(p_event.namespace, p_event.name, p_event.key, p_event.payload) as e
       where e.action = 'start'
         and e.task_name = p_effect.task_name
         and e.identity_key = p_effect.identity_key
         and e.outcome = 'exists'
         -- A task with this context would have been found, so the conflict has another cause.
         and exists (select from tasker.tasks as t where t.task_uuid = e.task_uuid and t.context <> p_effect.context)
    ) then
      raise;
    end if;
  end;
end;
$$;

comment on function tasker.start_by_event is
$$Creates the task of an event, or finds the task that has its identity key. Locks the identity. Raises the errors of create_task.$$;
-- <<<

-- >>> db/schema/functions/features/triggers/private/react_to_events.sql
create or replace function tasker.react_to_events()
  returns trigger
  language plpgsql
  set search_path = pg_catalog, pg_temp
as $$
declare
  v record;
begin
  -- The first event of the statement is the turn of all. A statement inserts the events that templates name first.
  if new.event_uuid <> (select n.event_uuid from emitted as n where n.reacts limit 1) then
    return null;
  end if;
  -- All effects are read before the first effect. Identities are locked before tasks and in the order of their hashes,
  -- tasks in the order of their UUIDs.
  for v in
    select
      row(e.action, e.task_name, e.version, e.outcome, e.identity_key, e.task_uuid, e.context, e.problem)::tasker.event_effects as effect,
      b as event
    from emitted as n
    join tasker.broadcasts as b
      on b.event_uuid = n.event_uuid
    cross join lateral tasker.event_effects(b.namespace, b.name, b.key, b.payload)
      with ordinality as e (action, task_name, version, outcome, identity_key, task_uuid, context, problem, ord)
    where n.reacts
      and e.outcome in ('starts', 'cancels')
    order by
      e.action desc,
      case when e.action = 'start' then tasker.task_identity(
        case when e.identity_key is null then 'strict' else 'caller_provided' end, b.namespace, e.task_name, e.version, e.context, e.identity_key
      ) end,
      case when e.action = 'cancel' then e.task_uuid end,
      b.event_uuid,
      e.ord
  loop
    if (v.effect).action = 'cancel' then
      perform tasker.cancel_by_event((v.effect).task_uuid, v.event);
    else
      perform tasker.start_by_event(v.effect, v.event);
    end if;
  end loop;
  return null;
end;
$$;

comment on function tasker.react_to_events is
$$Trigger function of tasker.broadcasts: events that templates name start and cancel their tasks in the transaction that emits them. No event of a statement cancels a task that another event of it starts. Locks the identities of the tasks that start, by hash, then the tasks that are cancelled, in the order of their UUIDs. Raises the errors of cancel_task and create_task. After an error no event is emitted.$$;
-- <<<

-- >>> db/schema/triggers/features/triggers/broadcasts.sql
create or replace trigger broadcasts_react
  after insert on tasker.broadcasts
  referencing new table as emitted
  for each row when (new.reacts)
  execute function tasker.react_to_events();

comment on trigger broadcasts_react on tasker.broadcasts is
  'Starts and cancels the tasks of templates that name the events.';
-- <<<

-- >>> db/schema/functions/features/triggers/test_event.sql
create or replace function tasker.test_event(
  p_namespace  text,
  p_name       text,
  p_key        text   default null,
  p_payload    jsonb  default null
)
  returns setof tasker.event_effects
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
  v_effect tasker.event_effects;
begin
  p_key := coalesce(p_key, '');
  p_payload := coalesce(p_payload, '{}');
  perform tasker.check_bound_namespaces(array[p_namespace]);
  perform tasker.check_namespace_exists(p_namespace);
  perform tasker.check_text_size('name of an event', p_name, 128);
  perform tasker.check_text_size('key of an event', p_key, 500);
  perform tasker.check_depth('payload of an event', p_payload);
  for v_effect in select e.* from tasker.event_effects(p_namespace, p_name, p_key, p_payload) as e loop
    if v_effect.outcome = 'starts' then
      begin
        perform tasker.check_task_requests(
          tasker.find_template(p_namespace, v_effect.task_name, v_effect.version), p_namespace || '/' || v_effect.task_name,
          array[v_effect.context], case when v_effect.identity_key is not null then array[v_effect.identity_key] end, null
        );
      exception when others then
        v_effect.problem := left(sqlerrm, 1000);
      end;
    end if;
    return next v_effect;
  end loop;
end;
$$;

comment on function tasker.test_event is
$$Returns the effects that an event would have on tasks if it were emitted now, and changes nothing. Each start_on and cancel_on that names the event, in a template of the namespace, has a row with the context of the task that it would start, and the reason if the event would be refused. Steps that wait for the event are not included; list_waits() returns these steps.

Raises TK404 if there is no such namespace, TK413 for an argument that is too long, TK422 for a payload that is too deep, TK403 if the caller is bound to other namespaces.$$;

grant execute on function tasker.test_event
  to tasker_submitter, tasker_worker, tasker_orchestrator, tasker_operator, tasker_reader;
-- <<<

-- >>> db/schema/functions/features/broadcasts/emit_event.sql
create or replace function tasker.emit_event(
  p_namespace        text,
  p_name             text,
  p_key              text   default '',
  p_payload          jsonb  default '{}',
  p_idempotency_key  text   default null
)
  returns setof tasker.emitted_events
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
  v_event tasker.emitted_events;
begin
  p_payload := coalesce(p_payload, '{}');
  perform tasker.check_bound_namespaces(array[p_namespace]);
  perform tasker.check_event(p_name, p_key, p_payload, p_idempotency_key);
  perform tasker.check_namespace_exists(p_namespace);

  loop
    insert into tasker.broadcasts (namespace, name, key, payload, idempotency_key, sent_by, sent_at, reacts)
    values (
      p_namespace, p_name, coalesce(p_key, ''), p_payload, p_idempotency_key, tasker.actor_name(null), tasker.write_clock(),
      exists (select from tasker.event_triggers as r where r.namespace = p_namespace and r.event = p_name)
    )
    on conflict (namespace, name, idempotency_key) do nothing
    returning event_uuid, false into v_event;
    exit when found;

    -- Retention may have deleted the first event in between. Then no row is found, and the loop inserts this event.
    select b.event_uuid, true
      into v_event
      from tasker.broadcasts as b
     where b.namespace = p_namespace
       and b.name = p_name
       and b.idempotency_key = p_idempotency_key;
    if found then
      return next v_event;
      return;
    end if;
  end loop;

  -- This call reads no waits, because it cannot see a step that begins to wait in another open transaction.
  insert into tasker.timers (task_uuid, kind, due_at, namespace)
  values (v_event.event_uuid, 'deliver_event', tasker.clock(), p_namespace);
  perform tasker.notify_orchestrators();
  perform tasker.notify_steps_ready(p_namespace);
  return next v_event;
end;
$$;

comment on function tasker.emit_event is
$$Emits an event (a broadcast). Every step of the namespace that waits for this name and key takes the event. A step that begins to wait later takes the event too, if its wait looks back far enough. Returns the event's UUID at once. Claims and orchestrators deliver it after this transaction has committed, in batches. The function works at any isolation level, in the caller's own transaction. If that transaction is rolled back, the event was never sent.

If an event of the same namespace and name with the same idempotency key is still kept, the call returns this first event, marked as repeated. Without an idempotency key each call emits another event. An event without a key (the default, the empty text) is for waits without a key. Events are kept for the setting "event_hours".

Templates that name the event (start_on, cancel_on) start and cancel their tasks in this transaction. tasker.test_event() returns these tasks. Such an event locks the identities of the tasks that it starts, then the tasks that it cancels, and raises the errors of cancel_task and create_task. After an error the event is not emitted. Any other event only inserts rows and locks nothing. The call waits for another transaction that emits with the same idempotency key. Raises TK404 if there is no such namespace, TK413 if the payload is larger than the setting "event_bytes" or a key is longer than 500 characters, TK422 if the name is malformed, the key is a path such as $.order, or the payload is null, TK403 if the caller is bound to other namespaces.$$;

grant execute on function tasker.emit_event
  to tasker_submitter, tasker_worker, tasker_orchestrator, tasker_operator;
-- <<<

-- >>> db/schema/functions/features/broadcasts/private/check_events.sql
create or replace function tasker.check_events(p_names text[], p_keys text[], p_payloads jsonb[], p_idempotency_keys text[])
  returns void
  language plpgsql
  stable
  set search_path = pg_catalog, pg_temp
as $$
begin
  if p_names is null or greatest(array_ndims(p_names), array_ndims(p_keys), array_ndims(p_payloads), array_ndims(p_idempotency_keys)) > 1
     or cardinality(p_keys) <> cardinality(p_names)
     or cardinality(p_payloads) <> cardinality(p_names)
     or cardinality(p_idempotency_keys) <> cardinality(p_names) then
    raise exception using
      errcode = 'TK422',
      message = 'names, keys, payloads and idempotency keys of the events do not match',
      detail  = format(
        '%s names, %s keys, %s payloads, %s idempotency keys', coalesce(cardinality(p_names)::text, 'null'),
        coalesce(cardinality(p_keys)::text, 'no'), coalesce(cardinality(p_payloads)::text, 'no'),
        coalesce(cardinality(p_idempotency_keys)::text, 'no')
      ),
      hint    = 'Pass an array of names. If you pass keys, payloads or idempotency keys, pass one for each name.';
  end if;
  if cardinality(p_names) > 10000 then
    raise exception using
      errcode = 'TK413',
      message = format('%s events are too many for one call', cardinality(p_names)),
      hint    = 'Emit at most 10,000 events in a call.';
  end if;
  perform tasker.check_event(u.name, u.key, coalesce(u.payload, '{}'), u.idempotency_key)
     from unnest(p_names, p_keys, p_payloads, p_idempotency_keys) as u (name, key, payload, idempotency_key);
end;
$$;

comment on function tasker.check_events is
$$Raises TK422 for arrays of different lengths, TK413 for more than 10,000 events, and the errors of check_event for each event.$$;
-- <<<

-- >>> db/schema/functions/features/broadcasts/emit_events.sql
create or replace function tasker.emit_events(
  p_namespace         text,
  p_names             text[],
  p_keys              text[]   default null,
  p_payloads          jsonb[]  default null,
  p_idempotency_keys  text[]   default null
)
  returns setof tasker.emitted_events
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
  v_now   timestamptz;
  v_uuids uuid[];
  v_found uuid[];
  v_more  uuid[];
  v_new   uuid[] := '{}';
begin
  perform tasker.check_bound_namespaces(array[p_namespace]);
  perform tasker.check_events(p_names, p_keys, p_payloads, p_idempotency_keys);
  perform tasker.check_namespace_exists(p_namespace);
  v_now := tasker.write_clock();
  v_uuids := array(select tasker.uuid_generate_v7() from generate_series(1, cardinality(p_names)));

  loop
    v_found := v_uuids;
    -- In the order of the idempotency keys, so that two calls cannot deadlock. The first of equal events is emitted.
    with new as (
      insert into tasker.broadcasts (event_uuid, namespace, name, key, payload, idempotency_key, sent_by, sent_at, reacts)
      select
        u.event_uuid, p_namespace, u.name, coalesce(u.key, ''), coalesce(u.payload, '{}'), u.idempotency_key,
        tasker.actor_name(null), v_now, r.reacts
      from unnest(v_uuids, p_names, p_keys, p_payloads, p_idempotency_keys)
        with ordinality as u (event_uuid, name, key, payload, idempotency_key, ord)
      cross join lateral (
        select exists (select from tasker.event_triggers as r where r.namespace = p_namespace and r.event = u.name) as reacts
      ) as r
      where u.event_uuid <> all (v_new)
      order by r.reacts desc, u.name, u.idempotency_key, u.ord
      on conflict (namespace, name, idempotency_key) do nothing
      returning event_uuid
    )
    select array_agg(n.event_uuid) into v_more from new as n;
    v_new := v_new || v_more;
    exit when cardinality(v_new) = cardinality(v_uuids);

    -- No row if retention has deleted the event in between. Then this event is the first again.
    v_found := array(
      select coalesce(
        (select b.event_uuid from tasker.broadcasts as b where b.event_uuid = u.event_uuid),
        (
          select b.event_uuid
            from tasker.broadcasts as b
           where b.namespace = p_namespace
             and b.name = u.name
             and b.idempotency_key between u.idempotency_key and u.idempotency_key
           order by b.idempotency_key -- takes the unique index, also without statistics
           limit 1
        )
      )
      from unnest(v_uuids, p_names, p_idempotency_keys) with ordinality as u (event_uuid, name, idempotency_key, ord)
      order by u.ord
    );
    exit when array_position(v_found, null) is null;
  end loop;

  if v_new <> '{}' then
    -- The waits are not read here, because a step may begin to wait in a transaction that this transaction
    -- cannot see.
    insert into tasker.timers (task_uuid, kind, due_at, namespace)
    select n.event_uuid, 'deliver_event', tasker.clock(), p_namespace
      from unnest(v_new) as n (event_uuid);
    perform tasker.notify_orchestrators();
    perform tasker.notify_steps_ready(p_namespace);
  end if;
  return query select u.event_uuid, u.event_uuid <> u.own_uuid from unnest(v_found, v_uuids) as u (event_uuid, own_uuid);
end;
$$;

comment on function tasker.emit_events is
$$Emits events of one namespace, all or none, in a few statements, and returns a row for each in order, as emit_event does. Null keys and payloads mean the defaults. Of equal events in one call the first is emitted, and the others are repeated.

The events are delivered in their order. Templates that name the events (start_on, cancel_on) react to all events at once: no event of the call cancels a task that another event of the call starts. Inserts in the order of names and idempotency keys, then locks the identities of all tasks that start, by hash, then the tasks that are cancelled, in the order of their UUIDs. Raises the errors of emit_event, and TK422 if the arrays do not have the same length, and TK413 if they have more than 10,000 events.$$;

grant execute on function tasker.emit_events
  to tasker_submitter, tasker_worker, tasker_orchestrator, tasker_operator;
-- <<<

-- >>> db/schema/functions/features/broadcasts/get_event.sql
create or replace function tasker.get_event(p_event_uuid uuid)
  returns setof tasker.broadcast_details
  language plpgsql
  stable
  security definer
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_event tasker.broadcasts;
begin
  select b.* into v_event from tasker.broadcasts as b where b.event_uuid = p_event_uuid;
  if not found then
    raise exception using
      errcode = 'TK404',
      message = format('event %s does not exist', coalesce(p_event_uuid::text, 'null')),
      hint    = 'Events are kept for the setting "event_hours"; tasker.list_events() shows them.';
  end if;
  perform tasker.check_bound_namespaces(array[v_event.namespace]);
  return next tasker.describe_event(v_event);
end;
$$;

comment on function tasker.get_event is
$$Returns a kept event: its payload, the role that emitted it, whether all waiting steps have received it, and how many steps took it. Raises TK404 if there is no such event or it is no longer kept, TK403 if the caller is bound to other namespaces.$$;

grant execute on function tasker.get_event
  to tasker_submitter, tasker_worker, tasker_orchestrator, tasker_operator, tasker_reader;
-- <<<

-- >>> db/schema/functions/features/broadcasts/list_events.sql
create or replace function tasker.list_events(
  p_namespace    text         default null,
  p_name         text         default null,
  p_key          text         default null,
  p_before_at    timestamptz  default null,
  p_before_uuid  uuid         default null,
  p_limit        integer      default 100
)
  returns setof tasker.broadcast_details
  language plpgsql
  stable
  security definer
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_bound text[] := tasker.bound_namespaces();
begin
  p_limit := coalesce(p_limit, 100);
  perform tasker.check_bound_namespaces(array[p_namespace]);
  perform tasker.check_limit(p_limit, 1000);
  perform tasker.check_text_size('name of an event', p_name, 128);
  perform tasker.check_text_size('key of an event', p_key, 500);
  perform tasker.check_instant('time before which a page begins', p_before_at);
  if (p_before_at is null) <> (p_before_uuid is null) then
    raise exception using
      errcode = 'TK422',
      message = 'a page begins before an event: p_before_at and p_before_uuid come together',
      hint    = 'Give sent_at and event_uuid of the last row of the page before.';
  end if;

  -- The query is planned for the given filters.
  return query
  select d.*
    from (
      select b
        from tasker.broadcasts as b
       where (p_namespace is null or b.namespace = p_namespace)
         and (v_bound is null or b.namespace = any (v_bound))
         and (p_name is null or b.name = p_name)
         and (p_key is null or b.key = p_key)
         and (p_before_at is null or (b.sent_at, b.event_uuid) < (p_before_at, p_before_uuid))
       order by b.sent_at desc, b.event_uuid desc
       limit p_limit
    ) as o
   cross join lateral tasker.describe_event(o.b) as d
   order by d.sent_at desc, d.event_uuid desc;
end;
$$;

comment on function tasker.list_events is
$$Returns the kept events that match all given filters, newest first. The filters are namespace, name and key (empty for events without a key). Null is no filter. A bound caller sees its namespaces only.

The next page begins before the last row of this page. p_before_at is the sent_at of that row, p_before_uuid its event_uuid. Returns at most p_limit rows; p_limit is at most 1,000. Counts the receipts of each event. Raises TK422 for an argument out of range, TK413 for a text that is too long, TK403 if the caller is bound to other namespaces.$$;

grant execute on function tasker.list_events
  to tasker_submitter, tasker_worker, tasker_orchestrator, tasker_operator, tasker_reader;
-- <<<

-- >>> db/schema/functions/features/broadcasts/get_broadcast_health.sql
create or replace function tasker.get_broadcast_health()
  returns setof tasker.broadcast_health
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
  return query
  select
    n.name,
    (select count(*) from (select from tasker.broadcasts as b where b.namespace = n.name limit 100000) as b),
    u.events,
    greatest(0, extract(epoch from tasker.clock() - u.oldest))::double precision,
    u.busy,
    (select count(*) from (select from tasker.waits as w where w.namespace = n.name and w.event is not null limit 100000) as w)
  from tasker.task_namespaces as n
  cross join lateral (
    select count(*) as events, min(b.sent_at) as oldest, coalesce(sum(r.steps), 0)::bigint as busy
      from tasker.broadcasts as b
     cross join lateral (
       select count(*) as steps
         from tasker.broadcast_retries as r
        where r.event_uuid = b.event_uuid
     ) as r
     where b.namespace = n.name
       and b.delivered_at is null
  ) as u
  where v_bound is null
     or n.name = any (v_bound)
  order by n.name;
end;
$$;

comment on function tasker.get_broadcast_health is
$$Returns a row for each namespace: how many events are kept, how many kept events are undelivered (a waiting step has not received them yet), and how old the oldest undelivered event is. Also returns how many deliveries to a step are tried again because the step's task was locked, and how many waits for events there are. A bound caller sees its namespaces only.

Reads only indexes. Counts at most 100,000 kept events and 100,000 waits of a namespace.$$;

grant execute on function tasker.get_broadcast_health to tasker_orchestrator, tasker_operator, tasker_reader;
-- <<<

insert into tasker.schema_builds (version, files) values ('20261121001207', 'functions/doors/claims/private/idle 52b35680dee60263
functions/features/broadcasts/emit_event 65a0c561226f3d63
functions/features/broadcasts/emit_events 64f82ef425d995fa
functions/features/broadcasts/get_broadcast_health 0ac7faa5ff8ca61e
functions/features/broadcasts/get_event be307028142ab2e8
functions/features/broadcasts/list_events c2ec16a974cd8cb8
functions/features/broadcasts/private/check_event ec6a111675c4de29
functions/features/broadcasts/private/check_events 3616d3fb0e368d04
functions/features/broadcasts/private/deliver_event 009c0534116c0bbe
functions/features/broadcasts/private/deliver_events 4ffcb13dc4140604
functions/features/broadcasts/private/deliver_own_events dac92d095a0065b7
functions/features/broadcasts/private/describe_event d6a0703415405761
functions/features/broadcasts/private/end_delivery 0802b9b78be2d766
functions/features/broadcasts/private/forget_events 1123813ffe7d203d
functions/features/broadcasts/private/match_events 48e20773c3bb2a71
functions/features/broadcasts/private/match_waits 880464d4872185e7
functions/features/broadcasts/private/note_delivery 101ec0d4b0477d74
functions/features/broadcasts/private/postpone_receivers 322df601a3b87096
functions/features/broadcasts/private/receive_events 4dd4eccc0e390762
functions/features/broadcasts/private/receive_singly 3a16c4a4bae2039a
functions/features/triggers/private/cancel_by_event 5dba807c9c6341a6
functions/features/triggers/private/event_context 7727c4d652ecc7cb
functions/features/triggers/private/event_effects b71597fdf2cddef6
functions/features/triggers/private/react_to_events 1ecf592884dcc014
functions/features/triggers/private/start_by_event 1119b477bea15269
functions/features/triggers/test_event a29e63979a55c606
functions/features/waits/get_step_wait 6b6d257592e4ef2a
functions/features/waits/list_signals 0eedb8888723a090
functions/features/waits/list_waits ee7308d302fc1b44
functions/features/waits/private/begin_waits 8e34e8efbe9b403f
functions/features/waits/private/check_signal b5db10bb8c715e0d
functions/features/waits/private/check_wait_filters 34f0fc540ea4ead8
functions/features/waits/private/consume_signal 040410d8ba697203
functions/features/waits/private/deliver_signal 8c0ad48669271684
functions/features/waits/private/end_waits b9c7b775344d591c
functions/features/waits/private/find_taker a4f01fb2dfefa4a2
functions/features/waits/private/fire_waits 119ee1f2f218087b
functions/features/waits/private/first_wait_no 40803c80545e67d8
functions/features/waits/private/kept_signal_moves 03a5ac5fbe201700
functions/features/waits/private/may_answer a34d2daa100c5aec
functions/features/waits/private/takes_signal 95f13113812a2d0b
functions/features/waits/private/task_of_key 53065b8247043b8f
functions/features/waits/private/wait_end_moves c81cfef3053a11f6
functions/features/waits/send_signal 44a74eb3492a2de6
functions/features/waits/send_signal_by_key e6bc79bced98975a
functions/kernel/graph/private/payload_problem 890876ea874cfc52
functions/kernel/suspend/private/ended_wait fed830e0123fee40
functions/kernel/suspend/private/event_key 834ac4f30e3c4aad
functions/kernel/suspend/private/sent_answer 996f1d7620912b08
functions/kernel/suspend/private/wait_end 27b32705420df0e6
functions/kernel/timer/private/fire_rest c25c81d519652e6d
rows/features/broadcasts/broadcast_details e9e2ab7aae7479a1
rows/features/broadcasts/broadcast_health 616a80954ba927f0
rows/features/broadcasts/emitted_events 608c02ebe8584202
rows/features/broadcasts/event_matches 2cb83b2fd57decf4
rows/features/triggers/event_effects 866646103bbe9288
rows/features/waits/signal_answers 6cddca95d6c348d5
rows/features/waits/signal_details b7b11fc7c1be875b
rows/features/waits/wait_details 6622f124af30fac9
rows/kernel/suspend/wait_ends a9bc1101e1f2d4af
triggers/features/triggers/broadcasts d6232e5dce9fac3a
');

reset role;

-- migrate:down
set local citus.enable_ddl_propagation = off; -- Citus would repeat this on its worker nodes
set local role tasker_owner;

delete from tasker.schema_builds where version = '20261121001207';

drop function tasker.get_broadcast_health;
drop function tasker.list_events;
drop function tasker.get_event;
drop function tasker.emit_events;
drop function tasker.check_events;
drop function tasker.emit_event;
drop function tasker.test_event;
drop trigger broadcasts_react on tasker.broadcasts;
drop function tasker.react_to_events;
drop function tasker.start_by_event;
drop function tasker.cancel_by_event;
drop function tasker.event_effects;
drop function tasker.event_context;
drop view tasker.event_effects;
drop function tasker.forget_events;
drop function tasker.describe_event;
drop function tasker.deliver_own_events;
drop function tasker.idle;
drop function tasker.fire_rest;
drop function tasker.deliver_events;
drop function tasker.deliver_event;
drop function tasker.note_delivery;
drop function tasker.receive_singly;
drop function tasker.end_delivery;
drop function tasker.postpone_receivers;
drop function tasker.match_waits;
drop function tasker.receive_events;
drop function tasker.match_events;
drop function tasker.check_event;
drop view tasker.event_matches;
drop view tasker.broadcast_health;
drop view tasker.broadcast_details;
drop view tasker.emitted_events;
drop function tasker.list_waits;
drop function tasker.first_wait_no;
drop function tasker.check_wait_filters;
drop function tasker.list_signals;
drop function tasker.get_step_wait;
drop function tasker.send_signal_by_key;
drop function tasker.send_signal;
drop function tasker.task_of_key;
drop function tasker.deliver_signal;
drop function tasker.find_taker;
drop function tasker.check_signal;
drop view tasker.wait_details;
drop view tasker.signal_details;
drop view tasker.signal_answers;
drop function tasker.fire_waits;
drop function tasker.wait_end_moves;
drop function tasker.kept_signal_moves;
drop function tasker.consume_signal;
drop function tasker.sent_answer;
drop function tasker.ended_wait;
drop function tasker.takes_signal;
drop function tasker.payload_problem;
drop function tasker.may_answer;
drop function tasker.end_waits;
drop function tasker.begin_waits;
drop function tasker.wait_end;
drop function tasker.event_key;
drop view tasker.wait_ends;

reset role;
