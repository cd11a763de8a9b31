-- waiting: steps that wait for signals and times, signals, the inbox
-- Composed from db/schema: edit there, then compose again. Frozen by the first release tag.

-- migrate:up
set local role tasker_owner;

-- >>> db/schema/rows/wait/wait_ends.sql
create table tasker.wait_ends (
  due_at    timestamptz,
  ended_by  text,
  problem   text,

  constraint wait_ends_row_type_check
    check (false) no inherit
);

comment on table tasker.wait_ends is
  'Row type: when time ends a wait, and as what: for, until or timeout. All null: only a signal does.';
comment on column tasker.wait_ends.problem is
  'Why the time of an "until" cannot be read from the context: the wait ends at once, and its step fails.';

revoke all on table tasker.wait_ends from public;
-- <<<

-- >>> db/schema/functions/wait/private/wait_end.sql
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
begin
  for v_one in select a.value from jsonb_array_elements(p_await -> 'any') as a (value) loop
    continue when v_one ? 'signal';
    if v_one ? 'for' then
      v_by := 'for';
      v_at := p_since + (v_one ->> 'for')::numeric * interval '1 second';
    else
      v_by := 'until';
      v_at := tasker.instant_of(case
        when v_one ->> 'until' like '$%'
          then jsonb_path_query_first(p_context, (v_one ->> 'until')::jsonpath, '{}', true) #>> '{}'
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

comment on function tasker.wait_end(jsonb, jsonb, timestamptz) is
$$When time ends a wait that began at p_since, and which of its alternatives does: the one rule by which timers are set and, when they fire, judged. A day is 86,400 seconds, whatever the session's time zone.$$;

revoke all on function tasker.wait_end(jsonb, jsonb, timestamptz) from public;
-- <<<

-- >>> db/schema/functions/wait/private/begin_waits.sql
create or replace function tasker.begin_waits(p_moves tasker.step_moves[])
  returns void
  language plpgsql
as $$
declare
  v_timers integer;
begin
  with begun as materialized (
    select m.task_uuid, m.step_no, m.moved_at, s.await, t.named_task_uuid, t.namespace, e.due_at
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
      task_uuid, step_no, signal, namespace, named_task_uuid, first, waiting_since, due_at, assignee
    )
    select
      b.task_uuid, b.step_no, g.signal, b.namespace, b.named_task_uuid, g.place = 1, b.moved_at, b.due_at,
      b.await ->> 'assignee'
    from begun as b
    cross join lateral (
      select g.signal, row_number() over (order by g.signal) as place
        from (
          select distinct a.value ->> 'signal' as signal
            from jsonb_array_elements(b.await -> 'any') as a (value)
           where a.value ? 'signal'
        ) as g
    ) as g
  )
  insert into tasker.timers (task_uuid, step_no, kind, due_at)
  select b.task_uuid, b.step_no, 'end_wait'::tasker.timer_kind, b.due_at
    from begun as b
   where b.due_at is not null
  union all
  select b.task_uuid, b.step_no, 'start_child', tasker.clock()
    from begun as b
   where b.await ? 'task'
  on conflict (task_uuid, step_no, kind) do update
     set due_at = excluded.due_at;

  -- A client that sleeps until something is due learns that it may be sooner.
  get diagnostics v_timers = row_count;
  if v_timers > 0 then
    -- A step that begins anew goes on with the task that it has.
    delete from tasker.timers as d
     using unnest(p_moves) as m
     where d.task_uuid = any (array[m.task_uuid])
       and d.step_no = m.step_no
       and d.kind = 'cancel_child'
       and m.to_state = 'suspended'
       and m.event is not null;
    perform tasker.notify_orchestrators();
  end if;
end;
$$;

comment on function tasker.begin_waits(tasker.step_moves[]) is
$$What a step that was suspended waits for: a row for each signal, a timer if time can end the wait, a note to start its task. Nothing for a step whose handler asked for nothing. For the writer of moves.$$;

revoke all on function tasker.begin_waits(tasker.step_moves[]) from public;
-- <<<

-- >>> db/schema/functions/wait/private/end_waits.sql
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
       and d.kind in ('end_wait', 'start_child')
       and m.from_state = 'suspended'
       and m.event is not null
  )
  insert into tasker.timers (task_uuid, step_no, kind, due_at)
  select m.task_uuid, m.step_no, 'cancel_child', tasker.clock()
    from unnest(p_moves) as m
   cross join lateral (
     select
       from tasker.workflow_steps as s
      where s.task_uuid = m.task_uuid
        and s.step_no = m.step_no
        and s.child_task_uuid is not null
        and not s.await @> '{"task": {"abandon": true}}'
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

comment on function tasker.end_waits(tasker.step_moves[]) is
$$A step that has left suspended waits for nothing: its rows in waits and its timer go, and its task is noted to be cancelled. For the writer of moves.$$;

revoke all on function tasker.end_waits(tasker.step_moves[]) from public;
-- <<<

-- >>> db/schema/functions/wait/private/may_answer.sql
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
  -- An assignee that is no role of this server is a name for people: shown, not enforced.
  return v_role is null or coalesce(pg_has_role(v_sender, v_role, 'member'), false);
end;
$$;

comment on function tasker.may_answer(text, text) is
$$Whether this role may answer a wait that has this assignee: it is a member of that role, or there is no such role. Null for no assignee is answered by any.$$;

revoke all on function tasker.may_answer(text, text) from public;
-- <<<

-- >>> db/schema/functions/wait/private/payload_problem.sql
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
  -- Lengths and bounds speak of values of their type only, as JSON Schema has it.
  v_problem := case
    when p_schema ? 'type' and not (
      p_schema ->> 'type' = v_type
      or p_schema ->> 'type' = 'integer' and v_type = 'number' and p_value::numeric = trunc(p_value::numeric)
    ) then format('must be of type %s, not %s', p_schema ->> 'type', v_type)
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

comment on function tasker.payload_problem(jsonb, jsonb, text) is
$$What in a payload its schema does not allow, after its path; null if nothing, and without a schema.$$;

revoke all on function tasker.payload_problem(jsonb, jsonb, text) from public;
-- <<<

-- >>> db/schema/functions/wait/private/takes_signal.sql
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
          and tasker.condition_holds((a.value ->> 'when')::jsonpath, p_payload)
          and tasker.payload_problem(a.value -> 'schema', p_payload, 'payload') is null
     );
end;
$$;

comment on function tasker.takes_signal(jsonb, text, jsonb, text) is
$$Whether a wait takes a signal: its name is one of those that it waits for, the payload fits what it says of it, and its sender may answer. The one rule for signals that find their wait and for waits that find a kept signal.$$;

revoke all on function tasker.takes_signal(jsonb, text, jsonb, text) from public;
-- <<<

-- >>> db/schema/functions/wait/private/ended_wait.sql
create or replace function tasker.ended_wait(
  p_task_uuid  uuid,
  p_step_no    integer,
  p_ended_by   text,
  p_outcome    text,
  p_detail     jsonb,
  p_reason     text,
  p_actor      text
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
  if p_outcome = 'skip' then
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

comment on function tasker.ended_wait(uuid, integer, text, text, jsonb, text, text) is
$$The move of a step whose wait has ended, by p_outcome complete, fail or skip: a recorded result, as a worker's is. Its result says what ended the wait, and p_detail.$$;

revoke all on function tasker.ended_wait(uuid, integer, text, text, jsonb, text, text) from public;
-- <<<

-- >>> db/schema/functions/wait/private/consume_signal.sql
create or replace function tasker.consume_signal(p_signal tasker.task_signals, p_step_no integer)
  returns tasker.step_moves
  language plpgsql
as $$
declare
  v_ended jsonb := jsonb_build_object('name', p_signal.name, 'payload', p_signal.payload);
begin
  update tasker.task_signals as g
     set step_no     = p_step_no,
         consumed_at = tasker.write_clock()
   where g.task_uuid = p_signal.task_uuid
     and g.signal_no = p_signal.signal_no;
  if exists (
    select
      from tasker.workflow_steps as s
     where s.task_uuid = p_signal.task_uuid
       and s.step_no = p_step_no
       and s.await is null
  ) then
    return tasker.resume_move(
      p_signal.task_uuid, p_step_no, jsonb_build_object('by', 'signal') || v_ended,
      format('signal "%s"', p_signal.name), p_signal.sent_by
    );
  end if;
  return tasker.ended_wait(
    p_signal.task_uuid, p_step_no, 'signal', 'complete', v_ended,
    format('signal "%s"', p_signal.name), p_signal.sent_by
  );
end;
$$;

comment on function tasker.consume_signal(tasker.task_signals, integer) is
$$Gives a signal to a step that waits for it, once and for all, and returns the move that it makes of the step.$$;

revoke all on function tasker.consume_signal(tasker.task_signals, integer) from public;
-- <<<

-- >>> db/schema/functions/wait/private/kept_signal_moves.sql
create or replace function tasker.kept_signal_moves(p_moves tasker.step_moves[])
  returns tasker.step_moves[]
  language plpgsql
as $$
declare
  v_moves  tasker.step_moves[] := '{}';
  v_wait   record;
  v_signal tasker.task_signals;
begin
  -- In the order of the steps: each takes the oldest signal that fits it, and none takes another's.
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

comment on function tasker.kept_signal_moves(tasker.step_moves[]) is
$$The moves of steps that were just suspended and for which a signal was kept: they take it, the oldest first. The caller holds the tasks' locks, under which every signal is sent: none is missed.$$;

revoke all on function tasker.kept_signal_moves(tasker.step_moves[]) from public;
-- <<<

-- >>> db/schema/functions/wait/private/wait_end_moves.sql
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

comment on function tasker.wait_end_moves(uuid[], integer[]) is
$$Where steps go whose wait time has ended: complete for a time that they waited for, and where their template says, fail, skip or complete, for a time-out.$$;

revoke all on function tasker.wait_end_moves(uuid[], integer[]) from public;
-- <<<

-- >>> db/schema/functions/wait/private/fire_waits.sql
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
      v_moves, tasker.task_facts(array(select m.task_uuid from unnest(v_moves) as m)), false, p_processor
    );
  end if;
  -- A step that no longer waits needs its timer no more.
  delete from tasker.timers as t
   using unnest(p_task_uuids, p_step_nos) as u (task_uuid, step_no)
   where t.task_uuid = any (array[u.task_uuid])
     and t.step_no = u.step_no
     and t.kind = 'end_wait'
     and cardinality(v_moves) < cardinality(p_task_uuids);
end;
$$;

comment on function tasker.fire_waits(uuid[], integer[], uuid) is
$$The time of these steps' waits has come: they move as tasker.wait_end_moves and, for functions, tasker.resume_moves say. The caller holds their tasks' locks.$$;

revoke all on function tasker.fire_waits(uuid[], integer[], uuid) from public;
-- <<<

-- >>> db/schema/rows/wait/signal_answers.sql
create table tasker.signal_answers (
  task_uuid   uuid     not null,
  created     boolean  not null,
  signal_no   integer  not null,
  answer      text     not null,
  step_uuid   uuid,

  constraint signal_answers_row_type_check
    check (false) no inherit
);

comment on table tasker.signal_answers is
  'Row type: what became of a signal.';
comment on column tasker.signal_answers.created is
  'Whether the call created the task.';
comment on column tasker.signal_answers.answer is
  'delivered: it ended the wait of step_uuid; kept: no step waits for it yet, the next one that does takes it; repeated: its idempotency key is known, and nothing was changed.';

revoke all on table tasker.signal_answers from public;
-- <<<

-- >>> db/schema/rows/wait/signal_details.sql
create table tasker.signal_details (
  task_uuid        uuid         not null,
  signal_no        integer      not null,
  name             text         not null,
  payload          jsonb        not null,
  idempotency_key  text,
  sent_by          text         not null,
  sent_at          timestamptz  not null,
  consumed         boolean      not null,
  step_uuid        uuid,
  step_name        text,
  consumed_at      timestamptz,

  constraint signal_details_row_type_check
    check (false) no inherit
);

comment on table tasker.signal_details is
  'Row type: a signal that was sent to a task, and the step that took it.';

revoke all on table tasker.signal_details from public;
-- <<<

-- >>> db/schema/rows/wait/wait_details.sql
create table tasker.wait_details (
  step_uuid      uuid         not null,
  task_uuid      uuid         not null,
  step_no        integer      not null,
  namespace      text         not null,
  task_name      text         not null,
  task_version   text         not null,
  step_name      text         not null,
  description    text,
  waiting_since  timestamptz  not null,
  due_at         timestamptz,
  on_timeout     text         not null,
  assignee       text,
  signals        text[]       not null,
  await          jsonb        not null,
  tags           text[]       not null,
  initiator      text,

  constraint wait_details_row_type_check
    check (false) no inherit
);

comment on table tasker.wait_details is
  'Row type: a step that waits for a signal, as an inbox shows it.';
comment on column tasker.wait_details.description is
  'What the template says of the step.';
comment on column tasker.wait_details.due_at is
  'When a time ends the wait; null: only a signal does.';
comment on column tasker.wait_details.await is
  'What ends the wait, as the template says it: signals with the schema of their payload, times.';

revoke all on table tasker.wait_details from public;
-- <<<

-- >>> db/schema/functions/wait/private/check_signal.sql
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
end;
$$;

comment on function tasker.check_signal(text, jsonb, text) is
$$Raises TK422 for a signal without a name or payload or with an empty key, TK413 for one that is too large.$$;

revoke all on function tasker.check_signal(text, jsonb, text) from public;
-- <<<

-- >>> db/schema/functions/wait/private/find_taker.sql
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
  -- Of steps that will wait as well: what none of them can take is refused while its sender is there to hear it.
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

comment on function tasker.find_taker(tasker.task_signals) is
$$The step that takes a signal: of those that wait the one with the lowest number; null if none does. Raises TK403 if all steps of the task that wait or will wait for it have an assignee whom the sender is not, TK422 if its payload fits the schema of none. Linear in the task's steps. The caller holds the task's lock.$$;

revoke all on function tasker.find_taker(tasker.task_signals) from public;
-- <<<

-- >>> db/schema/functions/wait/private/deliver_signal.sql
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

  -- A key that is known is known for good: a webhook repeats what ended its task long ago.
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
    raise exception using
      errcode = 'TK409',
      message = format('task %s is %s and takes no signal', p_task_uuid, v_task.state),
      hint    = 'A task that has failed takes signals again after tasker.reset_task(task).';
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
  v_taker := tasker.find_taker(v_signal);
  insert into tasker.task_signals select (v_signal).*;

  v_answer.signal_no := v_signal.signal_no;
  v_answer.answer := case when v_taker is null then 'kept' else 'delivered' end;
  if v_taker is not null then
    v_answer.step_uuid := tasker.step_uuid(p_task_uuid, v_taker);
    perform tasker.apply_move(tasker.consume_signal(v_signal, v_taker), v_task, false);
  end if;
  return v_answer;
end;
$$;

comment on function tasker.deliver_signal(uuid, text, jsonb, text, boolean) is
$$Writes a signal to a task and, if a step waits for it, ends that wait with all that follows. Waits for the task's lock, which gives signals their order.$$;

revoke all on function tasker.deliver_signal(uuid, text, jsonb, text, boolean) from public;
-- <<<

-- >>> db/schema/functions/wait/private/task_of_key.sql
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

comment on function tasker.task_of_key(text, text, text, text) is
$$The task that has this identity key; null if none has. Raises TK404 for an unknown template, TK410 for a retired version, TK422 for a template whose identities are not keys, or without a key.$$;

revoke all on function tasker.task_of_key(text, text, text, text) from public;
-- <<<

-- >>> db/schema/functions/wait/send_signal.sql
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
  perform tasker.check_bound(p_task_uuid);
  perform tasker.check_isolation();
  perform tasker.check_signal(p_name, p_payload, p_idempotency_key);
  return next tasker.deliver_signal(p_task_uuid, p_name, p_payload, p_idempotency_key, false);
exception
  when lock_not_available then
    perform tasker.raise_task_locked(p_task_uuid);
end;
$$;

comment on function tasker.send_signal(uuid, text, jsonb, text) is
$$Sends a signal to a task. A step that waits for it takes it and is complete, and everything up to the next steps with a handler happens in this transaction: answer delivered. If no step waits for it yet it is kept, and the first step that does takes it: kept. Each signal is taken by one step; of steps that wait for the same name the one with the lowest number takes it.

A known idempotency key is answered repeated, also after the task has ended; without a key each call is another signal. Two alternatives of a wait may name the same signal with different "when": a payload that fits neither is kept.

Locks the task, then the steps that move. Raises TK404 if there is no such task, TK409 if it has ended, it has 65,535 signals, above READ COMMITTED, or another session keeps the task locked for 5 seconds; TK413 if the payload is over the setting "result_bytes" or the key longer than 1,000 characters; TK422 if the name is malformed, the payload is null or not what the schema of the waits for it allows; TK403 if the caller is not the assignee's role or bound to other namespaces.$$;

revoke all on function tasker.send_signal(uuid, text, jsonb, text) from public;
grant execute on function tasker.send_signal(uuid, text, jsonb, text)
  to tasker_submitter, tasker_worker, tasker_orchestrator, tasker_operator;
-- <<<

-- >>> db/schema/functions/wait/send_signal_by_key.sql
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
  p_headers          jsonb    default null
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
  v_creation tasker.task_creations;
begin
  perform tasker.check_bound_namespaces(array[p_namespace]);
  perform tasker.check_isolation();
  perform tasker.check_signal(p_name, p_payload, p_idempotency_key);
  v_task := tasker.task_of_key(p_namespace, p_task_name, p_identity_key, p_version);

  if v_task is null and coalesce(p_start, false) then
    begin
      v_creation := (tasker.make_tasks(
        p_namespace, p_task_name, array[p_context], p_version, array[p_identity_key], null, p_priority, p_tags,
        p_initiator, null, null, null, null, p_headers, null, null, null, null
      ))[1];
      v_task := v_creation.task_uuid;
    exception
      -- Another session has just created the task, with another context: the signal is for that one.
      when sqlstate 'TK409' then
        v_task := tasker.task_of_key(p_namespace, p_task_name, p_identity_key, p_version);
        if v_task is null then
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

comment on function tasker.send_signal_by_key(
  text, text, text, text, jsonb, text, boolean, jsonb, text, integer, text[], text, jsonb
) is
$$Sends a signal to the task that was created with this identity key, as tasker.send_signal does. With p_start a task that does not exist is created first, with p_context, p_version, p_priority, p_tags, p_initiator and p_headers, which are not looked at if it exists: a webhook that comes before its task is not lost.

Only for templates whose identity strategy is caller_provided. Locks the identity if it creates the task, then the task, then the steps that move. Raises what tasker.send_signal and, with p_start, tasker.create_task raise; TK404 if there is no such task and p_start is false; TK422 for a template with another identity strategy, or without a key.$$;

revoke all on function tasker.send_signal_by_key(
  text, text, text, text, jsonb, text, boolean, jsonb, text, integer, text[], text, jsonb
) from public;
grant execute on function tasker.send_signal_by_key(
  text, text, text, text, jsonb, text, boolean, jsonb, text, integer, text[], text, jsonb
) to tasker_submitter, tasker_worker, tasker_orchestrator, tasker_operator;
-- <<<

-- >>> db/schema/functions/wait/get_step_wait.sql
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
    s.wait -> 'any', t.tags, t.initiator
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

comment on function tasker.get_step_wait(uuid) is
$$Returns what a suspended step waits for, one row: the await of its template, or what its durable function asked for, with signals, times or both. A step whose function has changed waits for the signal "$diverged", which is never sent. No row if the step does not wait, or for its child task only.

Raises TK404 if there is no such step, TK403 if the caller is bound to other namespaces.$$;

revoke all on function tasker.get_step_wait(uuid) from public;
grant execute on function tasker.get_step_wait(uuid)
  to tasker_submitter, tasker_worker, tasker_orchestrator, tasker_operator, tasker_reader;
-- <<<

-- >>> db/schema/functions/wait/list_signals.sql
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

comment on function tasker.list_signals(uuid, integer, integer) is
$$The signals that were sent to a task, in their order, and which step took each; consumed is false for those that no step has taken. The next page begins after the last signal_no: p_after.

Raises TK404 if there is no such task, TK422 for a limit out of range, TK403 if the caller is bound to other namespaces.$$;

revoke all on function tasker.list_signals(uuid, integer, integer) from public;
grant execute on function tasker.list_signals(uuid, integer, integer)
  to tasker_submitter, tasker_worker, tasker_orchestrator, tasker_operator, tasker_reader;
-- <<<

-- >>> db/schema/functions/wait/list_waits.sql
create or replace function tasker.list_waits(
  p_namespace    text         default null,
  p_task_name    text         default null,
  p_signal       text         default null,
  p_assignee     text         default null,
  p_older_than   interval     default null,
  p_after_since  timestamptz  default null,
  p_after_step   uuid         default null,
  p_limit        integer      default 100
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
  perform tasker.check_bound_namespaces(array[p_namespace]);
  perform tasker.check_limit(p_limit, 10000);
  perform tasker.check_text_size('name of a template', p_task_name, 64);
  perform tasker.check_text_size('name of a signal', p_signal, 128);
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
    v_before := tasker.clock() - p_older_than;
  end if;
  if (p_after_since is null) <> (p_after_step is null) then
    raise exception using
      errcode = 'TK422',
      message = 'a page begins after a wait: p_after_since and p_after_step come together',
      hint    = 'Give waiting_since and step_uuid of the last row of the page before.';
  end if;

  -- Planned for the filters at hand: the index of the signal, of the assignee or of the namespace.
  return query
  select
    tasker.step_uuid(w.task_uuid, w.step_no), w.task_uuid, w.step_no, w.namespace, k.name, k.version, s.name,
    d.description, w.waiting_since, w.due_at, coalesce(s.await ->> 'on_timeout', 'complete'), w.assignee, g.signals, s.await -> 'any',
    t.tags, t.initiator
  from (
    select w.*
      from tasker.waits as w
     where (p_namespace is null or w.namespace = p_namespace)
       and (v_bound is null or w.namespace = any (v_bound))
       and (case when p_signal is null then w.first and w.signal <> '$diverged' else w.signal = p_signal end)
       and (p_assignee is null or w.assignee = p_assignee)
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
    select array_agg(o.signal order by o.signal) as signals
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

comment on function tasker.list_waits(text, text, text, text, interval, timestamptz, uuid, integer) is
$$The inbox: steps that wait for a signal, longest waiting first, that match every filter given: namespace, template, signal, assignee, a least age. Null is no filter. Steps that wait for a time only are not in it; those whose function has changed are listed for the signal "$diverged", which is never sent. A bound caller sees its namespaces only.

The next page begins after the last row of this one: p_after_since is its waiting_since, p_after_step its step_uuid. At most p_limit rows, 10,000 a page. Raises TK422 for an argument out of range, TK413 for a text that is too long, TK403 if the caller is bound to other namespaces.$$;

revoke all on function tasker.list_waits(text, text, text, text, interval, timestamptz, uuid, integer) from public;
grant execute on function tasker.list_waits(text, text, text, text, interval, timestamptz, uuid, integer)
  to tasker_submitter, tasker_worker, tasker_orchestrator, tasker_operator, tasker_reader;
-- <<<

reset role;

-- migrate:down
set local role tasker_owner;

drop function tasker.list_waits;
drop function tasker.list_signals;
drop function tasker.get_step_wait;
drop function tasker.send_signal_by_key;
drop function tasker.send_signal;
drop function tasker.task_of_key;
drop function tasker.deliver_signal;
drop function tasker.find_taker;
drop function tasker.check_signal;
drop table tasker.wait_details;
drop table tasker.signal_details;
drop table tasker.signal_answers;
drop function tasker.fire_waits;
drop function tasker.wait_end_moves;
drop function tasker.kept_signal_moves;
drop function tasker.consume_signal;
drop function tasker.ended_wait;
drop function tasker.takes_signal;
drop function tasker.payload_problem;
drop function tasker.may_answer;
drop function tasker.end_waits;
drop function tasker.begin_waits;
drop function tasker.wait_end;
drop table tasker.wait_ends;

reset role;
