-- functions: durable functions: handlers that stop and go on over kept results
-- Composed from db/schema: edit there, then compose again. Frozen by the first release tag.

-- migrate:up
set local citus.enable_ddl_propagation = off; -- Citus would repeat this on its worker nodes
set local role tasker_owner;

-- >>> db/schema/functions/kernel/suspend/private/step_wait.sql
create or replace function tasker.step_wait(p_await jsonb, p_wait jsonb, p_claim_no integer)
  returns jsonb
  language sql
  immutable
  parallel safe
begin atomic
  select coalesce(p_await, case when (p_wait ->> 'claim_no')::integer = p_claim_no then p_wait end);
end;

comment on function tasker.step_wait is
$$Returns the wait of a suspended step: the field "await" of its template, or the wait that its handler requested under its newest claim. Returns null if only an operator can resume the step.$$;
-- <<<

-- >>> db/schema/functions/kernel/suspend/private/wait_since.sql
create or replace function tasker.wait_since(p_wait jsonb, p_moved_at timestamptz)
  returns timestamptz
  language sql
  stable
  parallel safe
begin atomic
  select coalesce((p_wait ->> 'since')::timestamptz, p_moved_at);
end;

comment on function tasker.wait_since is
$$Returns the time from which the durations of a wait count: the time when the durable function first requested the wait, or the time when the step was suspended.$$;
-- <<<

-- >>> db/schema/functions/features/durable/private/check_kept_name.sql
create or replace function tasker.check_kept_name(
  p_step_uuid   uuid,
  p_claim_no    integer,
  p_position    integer,
  p_name        text,
  p_occurrence  integer
)
  returns void
  language plpgsql
  stable
  set search_path = pg_catalog, pg_temp
as $$
begin
  perform tasker.check_step_claims(array[p_step_uuid], array[p_claim_no]);
  if p_position is null or p_position < 1 or p_occurrence is null or p_occurrence < 1 then
    raise exception using
      errcode = 'TK422',
      message = format(
        'position %s and occurrence %s are not both from 1', coalesce(p_position::text, 'null'), coalesce(p_occurrence::text, 'null')
      ),
      hint    = 'Count the calls of the function, and those of each name, from 1 in every run.';
  elsif p_name is null or p_name !~ '^[$]?[a-zA-Z0-9][a-zA-Z0-9_.:/-]{0,126}$' then
    raise exception using
      errcode = 'TK422',
      message = format('"%s" is not a name for a kept result', coalesce(left(p_name, 100), 'null')),
      hint    = 'A letter or digit, then at most 126 of these, underscores, dots, colons, slashes and hyphens; clients put a dollar sign before names of their own.';
  end if;
end;
$$;

comment on function tasker.check_kept_name is
$$Raises TK422 if a call of a durable function lacks the step or the claim number, or if its position, name or occurrence is malformed.$$;
-- <<<

-- >>> db/schema/rows/features/durable/kept_answers.sql
create or replace view tasker.kept_answers as
select
  'kept'::tasker.call_answer as answer,
  null::integer as position,
  null::text as name,
  null::integer as occurrence,
  null::jsonb as value,
  null::text as error,
  null::integer as round
where false;

comment on view tasker.kept_answers is
  'Row type: the answer to a call of a durable function, and the result that is kept at the call''s position.';
comment on column tasker.kept_answers.answer is
  'kept: the call kept the result; known: an earlier call kept it; diverged: the result at this position has another name; suspended: the step waits; ended: the wait ended at once; continued: the function begins a new round; stale: the claim is no longer the current one; cancelled: the step was cancelled.';
comment on column tasker.kept_answers.round is
  'The number of times that the function has continued with a new state.';
-- <<<

-- >>> db/schema/rows/features/durable/kept_details.sql
create or replace view tasker.kept_details as
select
  0::integer as position,
  ''::text as name,
  0::integer as occurrence,
  null::jsonb as value,
  null::text as error,
  '-infinity'::timestamptz as kept_at
where false;

comment on view tasker.kept_details is
  'Row type: a result that a durable function has kept.';
comment on column tasker.kept_details.error is
  'The error that was kept instead of a value.';
-- <<<

-- >>> db/schema/functions/features/durable/private/kept_at_position.sql
create or replace function tasker.kept_at_position(
  p_task_uuid   uuid,
  p_step_no     integer,
  p_position    integer,
  p_name        text,
  p_occurrence  integer
)
  returns tasker.kept_answers
  language plpgsql
  stable
as $$
declare
  v_answer tasker.kept_answers;
begin
  select k.kept_no, k.name, k.occurrence, case when k.error is null then k.value end, k.error
    into v_answer.position, v_answer.name, v_answer.occurrence, v_answer.value, v_answer.error
    from tasker.kept_results as k
   where k.task_uuid = p_task_uuid
     and k.step_no = p_step_no
     and k.kept_no = p_position;
  if found then
    v_answer.answer := case
      when v_answer.name = p_name and v_answer.occurrence = p_occurrence then 'known'::tasker.call_answer
      else 'diverged'
    end;
  end if;
  return v_answer;
end;
$$;

comment on function tasker.kept_at_position is
$$Returns the kept result of a function at a position. The answer is "known" if the result has this name and occurrence, "diverged" if it has others, and null if no result is kept at this position.$$;
-- <<<

-- >>> db/schema/functions/features/durable/private/write_kept.sql
create or replace function tasker.write_kept(
  p_task_uuid   uuid,
  p_step_no     integer,
  p_claim_no    integer,
  p_position    integer,
  p_name        text,
  p_occurrence  integer,
  p_value       jsonb,
  p_error       text,
  p_settings    tasker.settings_now
)
  returns void
  language plpgsql
as $$
declare
  v_bytes bigint := tasker.check_kept(
    p_task_uuid, p_step_no, p_position, p_name, coalesce(octet_length(p_value::text), octet_length(p_error)), p_settings
  );
begin
  insert into tasker.kept_results (
    task_uuid, step_no, kept_no, name, occurrence, value, error, bytes, claim_no, kept_at
  )
  values (
    p_task_uuid, p_step_no, p_position, p_name, p_occurrence, coalesce(p_value, 'null'), p_error, v_bytes, p_claim_no, tasker.write_clock()
  );
end;
$$;

comment on function tasker.write_kept is
$$Writes a kept result at the next position of a function. Raises the errors of tasker.check_kept. The caller holds the step's lock.$$;
-- <<<

-- >>> db/schema/functions/features/durable/private/note_kept.sql
create or replace function tasker.note_kept(p_task_uuid uuid, p_step_no integer, p_attempts integer)
  returns void
  language plpgsql
as $$
begin
  update tasker.workflow_steps as s
     set attempts       = p_attempts,
         lost_count     = 0,
         function_round = coalesce(s.function_round, 0),
         effects        = s.effects | 64::smallint
   where s.task_uuid = p_task_uuid
     and s.step_no = p_step_no
     and (s.attempts <> p_attempts or s.lost_count <> 0 or s.function_round is null);
end;
$$;

comment on function tasker.note_kept is
$$Records in a step's row that its function has kept a result. The step's attempts and lost workers are counted from this result on. The caller holds the step's lock.$$;
-- <<<

-- >>> db/schema/functions/features/durable/private/forget_kept.sql
create or replace function tasker.forget_kept(p_task_uuids uuid[], p_step_nos integer[])
  returns void
  language plpgsql
as $$
begin
  perform set_config('tasker.forgets', 'on', true);
  delete from tasker.kept_results as k
   using unnest(p_task_uuids, p_step_nos) as u (task_uuid, step_no)
   where k.task_uuid = any (array[u.task_uuid])
     and k.step_no = u.step_no;
  perform set_config('tasker.forgets', '', true);
  update tasker.workflow_steps as s
     set wait = null
    from unnest(p_task_uuids, p_step_nos) as u (task_uuid, step_no)
   where s.task_uuid = any (array[u.task_uuid])
     and s.step_no = u.step_no
     and s.wait is not null;
end;
$$;

comment on function tasker.forget_kept is
$$Deletes the kept results and the last waits of the functions of these steps, which begin a new round. The caller holds the steps' locks.$$;
-- <<<

-- >>> db/schema/functions/features/durable/private/forget_runs.sql
create or replace function tasker.forget_runs(p_task_uuid uuid, p_step_nos integer[])
  returns void
  language plpgsql
as $$
declare
  v_nos integer[] := array(
    select s.step_no
      from tasker.workflow_steps as s
     where s.task_uuid = p_task_uuid
       and s.step_no = any (p_step_nos)
       and (s.function_round is not null or s.wait is not null)
  );
begin
  if v_nos = '{}' then
    return;
  end if;
  perform tasker.forget_kept(array_fill(p_task_uuid, array[cardinality(v_nos)]), v_nos);
  update tasker.workflow_steps as s
     set function_round = 0,
         function_state = null
   where s.task_uuid = p_task_uuid
     and s.step_no = any (v_nos)
     and s.function_round is not null;
end;
$$;

comment on function tasker.forget_runs is
$$Makes the functions of steps that run again begin at their first call: deletes their kept results, their waits and the state from continue_step. Signals and events that the functions took stay taken. The door steps_rerun calls this function, so the caller holds the locks.$$;
-- <<<

-- >>> db/schema/functions/features/durable/private/forget_last_errors.sql
create or replace function tasker.forget_last_errors(p_moves tasker.step_moves[])
  returns void
  language plpgsql
as $$
declare
  v_step record;
begin
  perform set_config('tasker.forgets', 'on', true);
  for v_step in
    select m.task_uuid, m.step_no
      from unnest(p_moves) as m
     where m.effects & 64 <> 0
  loop
    delete from tasker.kept_results as k
     where k.task_uuid = v_step.task_uuid
       and k.step_no = v_step.step_no
       and k.error is not null
       and k.kept_no = (
         select l.kept_no
           from tasker.kept_results as l
          where l.task_uuid = v_step.task_uuid
            and l.step_no = v_step.step_no
          order by l.kept_no desc
          limit 1
       );
  end loop;
  perform set_config('tasker.forgets', '', true);
end;
$$;

comment on function tasker.forget_last_errors is
$$Deletes the last kept result of functions if it is an error, so that a retry or a reset makes the call again. All other data stays: the function continues where it stopped, and keeps the signals and events that it took. The door "moved" calls this function, so the writer holds the locks.$$;
-- <<<

-- >>> db/schema/functions/features/durable/private/gather_kept.sql
create or replace function tasker.gather_kept(p_task_uuid uuid, p_step_no integer, p_round integer, p_bytes bigint)
  returns jsonb
  language plpgsql
  stable
as $$
declare
  v_count integer := 0;
  v_bytes bigint  := 0;
begin
  if p_round is null then
    return null;
  end if;
  select k.kept_no, k.bytes
    into v_count, v_bytes
    from tasker.kept_results as k
   where k.task_uuid = p_task_uuid
     and k.step_no = p_step_no
   order by k.kept_no desc
   limit 1;
  -- The name and the braces of a result have less than 200 bytes.
  return jsonb_build_object(
    'round', p_round,
    'count', coalesce(v_count, 0),
    'results', case when coalesce(v_bytes + 200 * v_count, 0) <= p_bytes then (
      select coalesce(jsonb_agg(jsonb_strip_nulls(jsonb_build_object(
          'name', k.name, 'occurrence', k.occurrence, 'error', k.error
        )) || case when k.error is null then jsonb_build_object('value', k.value) else '{}' end order by k.kept_no), '[]')
        from tasker.kept_results as k
       where k.task_uuid = p_task_uuid
         and k.step_no = p_step_no
    ) end
  ) || case when p_round > 0 then (
    select jsonb_build_object('state', s.function_state)
      from tasker.workflow_steps as s
     where s.task_uuid = p_task_uuid
       and s.step_no = p_step_no
  ) else '{}' end;
end;
$$;

comment on function tasker.gather_kept is
$$Returns the data of a durable function that a claim delivers: its round, the state with which it continued, the number of its kept results, and the results unless they are larger than p_bytes. Returns null without a query if the step has kept no result.$$;
-- <<<

-- >>> db/schema/functions/doors/claims/private/handed_kept.sql
create or replace function tasker.handed_kept(p_task_uuid uuid, p_step_no integer, p_round integer, p_bytes bigint)
  returns jsonb
  language plpgsql
  stable
as $$
begin
  return tasker.gather_kept(p_task_uuid, p_step_no, p_round, p_bytes);
end;
$$;

comment on function tasker.handed_kept is
$$Door: returns the kept results that a claim hands out in addition to the inputs of a step, at most p_bytes bytes.$$;
-- <<<

-- >>> db/schema/functions/features/durable/private/explain_kept.sql
create or replace function tasker.explain_kept(p_task_uuid uuid, p_step_no integer)
  returns text
  language plpgsql
  stable
as $$
begin
  return (
    select case k.kept_no
        when 1 then format(' Its function has kept one result, as "%s".', k.name)
        else format(' Its function has kept %s results, the last one as "%s".', k.kept_no, k.name)
      end
      from tasker.kept_results as k
     where k.task_uuid = p_task_uuid
       and k.step_no = p_step_no
     order by k.kept_no desc
     limit 1
  );
end;
$$;

comment on function tasker.explain_kept is
$$Returns a sentence with the number of kept results of a step's function and the name of the last result. Returns null if no result is kept.$$;
-- <<<

-- >>> db/schema/functions/features/durable/private/count_diverged_steps.sql
create or replace function tasker.count_diverged_steps(p_namespaces text[])
  returns bigint
  language plpgsql
  stable
as $$
begin
  -- Count by namespace, so that the index on signals is used.
  return (
    select coalesce(sum(w.steps), 0)
      from tasker.task_namespaces as n
     cross join lateral (
       select count(*) as steps
         from tasker.waits as w
        where w.namespace = n.name
          and w.signal = '$diverged'
       offset 0
     ) as w
     where p_namespaces is null
        or n.name = any (p_namespaces)
  );
end;
$$;

comment on function tasker.count_diverged_steps is
$$Counts the suspended steps of these namespaces, or of all namespaces, whose function diverged from its kept results.$$;
-- <<<

-- >>> db/schema/functions/kernel/template/private/wait_problem.sql
create or replace function tasker.wait_problem(p_wait jsonb)
  returns text
  language plpgsql
  stable
as $$
begin
  return (select concat_ws(' ', p.path, p.problem) from tasker.step_problems(p_wait) as p limit 1);
end;
$$;

comment on function tasker.wait_problem is
$$Returns the problem of a wait that has the right shape, or null. The wait is checked as a step that has only the fields "await", "timeout" and "assignee".$$;
-- <<<

-- >>> db/schema/functions/kernel/template/private/normal_wait.sql
create or replace function tasker.normal_wait(p_wait jsonb)
  returns jsonb
  language plpgsql
  immutable
as $$
begin
  return tasker.await_of(tasker.normal_step(p_wait, '[]', null));
end;
$$;

comment on function tasker.normal_wait is
$$Returns a valid wait in the form in which a step's row keeps it.$$;
-- <<<

-- >>> db/schema/functions/features/durable/private/wait_spec.sql
create or replace function tasker.wait_spec(p_wait jsonb)
  returns jsonb
  language plpgsql
  stable
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_problem text;
begin
  -- Each check is made only if the checks before it found no problem.
  if jsonb_typeof(p_wait) is distinct from 'object' then
    v_problem := 'it is not an object';
  elsif octet_length(p_wait::text) > 65536 then
    v_problem := 'it has more than 65,536 bytes';
  else
    select format('field "%s" is unknown', left(f.key, 100))
      into v_problem
      from jsonb_object_keys(p_wait) as f (key)
     where f.key not in ('await', 'timeout', 'assignee')
     order by f.key
     limit 1;
    v_problem := coalesce(v_problem, case
      when coalesce(jsonb_typeof(p_wait -> 'await'), 'null') not in ('object', 'array') then 'await must be an object or a list'
      when jsonb_typeof(p_wait -> 'await') = 'array' and jsonb_array_length(p_wait -> 'await') not between 1 and 100
        then 'await must have 1 to 100 alternatives'
      when p_wait ->> 'timeout' is not null and tasker.wait_seconds(p_wait -> 'timeout') is null
        then format('timeout is not a duration: %s', left(p_wait ->> 'timeout', 100))
      when p_wait ->> 'assignee' is not null
           and (jsonb_typeof(p_wait -> 'assignee') <> 'string' or length(p_wait ->> 'assignee') not between 1 and 200)
        then 'assignee must be a text of 1 to 200 characters'
    end);
  end if;
  if v_problem is null then
    select coalesce(
        case when jsonb_typeof(a.value) <> 'object' then 'an alternative is not an object' end,
        (
          select format('field "%s" of an alternative is unknown', left(f.key, 100))
            from jsonb_object_keys(case when jsonb_typeof(a.value) = 'object' then a.value else '{}' end) as f (key)
           where f.key not in ('signal', 'event', 'key', 'look_back', 'for', 'until', 'when', 'schema')
           limit 1
        ),
        case
          when a.value ->> 'signal' !~ '^[a-zA-Z0-9][a-zA-Z0-9_.:-]{0,127}$'
            then format('"%s" is no name of a signal', left(a.value ->> 'signal', 100))
          when a.value ->> 'event' !~ '^[a-zA-Z0-9][a-zA-Z0-9_.:-]{0,127}$'
            then format('"%s" is no name of an event', left(a.value ->> 'event', 100))
          when a.value ->> 'key' is not null and (
            jsonb_typeof(a.value -> 'key') <> 'string' or length(a.value ->> 'key') not between 1 and 500
          ) then 'key must be a text of 1 to 500 characters'
          when a.value ->> 'key' like '$%' then 'key must be a text, not a path'
          when a.value ->> 'look_back' is not null and tasker.wait_seconds(a.value -> 'look_back') is null
            then format('look_back is not a duration: %s', left(a.value ->> 'look_back', 100))
          when a.value ->> 'for' is not null and tasker.wait_seconds(a.value -> 'for') is null
            then format('for is not a duration: %s', left(a.value ->> 'for', 100))
          when a.value ->> 'until' like '$%' then 'until must be a time such as 2026-12-24T18:00:00Z'
          when length(a.value ->> 'when') > 1000 then 'when has more than 1,000 characters'
        end
      )
      into v_problem
      from jsonb_array_elements(
        case jsonb_typeof(p_wait -> 'await') when 'array' then p_wait -> 'await' else jsonb_build_array(p_wait -> 'await') end
      ) as a (value)
     order by 1
     limit 1;
  end if;
  if v_problem is null then
    v_problem := tasker.wait_problem(p_wait);
  end if;
  if v_problem is not null then
    raise exception using
      errcode = 'TK422',
      message = 'the wait of a function is malformed: ' || v_problem,
      hint    = 'For example {"await": {"signal": "approved"}, "timeout": "3d"}, or {"await": [{"signal": "paid", "when": "$.amount >= 100"}, {"for": 3600}]}.';
  end if;
  return tasker.normal_wait(p_wait) - 'on_timeout';
end;
$$;

comment on function tasker.wait_spec is
$$Returns the wait of a durable function, in the form in which a step's row stores it. p_wait has the form of the fields await, timeout and assignee of a template's step. Raises TK422 if p_wait is malformed.$$;
-- <<<

-- >>> db/schema/functions/features/durable/private/run_spec.sql
create or replace function tasker.run_spec(p_wait jsonb)
  returns jsonb
  language plpgsql
  stable
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_bytes   integer := tasker.setting_integer('result_bytes');
  v_problem text;
begin
  v_problem := case
    when jsonb_typeof(p_wait -> 'tasks') <> 'array' or jsonb_array_length(p_wait -> 'tasks') not between 1 and 1000
      then 'tasks must be a list of 1 to 1000 tasks'
    when p_wait - '{tasks,timeout}'::text[] <> '{}' then 'only a timeout may stand beside tasks'
    when p_wait ->> 'timeout' is not null and tasker.wait_seconds(p_wait -> 'timeout') is null
      then format('timeout is not a duration: %s', left(p_wait ->> 'timeout', 100))
    when octet_length(p_wait::text) > v_bytes then format('it has more than %s bytes, the setting "result_bytes"', v_bytes)
  end;
  if v_problem is null then
    select format('tasks[%s]: %s', t.no - 1, p.problem)
      into v_problem
      from jsonb_array_elements(p_wait -> 'tasks') with ordinality as t (value, no)
     cross join lateral (
       select case
         when jsonb_typeof(t.value) <> 'object' then 'must be an object'
         when t.value - '{namespace,name,version,context}'::text[] <> '{}' then 'its fields are namespace, name, version and context'
         when coalesce(t.value ->> 'name', '') = '' then 'name is missing'
         when coalesce(jsonb_typeof(t.value -> 'context'), 'object') <> 'object' then 'context must be an object'
       end as problem
     ) as p
     where p.problem is not null
     order by t.no
     limit 1;
  end if;
  if v_problem is not null then
    raise exception using
      errcode = 'TK422',
      message = 'the wait of a function is malformed: ' || v_problem,
      hint    = 'For example {"tasks": [{"name": "parcel", "context": {"order": 17}}], "timeout": "3d"}.';
  end if;
  return jsonb_strip_nulls(jsonb_build_object('any', '[]'::jsonb, 'timeout', tasker.wait_seconds(p_wait -> 'timeout')))
    || jsonb_build_object('tasks', (
      select jsonb_agg(
          jsonb_strip_nulls(t.value - 'context') || jsonb_build_object('input', coalesce(t.value -> 'context', '{}')) order by t.no
        )
        from jsonb_array_elements(p_wait -> 'tasks') with ordinality as t (value, no)
    ));
end;
$$;

comment on function tasker.run_spec is
$$Returns the tasks that a durable function starts and waits for, in the form in which a step's row stores them. Raises TK422 if the tasks are malformed.$$;
-- <<<

-- >>> db/schema/functions/features/durable/private/keep_wait_values.sql
create or replace function tasker.keep_wait_values(p_moves tasker.step_moves[])
  returns void
  language plpgsql
as $$
declare
  v_settings tasker.settings_now;
  v_step     record;
begin
  select c.* into v_settings from tasker.settings_now as c;
  v_settings.kept_bytes := 9223372036854775807;
  for v_step in
    select m.task_uuid, m.step_no, m.value, s.claim_no, s.wait
      from unnest(p_moves) as m
     cross join lateral (
       select s.claim_no, s.wait
         from tasker.workflow_steps as s
        where s.task_uuid = m.task_uuid
          and s.step_no = m.step_no
          and not s.wait ?| '{diverged,snoozed}'
       offset 0
     ) as s
     where m.from_state = 'suspended'
       and m.to_state = 'enqueued'
       and m.value is not null
     order by m.task_uuid, m.step_no
  loop
    -- suspend_step has checked the position when the wait began. So keep the value even if the function now exceeds the
    -- limits; its next call is then refused.
    v_settings.kept_results := (v_step.wait ->> 'position')::integer;
    perform tasker.write_kept(
      v_step.task_uuid, v_step.step_no, v_step.claim_no, (v_step.wait ->> 'position')::integer, v_step.wait ->> 'name',
      (v_step.wait ->> 'occurrence')::integer, v_step.value, null, v_settings
    );
    perform tasker.note_kept(v_step.task_uuid, v_step.step_no, 0);
  end loop;
end;
$$;

comment on function tasker.keep_wait_values is
$$Keeps the values that ended the waits of functions, each at the position of its wait. If a function diverged from its kept results, or was snoozed, no new value is kept. The door "moved" calls this function, so the writer holds the locks.$$;
-- <<<

-- >>> db/schema/functions/features/waits/private/resume_moves.sql
create or replace function tasker.resume_moves(p_task_uuids uuid[], p_step_nos integer[])
  returns tasker.step_moves[]
  language plpgsql
as $$
declare
  v_moves tasker.step_moves[] := '{}';
  v_step  record;
begin
  for v_step in
    select s.task_uuid, s.step_no, e.ended_by
      from unnest(p_task_uuids, p_step_nos) as u (task_uuid, step_no)
     cross join lateral (
       select s.task_uuid, s.step_no, s.wait, s.moved_at
         from tasker.workflow_steps as s
        where s.task_uuid = u.task_uuid
          and s.step_no = u.step_no
          and s.state = 'suspended'
          and s.await is null
          and tasker.step_wait(null, s.wait, s.claim_no) is not null
       offset 0
     ) as s
     cross join lateral tasker.wait_end(s.wait, '{}', tasker.wait_since(s.wait, s.moved_at)) as e
     where e.ended_by is not null
     order by s.task_uuid, s.step_no
  loop
    v_moves := v_moves || tasker.ended_wait(
      v_step.task_uuid, v_step.step_no, v_step.ended_by, 'complete', null, 'its time came', null, true
    );
  end loop;
  return v_moves;
end;
$$;

comment on function tasker.resume_moves is
$$Returns the moves that continue the durable functions of these steps whose wait has ended by time. The caller holds the locks of the steps' tasks.$$;
-- <<<

-- >>> db/schema/functions/features/durable/private/span_text.sql
create or replace function tasker.span_text(p_seconds numeric)
  returns text
  language sql
  immutable
  strict
  set search_path = pg_catalog, pg_temp
begin atomic
  select coalesce(
    nullif(
      concat_ws(
        ' ',
        nullif(div(p_seconds, 86400), 0) || 'd',
        nullif(div(mod(p_seconds, 86400), 3600), 0) || 'h',
        nullif(div(mod(p_seconds, 3600), 60), 0) || 'm',
        trim_scale(nullif(mod(p_seconds, 60), 0)) || 's'
      ),
      ''
    ),
    '0s'
  );
end;

comment on function tasker.span_text is
$$Returns a duration as text for people, in the units of templates: 14d, 1h 30m, 2.5s.$$;
-- <<<

-- >>> db/schema/functions/features/durable/private/suspend_move.sql
create or replace function tasker.suspend_move(p_step tasker.workflow_steps, p_wait jsonb)
  returns tasker.step_moves
  language plpgsql
as $$
declare
  v_move tasker.step_moves;
begin
  update tasker.workflow_steps as s
     set wait    = p_wait,
         effects = s.effects | 25::smallint
   where s.task_uuid = p_step.task_uuid
     and s.step_no = p_step.step_no;
  v_move.task_uuid := p_step.task_uuid;
  v_move.step_no := p_step.step_no;
  v_move.from_state := 'in_progress';
  v_move.held_claim_no := p_step.claim_no;
  v_move.event := 'Suspend';
  v_move.to_state := 'suspended';
  v_move.reason := case
    when p_wait ? 'snoozed' then concat_ws(
      ': ', 'snoozed for ' || tasker.span_text((p_wait #>> '{any,0,for}')::numeric), nullif(p_wait ->> 'snoozed', '')
    )
    when p_wait #>> '{diverged,position}' = '0' then format(
      'the result of "%s" does not fit what the handler asks for', p_wait #>> '{diverged,asked}'
    )
    when p_wait #>> '{diverged,asked}' = p_wait #>> '{diverged,expected}' then format(
      'the value that its call %s, "%s", has kept does not fit what the function asks for',
      p_wait #>> '{diverged,position}', p_wait #>> '{diverged,expected}'
    )
    when p_wait ? 'diverged' then format(
      'as its call %s the function asks for "%s", but "%s" is kept', p_wait #>> '{diverged,position}',
      p_wait #>> '{diverged,asked}', p_wait #>> '{diverged,expected}'
    )
    else left(concat_ws(
      ', at most ',
      (
        select format('%s tasks of "%s"', count(*), min(a.value ->> 'name'))
          from jsonb_array_elements(p_wait -> 'tasks') as a (value)
        having count(*) > 0
      ),
      (
        select string_agg(
            case
              when a.value ? 'signal' then format('signal "%s"', a.value ->> 'signal')
              when a.value ? 'event' then format('event "%s"%s', a.value ->> 'event', ', key "' || (a.value ->> 'key') || '"')
              when a.value ? 'for' then tasker.span_text((a.value ->> 'for')::numeric)
              else 'until ' || (a.value ->> 'until')
            end,
            ' or ' order by a.no
          )
          from jsonb_array_elements(p_wait -> 'any') with ordinality as a (value, no)
      ),
      tasker.span_text((p_wait ->> 'timeout')::numeric)
    ), 500)
  end;
  v_move.metadata := jsonb_build_object(
    'wait', p_wait - '{claim_no,since,tasks}'::text[]
  );
  return v_move;
end;
$$;

comment on function tasker.suspend_move is
$$Writes the wait of a running step's function into its row, and returns the move that suspends it. The caller holds the
locks of the task and the step.$$;
-- <<<

-- >>> db/schema/functions/features/durable/keep_step_result.sql
create or replace function tasker.keep_step_result(
  p_step_uuid   uuid,
  p_claim_no    integer,
  p_position    integer,
  p_name        text,
  p_occurrence  integer,
  p_value       jsonb  default null,
  p_error       text   default null
)
  returns setof tasker.kept_answers
  language plpgsql
  security definer
  set search_path = pg_catalog, pg_temp
  set lock_timeout = '5s'
  set plan_cache_mode = force_generic_plan
  set enable_hashjoin = off
  set enable_mergejoin = off
  set enable_seqscan = off
  set jit = off
  set max_parallel_workers_per_gather = 0
as $$
declare
  v_task     uuid    := tasker.task_uuid_of(p_step_uuid);
  v_no       integer := tasker.step_no_of(p_step_uuid);
  v_bytes    bigint  := coalesce(octet_length(p_value::text), octet_length(p_error));
  v_settings tasker.settings_now;
  v_step     record;
  v_last     record;
  v_answer   tasker.kept_answers;
begin
  -- One expression checks all arguments. Only if the expression is not true, the functions that find the wrong argument
  -- are called. A bounded repetition ({0,126}) in the expression would take a twentieth of the time of the call.
  if (p_claim_no is not null and p_position > 0 and p_occurrence > 0
      and p_name ~ '^[$]?[a-zA-Z0-9][a-zA-Z0-9_.:/-]*$' and octet_length(p_name) <= 127
      and current_setting('transaction_isolation') = 'read committed') is not true then
    perform tasker.check_isolation();
    perform tasker.check_kept_name(p_step_uuid, p_claim_no, p_position, p_name, p_occurrence);
  end if;
  select c.* into v_settings from tasker.settings_now as c;
  if v_settings.any_bound or tasker.is_scoped() then
    perform tasker.check_bound_steps(array[p_step_uuid]);
  end if;
  if num_nonnulls(p_value, p_error) <> 1 or p_error = '' then
    raise exception using
      errcode = 'TK422',
      message = format('"%s" has neither a value nor an error, or both', p_name),
      hint    = 'Give the value as JSON, null as the JSON null, or the text of the error.';
  elsif v_bytes > v_settings.result_bytes then
    raise exception using
      errcode = 'TK413',
      message = format('the kept result "%s" is too large', p_name),
      detail  = format('It has %s bytes, the limit is %s.', v_bytes, v_settings.result_bytes),
      hint    = 'Store large data elsewhere and keep a reference, or raise the setting "result_bytes".';
  elsif v_bytes > 2000 and tasker.is_too_deep(p_value) then
    perform tasker.check_depth(format('kept result "%s"', p_name), p_value);
  end if;

  select s.state, s.claim_no, s.attempts, s.lost_count, s.function_round, s.effects
    into v_step
    from tasker.workflow_steps as s
   where s.task_uuid = v_task
     and s.step_no = v_no
     for no key update;
  if not found then
    perform tasker.check_kept_name(p_step_uuid, p_claim_no, p_position, p_name, p_occurrence);
    perform tasker.raise_step_not_found(p_step_uuid);
  end if;
  v_answer.round := v_step.function_round;
  if v_step.state <> 'in_progress' or v_step.claim_no <> p_claim_no then
    v_answer.answer := case when v_step.state = 'cancelled' then 'cancelled'::tasker.call_answer else 'stale' end;
    return next v_answer;
    return;
  end if;

  if v_step.effects & 8192 <> 0 and p_name !~ '^[$]' then
    perform tasker.judge_value(p_step_uuid, 'kept result', p_value, p_error);
  end if;
  v_answer.round := coalesce(v_step.function_round, 0);
  v_answer.answer := 'kept';
  v_answer.position := p_position;
  v_answer.name := p_name;
  v_answer.occurrence := p_occurrence;
  v_answer.value := p_value;
  v_answer.error := p_error;
  -- The lock of the claim orders the function's calls, so the next call finds the last result. Without the lower bound
  -- the scan would read all entries of the index page, which would take a twentieth of the time of the call.
  select k.kept_no, k.bytes
    into v_last
    from tasker.kept_results as k
   where k.task_uuid = v_task
     and k.step_no = v_no
     and k.kept_no >= p_position - 1
   order by k.kept_no desc
   limit 1;
  if p_position <= v_last.kept_no then
    -- The first writer wins. The result that is kept at this position is the answer.
    v_answer := tasker.kept_at_position(v_task, v_no, p_position, p_name, p_occurrence);
    v_answer.round := v_step.function_round;
  elsif tasker.kept_fits(
    p_position, v_last.kept_no, v_bytes + coalesce(v_last.bytes, 0), v_settings.kept_results, v_settings.kept_bytes
  ) then
    insert into tasker.kept_results (
      task_uuid, step_no, kept_no, name, occurrence, value, error, bytes, claim_no, kept_at
    )
    values (
      v_task, v_no, p_position, p_name, p_occurrence, coalesce(p_value, 'null'), p_error,
      v_bytes + coalesce(v_last.bytes, 0), p_claim_no, tasker.write_clock()
    );
    if v_step.attempts <> 1 or v_step.lost_count <> 0 or v_step.function_round is null then
      perform tasker.note_kept(v_task, v_no, 1);
    end if;
  else
    perform tasker.check_kept(v_task, v_no, p_position, p_name, v_bytes, v_settings);
  end if;
  return next v_answer;
end;
$$;

comment on function tasker.keep_step_result is
$$Keeps the result (a value or an error) of a call that a running step's function made. Later runs of the function get the kept result instead of making the call. p_position counts all calls of the function, p_occurrence counts its calls of this name; both start at 1. The answer is "kept", "known" (with the result that was kept at this position before), "diverged" (the result kept at this position has another name), "stale" (the step has another claim) or "cancelled". The step's attempts count from the last kept result.

A call with an old claim number changes nothing and is answered "stale". The first result at a position stays: a repeated call is answered "known". Locks the step but not the task, so the call can be part of the transaction whose effects it records. Raises TK404 if there is no such step, TK413 if the result is larger than the setting "result_bytes" or the function would keep more than the settings "kept_results" and "kept_bytes" allow, TK422 for a malformed argument or a position that is not the next position, TK403 if the role is bound to other namespaces, TK409 above READ COMMITTED, 55P03 if another session keeps the step locked for 5 seconds.$$;

grant execute on function tasker.keep_step_result
  to tasker_worker, tasker_orchestrator, tasker_operator;
-- <<<

-- >>> db/schema/functions/features/durable/private/suspended_answer.sql
create or replace function tasker.suspended_answer(p_step tasker.workflow_steps, p_claim_no integer, p_position integer)
  returns tasker.call_answer
  language plpgsql
  immutable
as $$
begin
  return case
    when p_step.state = 'cancelled' then 'cancelled'::tasker.call_answer
    -- The caller repeats the call, because its answer was lost.
    when p_step.claim_no = p_claim_no
         and p_step.state in ('suspended', 'enqueued')
         and (p_step.wait ->> 'claim_no')::integer = p_claim_no
         and (p_step.wait ->> 'position')::integer = p_position then 'suspended'
    else 'stale'
  end;
end;
$$;

comment on function tasker.suspended_answer is
$$Returns the answer to a call of tasker.suspend_step for a step that is not in progress under that claim.$$;
-- <<<

-- >>> db/schema/functions/features/durable/private/end_of_wait.sql
create or replace function tasker.end_of_wait(p_step tasker.workflow_steps, p_wait jsonb)
  returns jsonb
  language plpgsql
as $$
declare
  v_signal tasker.task_signals;
  v_end    tasker.wait_ends;
begin
  select g.*
    into v_signal
    from tasker.task_signals as g
   where g.task_uuid = p_step.task_uuid
     and g.step_no is null
     and tasker.takes_signal(p_wait, g.name, g.payload, g.sent_by)
   order by g.signal_no
   limit 1;
  if found then
    update tasker.task_signals as g
       set step_no     = p_step.step_no,
           consumed_at = tasker.write_clock()
     where g.task_uuid = v_signal.task_uuid
       and g.signal_no = v_signal.signal_no;
    return jsonb_build_object('by', 'signal') || tasker.sent_answer(v_signal.name, v_signal.payload, v_signal.sent_at);
  end if;

  v_end := tasker.wait_end(p_wait, '{}', tasker.wait_since(p_wait, null));
  return case when v_end.due_at <= tasker.write_clock() then jsonb_build_object('by', v_end.ended_by) end;
end;
$$;

comment on function tasker.end_of_wait is
$$Returns the outcome of a wait that a function is about to begin, if the wait is over already: a kept signal, which the step takes, or a time that has passed. Returns null if the function has to wait. The caller holds the lock of the task.$$;
-- <<<

-- >>> db/schema/functions/features/durable/private/kept_fits.sql
create or replace function tasker.kept_fits(
  p_position  integer,
  p_last      integer,
  p_bytes     bigint,
  p_results   integer,
  p_most      bigint
)
  returns boolean
  language sql
  immutable
  parallel safe
begin atomic
  select p_position = coalesce(p_last, 0) + 1
     and p_position <= p_results
     and p_bytes <= p_most;
end;

comment on function tasker.kept_fits is
$$Returns true if a function whose last kept result is p_last may keep another result at p_position. p_bytes is the total size with this result. A function may keep at most p_results results and p_most bytes.$$;
-- <<<

-- >>> db/schema/functions/features/durable/suspend_step.sql
create or replace function tasker.suspend_step(
  p_step_uuid   uuid,
  p_claim_no    integer,
  p_position    integer,
  p_name        text,
  p_occurrence  integer,
  p_wait        jsonb
)
  returns setof tasker.kept_answers
  language plpgsql
  security definer
  set search_path = pg_catalog, pg_temp
  set lock_timeout = '5s'
  set plan_cache_mode = force_generic_plan
  set enable_hashjoin = off
  set enable_mergejoin = off
  set enable_seqscan = off
  set jit = off
  set max_parallel_workers_per_gather = 0
as $$
declare
  v_settings tasker.settings_now;
  v_wait     jsonb;
  v_task     tasker.task_facts;
  v_step     tasker.workflow_steps;
  v_answer   tasker.kept_answers;
begin
  perform tasker.check_isolation();
  perform tasker.check_kept_name(p_step_uuid, p_claim_no, p_position, p_name, p_occurrence);
  perform tasker.check_bound_steps(array[p_step_uuid]);
  perform tasker.check_depth('wait', p_wait);
  v_wait := case when p_wait ? 'tasks' then tasker.run_spec(p_wait) else tasker.wait_spec(p_wait) end;
  perform tasker.check_bound_namespaces(array(
    select distinct n.value ->> 'namespace' from jsonb_array_elements(v_wait -> 'tasks') as n (value) where n.value ? 'namespace'
  ));
  select c.* into v_settings from tasker.settings_now as c;

  -- Signals are sent under the task's lock. So this call finds an earlier signal, and a later signal finds the wait.
  v_task := tasker.lock_task_facts(tasker.task_uuid_of(p_step_uuid));
  select s.*
    into v_step
    from tasker.workflow_steps as s
   where s.task_uuid = tasker.task_uuid_of(p_step_uuid)
     and s.step_no = tasker.step_no_of(p_step_uuid)
     for no key update;
  if not found then
    perform tasker.raise_step_not_found(p_step_uuid);
  end if;
  if v_step.state <> 'in_progress' or v_step.claim_no <> p_claim_no then
    v_answer.round := v_step.function_round;
    v_answer.answer := tasker.suspended_answer(v_step, p_claim_no, p_position);
    return next v_answer;
    return;
  end if;
  v_answer := tasker.kept_at_position(v_step.task_uuid, v_step.step_no, p_position, p_name, p_occurrence);
  v_answer.round := coalesce(v_step.function_round, 0);
  if v_answer.answer is not null then
    return next v_answer;
    return;
  end if;
  -- The end of the wait is kept at this position later, by another call. So refuse a wrong position now.
  v_settings.kept_bytes := 9223372036854775807;
  perform tasker.check_kept(v_step.task_uuid, v_step.step_no, p_position, p_name, 0, v_settings);

  v_wait := v_wait || jsonb_build_object(
    'claim_no', p_claim_no, 'position', p_position, 'name', p_name, 'occurrence', p_occurrence,
    -- If the function makes the same call as before, durations count from the first of these calls.
    'since', case
      when (v_step.wait ->> 'position')::integer = p_position
           and v_step.wait ->> 'name' = p_name
           and (v_step.wait ->> 'occurrence')::integer = p_occurrence
        then v_step.wait -> 'since'
      else to_jsonb(tasker.write_clock())
    end
  );
  v_answer.value := tasker.end_of_wait(v_step, v_wait);
  if v_answer.value is not null then
    -- The wait is over before it began, so the function need not stop.
    perform tasker.write_kept(
      v_step.task_uuid, v_step.step_no, p_claim_no, p_position, p_name, p_occurrence, v_answer.value, null, v_settings
    );
    perform tasker.note_kept(v_step.task_uuid, v_step.step_no, 1);
    v_answer.answer := 'ended';
    v_answer.position := p_position;
    v_answer.name := p_name;
    v_answer.occurrence := p_occurrence;
  else
    perform tasker.apply_move(tasker.suspend_move(v_step, v_wait), v_task);
    v_answer.answer := 'suspended';
  end if;
  return next v_answer;
exception
  when lock_not_available then
    perform tasker.raise_task_locked(p_step_uuid);
end;
$$;

comment on function tasker.suspend_step is
$$Suspends a running step whose function waits for a signal, a duration or a time, or for the first of several of these. p_wait has the form of the fields await, timeout and assignee of a template's step: {"await": [{"signal": "approved"}, {"for": "3d"}]}. Alternatively the function starts tasks and waits for the end of all these tasks: {"tasks": [{"name": "parcel", "context": {"order": 17}}], "timeout": "3d"}. The attempt does not count. When the wait ends, its outcome is kept as the result of this call, and the step is enqueued again. A worker then runs the function from the top.

The answer is "suspended", "ended", "known", "diverged", "stale" or "cancelled". "ended" comes with the result, if a signal was there already or the time has passed; the function continues at once. "known" and "diverged" mean that a result is kept at this position. A call with an old claim number changes nothing and is answered "stale". A repeated call is answered "suspended". Locks the task, then the step. Raises TK404 if there is no such step, TK413 if the function would keep more results than the setting "kept_results", TK422 for a malformed argument or a position that is not the next position, TK403 if the role is bound to other namespaces, TK409 above READ COMMITTED or if another session keeps the task locked for 5 seconds.$$;

grant execute on function tasker.suspend_step
  to tasker_worker, tasker_orchestrator, tasker_operator;
-- <<<

-- >>> db/schema/functions/features/durable/diverge_step.sql
create or replace function tasker.diverge_step(p_step_uuid uuid, p_claim_no integer, p_position integer, p_name text)
  returns setof tasker.kept_answers
  language plpgsql
  security definer
  set search_path = pg_catalog, pg_temp
  set lock_timeout = '5s'
  set plan_cache_mode = force_generic_plan
  set enable_hashjoin = off
  set enable_mergejoin = off
  set enable_seqscan = off
  set jit = off
  set max_parallel_workers_per_gather = 0
as $$
declare
  v_task   tasker.task_facts;
  v_step   tasker.workflow_steps;
  v_times  integer;
  v_answer tasker.kept_answers;
begin
  perform tasker.check_isolation();
  perform tasker.check_kept_name(p_step_uuid, p_claim_no, case when p_position = 0 then 1 else p_position end, p_name, 1);
  perform tasker.check_bound_steps(array[p_step_uuid]);
  v_task := tasker.lock_task_facts(tasker.task_uuid_of(p_step_uuid));
  select s.*
    into v_step
    from tasker.workflow_steps as s
   where s.task_uuid = tasker.task_uuid_of(p_step_uuid)
     and s.step_no = tasker.step_no_of(p_step_uuid)
     for no key update;
  if not found then
    perform tasker.raise_step_not_found(p_step_uuid);
  end if;
  if v_step.state <> 'in_progress' or v_step.claim_no <> p_claim_no then
    v_answer.round := v_step.function_round;
    v_answer.answer := case
      when v_step.state = 'cancelled' then 'cancelled'::tasker.call_answer
      when v_step.claim_no = p_claim_no and v_step.state in ('suspended', 'enqueued') and v_step.wait ? 'diverged' then 'suspended'
      else 'stale'
    end;
    return next v_answer;
    return;
  end if;

  v_answer := tasker.kept_at_position(v_step.task_uuid, v_step.step_no, p_position, '', 0);
  if p_position = 0 then
    v_answer.name := p_name;
  elsif v_answer.answer is null then
    raise exception using
      errcode = 'TK422',
      message = format('step %s has kept nothing at position %s', p_step_uuid, p_position),
      hint    = 'A function differs from what is kept only at a position where something is kept.';
  end if;
  v_answer.round := coalesce(v_step.function_round, 0);
  v_times := case
    when v_step.wait #>> '{diverged,asked}' = p_name and (v_step.wait #>> '{diverged,position}')::integer = p_position
      then least((v_step.wait #>> '{diverged,times}')::integer, 1000) + 1
    else 1
  end;
  perform tasker.apply_move(
    tasker.suspend_move(v_step, jsonb_build_object(
      'claim_no', p_claim_no,
      -- Another worker may have the code that fits. Try again soon at first, later every five minutes.
      'any', jsonb_build_array(
        jsonb_build_object('for', least(5 * 2 ^ least(v_times, 6), 300)), jsonb_build_object('signal', '$diverged')
      ),
      'diverged', jsonb_build_object(
        'position', p_position, 'expected', v_answer.name, 'asked', p_name, 'times', v_times
      )
    )),
    v_task
  );
  v_answer.answer := 'suspended';
  return next v_answer;
exception
  when lock_not_available then
    perform tasker.raise_task_locked(p_step_uuid);
end;
$$;

comment on function tasker.diverge_step is
$$Suspends a running step whose code has changed, so that its function made another call than the call whose result is kept at p_position. p_name is the name of the call that the function made, or "$end" if the function returned. If the function made the same call but cannot read the kept value, p_name is the kept name. At position 0, p_name is the step above whose result the code cannot read, and the step may have no kept results. Nothing fails and no attempt counts. The step is tried again after 10 seconds, later every 5 minutes, by any worker, which may have the code that fits. tasker.explain_step explains the divergence, and tasker.get_system_health_counts counts it.

The answer is "suspended", with the kept result of that position, "stale" or "cancelled". A call with an old claim number
changes nothing and is answered "stale". A repeated call is answered "suspended". Locks the task, then the step. Raises
TK404 if there is no such step, TK422 if no result is kept at the position or an argument is malformed, TK403 if the role
is bound to other namespaces, TK409 above READ COMMITTED or if another session keeps the task locked for 5 seconds.$$;

grant execute on function tasker.diverge_step
  to tasker_worker, tasker_orchestrator, tasker_operator;
-- <<<

-- >>> db/schema/functions/features/durable/private/check_snooze.sql
create or replace function tasker.check_snooze(p_step_uuid uuid, p_claim_no integer, p_seconds double precision, p_reason text)
  returns void
  language plpgsql
  immutable
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_problem text := case
    when num_nulls(p_step_uuid, p_claim_no, p_seconds) > 0 then 'a snooze needs the step, the number of its claim and the seconds'
    when p_seconds not between 0.001 and 31536000 then format('a snooze of %s seconds is out of bounds', p_seconds)
    when length(p_reason) > 20000 then format('the reason of a snooze has %s characters', length(p_reason))
  end;
begin
  if v_problem is not null then
    raise exception using
      errcode = 'TK422',
      message = v_problem,
      hint    = 'A snooze lasts from a millisecond to a year, 31536000 seconds, and its reason has at most 20,000 characters.';
  end if;
end;
$$;

comment on function tasker.check_snooze is
$$Raises TK422 for a snooze without a step, a claim or a time, for a time out of bounds, and for a reason that is too long.$$;
-- <<<

-- >>> db/schema/functions/features/durable/snooze_step.sql
create or replace function tasker.snooze_step(
  p_step_uuid  uuid,
  p_claim_no   integer,
  p_seconds    double precision,
  p_reason     text              default null
)
  returns setof tasker.kept_answers
  language plpgsql
  security definer
  set search_path = pg_catalog, pg_temp
  set lock_timeout = '5s'
  set plan_cache_mode = force_generic_plan
  set enable_hashjoin = off
  set enable_mergejoin = off
  set enable_seqscan = off
  set jit = off
  set max_parallel_workers_per_gather = 0
as $$
declare
  v_task   tasker.task_facts;
  v_step   tasker.workflow_steps;
  v_answer tasker.kept_answers;
begin
  perform tasker.check_isolation();
  perform tasker.check_snooze(p_step_uuid, p_claim_no, p_seconds, p_reason);
  perform tasker.check_bound_steps(array[p_step_uuid]);
  v_task := tasker.lock_task_facts(tasker.task_uuid_of(p_step_uuid));
  select s.*
    into v_step
    from tasker.workflow_steps as s
   where s.task_uuid = tasker.task_uuid_of(p_step_uuid)
     and s.step_no = tasker.step_no_of(p_step_uuid)
     for no key update;
  if not found then
    perform tasker.raise_step_not_found(p_step_uuid);
  end if;
  if v_step.state <> 'in_progress' or v_step.claim_no <> p_claim_no then
    v_answer.answer := case
      when v_step.state = 'cancelled' then 'cancelled'::tasker.call_answer
      -- The caller repeats the call, because its answer was lost.
      when v_step.claim_no = p_claim_no and v_step.state in ('suspended', 'enqueued') and v_step.wait ? 'snoozed' then 'suspended'
      else 'stale'
    end;
    return next v_answer;
    return;
  end if;
  if v_step.effects & 8192 <> 0 then
    perform tasker.judge_value(p_step_uuid, 'reason', null, nullif(p_reason, ''));
  end if;
  perform tasker.apply_move(
    tasker.suspend_move(v_step, jsonb_build_object(
      'claim_no', p_claim_no, 'any', jsonb_build_array(jsonb_build_object('for', p_seconds)), 'snoozed', coalesce(p_reason, '')
    )),
    v_task
  );
  v_answer.answer := 'suspended';
  return next v_answer;
exception
  when lock_not_available then
    perform tasker.raise_task_locked(p_step_uuid);
end;
$$;

comment on function tasker.snooze_step is
$$Suspends a running step whose handler asks to run again after p_seconds, which is at most a year. The attempt does not count, and nothing fails. The step's history and tasker.explain_step show p_reason. At the end of the time the step is enqueued, and any worker runs the handler from the top, with the checkpoint and the kept results of the step. The step frees its places in its limits, unless its run holds these places.

The answer is "suspended", "stale" or "cancelled". A call with an old claim number changes nothing and is answered "stale". A repeated call is answered "suspended". Locks the task, then the step. Raises TK404 if there is no such step, TK422 for a time out of range, for a reason that is too long, and for an unencrypted reason if the payloads of the step are encrypted, TK403 if the role is bound to other namespaces, TK409 above READ COMMITTED or if another session keeps the task locked for 5 seconds.$$;

grant execute on function tasker.snooze_step
  to tasker_worker, tasker_orchestrator, tasker_operator;
-- <<<

-- >>> db/schema/functions/features/durable/continue_step.sql
create or replace function tasker.continue_step(
  p_step_uuid  uuid,
  p_claim_no   integer,
  p_state      jsonb,
  p_round      integer  default null
)
  returns setof tasker.kept_answers
  language plpgsql
  security definer
  set search_path = pg_catalog, pg_temp
  set lock_timeout = '5s'
  set plan_cache_mode = force_generic_plan
  set enable_hashjoin = off
  set enable_mergejoin = off
  set enable_seqscan = off
  set jit = off
  set max_parallel_workers_per_gather = 0
as $$
declare
  v_step   record;
  v_answer tasker.kept_answers;
begin
  perform tasker.check_isolation();
  perform tasker.check_step_claims(array[p_step_uuid], array[p_claim_no]);
  perform tasker.check_bound_steps(array[p_step_uuid]);
  if octet_length(p_state::text) > tasker.setting_integer('result_bytes') then
    raise exception using
      errcode = 'TK413',
      message = format('a state of %s bytes is too large', octet_length(p_state::text)),
      detail  = format('The limit is %s bytes.', tasker.setting('result_bytes')),
      hint    = 'Store large state elsewhere and keep a reference, or raise the setting "result_bytes".';
  end if;
  perform tasker.check_depth('state', p_state);

  select s.task_uuid, s.step_no, s.state, s.claim_no, s.function_round, s.effects
    into v_step
    from tasker.workflow_steps as s
   where s.task_uuid = tasker.task_uuid_of(p_step_uuid)
     and s.step_no = tasker.step_no_of(p_step_uuid)
     for no key update;
  if not found then
    perform tasker.raise_step_not_found(p_step_uuid);
  end if;
  v_answer.round := v_step.function_round;
  if v_step.state <> 'in_progress' or v_step.claim_no <> p_claim_no then
    v_answer.answer := case when v_step.state = 'cancelled' then 'cancelled'::tasker.call_answer else 'stale' end;
    return next v_answer;
    return;
  end if;
  if p_round not between 0 and coalesce(v_step.function_round, 0) then
    raise exception using
      errcode = 'TK422',
      message = format('step %s is in round %s, not in round %s', p_step_uuid, coalesce(v_step.function_round, 0), p_round),
      hint    = 'Give the round that ends: 0 until the function has continued, then the one that the last answer or the claim named.';
  elsif p_round < v_step.function_round then
    -- The round has ended already, so this call is a repeat. A repeated call must not delete the results that the next
    -- round has kept.
    v_answer.answer := 'continued';
    v_answer.round := p_round + 1;
    return next v_answer;
    return;
  end if;

  if v_step.effects & 8192 <> 0 then
    perform tasker.judge_value(p_step_uuid, 'state', p_state, null);
  end if;
  if v_step.function_round is not null then
    perform tasker.forget_kept(array[v_step.task_uuid], array[v_step.step_no]);
  end if;
  v_answer.answer := 'continued';
  v_answer.round := coalesce(v_step.function_round, 0) + 1;
  update tasker.workflow_steps as s
     set function_state   = p_state,
         function_round   = v_answer.round,
         effects          = s.effects | 64::smallint,
         wait             = null,
         attempts         = 1,
         lost_count       = 0,
         -- Keep only the open tasks, which are about to be cancelled.
         child_task_uuids = case when s.child_task_uuids is not null then array(
           select u.task_uuid
             from unnest(s.child_task_uuids) as u (task_uuid)
            cross join lateral (select t.complete from tasker.tasks as t where t.task_uuid = u.task_uuid offset 0) as t
            where not t.complete
         ) end
   where s.task_uuid = v_step.task_uuid
     and s.step_no = v_step.step_no;
  return next v_answer;
exception
  when lock_not_available then
    perform tasker.raise_task_locked(p_step_uuid);
end;
$$;

comment on function tasker.continue_step is
$$Lets a running step's function begin again with a new state: deletes all kept results of the function, and saves the state for its next run. The step's checkpoint stays, because it is not one of the kept results. The step stays claimed: its worker runs the function again from the top. Functions that run for a long time call continue_step so that their kept results stay few. The answer is "continued", with the number of the new round, "stale" or "cancelled".

A call with an old claim number changes nothing and is answered "stale". p_round is the number of the round that ends; the first round is 0. A repeated call with the same p_round, however late, gets the same answer and changes nothing. Without p_round, each call ends a round. Locks the step. Raises TK404 if there is no such step, TK413 if the state is larger than the setting "result_bytes", TK422 if the step or the claim number is null or the round has not begun, TK403 if the role is bound to other namespaces, TK409 above READ COMMITTED or if another session keeps the step locked for 5 seconds.$$;

grant execute on function tasker.continue_step
  to tasker_worker, tasker_orchestrator, tasker_operator;
-- <<<

-- >>> db/schema/functions/features/durable/get_kept_results.sql
create or replace function tasker.get_kept_results(p_step_uuid uuid, p_after integer default 0, p_limit integer default 100)
  returns setof tasker.kept_details
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
  p_limit := coalesce(p_limit, 100);
  perform tasker.check_limit(p_limit, 10000);
  perform tasker.check_bound(p_step_uuid);
  perform tasker.check_step_exists(p_step_uuid);
  return query
  select k.kept_no::integer, k.name, k.occurrence::integer, case when k.error is null then k.value end, k.error, k.kept_at
    from tasker.kept_results as k
   where k.task_uuid = tasker.task_uuid_of(p_step_uuid)
     and k.step_no = tasker.step_no_of(p_step_uuid)
     and k.kept_no > coalesce(p_after, 0)
   order by k.kept_no
   limit p_limit;
end;
$$;

comment on function tasker.get_kept_results is
$$Returns the kept results of a step's function, in the order of its calls, in pages: the last position of a page is p_after of the next page. A claim delivers these results to the worker. This function returns results that a claim omitted because they are large, and shows results to people.

Raises TK404 if there is no such step, TK422 for a limit out of range, TK403 if the caller is bound to other namespaces.$$;

grant execute on function tasker.get_kept_results
  to tasker_worker, tasker_orchestrator, tasker_operator, tasker_reader;
-- <<<

-- >>> db/schema/data/stream_settings.sql
-- down: delete from tasker.settings as s where s.name in ('stream_item_bytes', 'stream_items', 'stream_bytes');

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
  ('stream_item_bytes', 'integer', '16384', 256, 1048576, 'The largest item of a stream, and the largest value of a step, in bytes.'),
  ('stream_items', 'integer', '100000', 1000, 100000000, 'The most items that one stream of a step keeps.'),
  ('stream_bytes', 'integer', '16777216', 1048576, 1073741824, 'The most that one stream of a step keeps, in bytes.')
) as d (name, kind, value, minimum, maximum, description);
-- <<<

-- >>> db/schema/rows/features/streams/stream_answers.sql
create or replace view tasker.stream_answers as
select
  'saved'::tasker.lease_answer as answer,
  null::bigint as last_no
where false;

comment on view tasker.stream_answers is
  'Row type: the answer to a call with which a step appends to a stream or sets a value.';
comment on column tasker.stream_answers.last_no is
  'The number of the newest item of the stream, or of the newest change of the value. Null unless the answer is "saved".';
-- <<<

-- >>> db/schema/rows/features/streams/stream_entries.sql
create or replace view tasker.stream_entries as
select
  0::bigint as item_no,
  '{}'::jsonb as item,
  0::integer as attempt,
  '-infinity'::timestamptz as written_at
where false;

comment on view tasker.stream_entries is
  'Row type: an item of a stream.';
comment on column tasker.stream_entries.written_at is
  'The time when the call that appended the item began to write.';
-- <<<

-- >>> db/schema/rows/features/streams/stream_details.sql
create or replace view tasker.stream_details as
select
  '00000000-0000-0000-0000-000000000000'::uuid as task_uuid,
  '00000000-0000-0000-0000-000000000000'::uuid as step_uuid,
  0::integer as step_no,
  ''::text as step_name,
  ''::text as name,
  null::jsonb as value,
  0::bigint as first_no,
  0::bigint as last_no,
  0::bigint as bytes,
  0::integer as attempt,
  '-infinity'::timestamptz as changed_at
where false;

comment on view tasker.stream_details is
  'Row type: a value or a stream of a step.';
comment on column tasker.stream_details.value is
  'The current value. Null for a stream.';
comment on column tasker.stream_details.first_no is
  'The number of the oldest kept item. It is above 1 if old items of the stream "log" were deleted.';
comment on column tasker.stream_details.last_no is
  'The number of the newest item of a stream, or the number of changes of a value.';
comment on column tasker.stream_details.attempt is
  'The number of the step''s attempt that made the newest change.';
-- <<<

-- >>> db/schema/functions/features/streams/private/check_stream_name.sql
create or replace function tasker.check_stream_name(p_step_uuid uuid, p_name text)
  returns void
  language plpgsql
  stable
  set search_path = pg_catalog, pg_temp
as $$
begin
  if p_step_uuid is null then
    raise exception using
      errcode = 'TK422',
      message = 'the step is null',
      hint    = 'Pass the UUID of the step.';
  elsif (p_name ~ '^[a-zA-Z0-9][a-zA-Z0-9_.-]*$' and octet_length(p_name) <= 63) is not true then
    raise exception using
      errcode = 'TK422',
      message = format('%s is no name of a value or a stream', coalesce(quote_literal(left(p_name, 100)), 'null')),
      hint    = 'Give a name of at most 63 letters, digits and the characters . _ -, beginning with a letter or a digit.';
  end if;
end;
$$;

comment on function tasker.check_stream_name is
$$Raises TK422 if the step is null, or if p_name is not a valid name of a value or a stream.$$;
-- <<<

-- >>> db/schema/functions/features/streams/private/check_items.sql
create or replace function tasker.check_items(p_stream text, p_items jsonb, p_bytes bigint, p_item_bytes bigint)
  returns void
  language plpgsql
  stable
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_largest bigint;
begin
  if jsonb_typeof(p_items) is distinct from 'array' or jsonb_array_length(p_items) not between 1 and 1000 then
    raise exception using
      errcode = 'TK422',
      message = format('the items of stream "%s" are no array of 1 to 1000 items', p_stream),
      hint    = 'Append the items as a JSON array, at most 1000 in a call.';
  elsif p_bytes > 1048576 then
    raise exception using
      errcode = 'TK413',
      message = format('the items of stream "%s" are too large for one call', p_stream),
      detail  = format('The items have %s bytes, the limit is %s.', p_bytes, 1048576),
      hint    = 'Append fewer items in a call.';
  end if;
  if p_bytes > p_item_bytes then
    select max(octet_length(i.item::text)) into v_largest from jsonb_array_elements(p_items) as i (item);
    if v_largest > p_item_bytes then
      raise exception using
        errcode = 'TK413',
        message = format('an item of stream "%s" is too large', p_stream),
        detail  = format('The item has %s bytes, the limit is %s.', v_largest, p_item_bytes),
        hint    = 'Store large data elsewhere and append a reference, or raise the setting "stream_item_bytes".';
    end if;
  end if;
  if p_bytes > 2000 and tasker.is_too_deep(p_items) then
    perform tasker.check_depth(format('stream "%s"', p_stream), p_items);
  end if;
end;
$$;

comment on function tasker.check_items is
$$Raises TK422 if p_items is not an array of 1 to 1,000 items, TK413 if an item or all items together are too large. p_bytes is the size of all items.$$;
-- <<<

-- >>> db/schema/functions/features/streams/private/check_value.sql
create or replace function tasker.check_value(p_name text, p_value jsonb)
  returns void
  language plpgsql
  stable
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_bytes bigint := octet_length(p_value::text);
begin
  if v_bytes is null then
    raise exception using
      errcode = 'TK422',
      message = format('the value "%s" is null', p_name),
      hint    = 'Pass the JSON null for no value.';
  elsif v_bytes > tasker.setting_integer('stream_item_bytes') then
    raise exception using
      errcode = 'TK413',
      message = format('the value "%s" is too large', p_name),
      detail  = format('The value has %s bytes, the limit is %s.', v_bytes, tasker.setting('stream_item_bytes')),
      hint    = 'Store large data elsewhere and set a reference, or raise the setting "stream_item_bytes".';
  elsif p_name = 'progress' and (
    jsonb_typeof(p_value) = 'object' and jsonb_typeof(p_value -> 'done') = 'number'
    and p_value @@ '$.done >= 0 && $.done <= 1' and coalesce(jsonb_typeof(p_value -> 'text'), 'string') = 'string'
  ) is not true then
    raise exception using
      errcode = 'TK422',
      message = 'the value "progress" is no progress',
      detail  = left(p_value::text, 200),
      hint    = 'Set {"done": 0.4, "text": "what is being done"}: a number from 0 to 1 and, if you like, a text.';
  end if;
  if v_bytes > 2000 then
    perform tasker.check_depth(format('value "%s"', p_name), p_value);
  end if;
end;
$$;

comment on function tasker.check_value is
$$Raises TK422 if the value is null, or if the value "progress" does not have a number from 0 to 1, TK413 if the value is larger than the setting "stream_item_bytes".$$;
-- <<<

-- >>> db/schema/functions/features/streams/private/hold_stream_step.sql
create or replace function tasker.hold_stream_step(p_step_uuid uuid, p_claim_no integer)
  returns tasker.lease_answer
  language plpgsql
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_step record;
begin
  -- The lock keeps the step running until the stream's first row is committed. So an erasure, which follows the end of
  -- the step, sees the row.
  select s.state, s.claim_no, s.effects
    into v_step
    from tasker.workflow_steps as s
   where s.task_uuid = tasker.task_uuid_of(p_step_uuid)
     and s.step_no = tasker.step_no_of(p_step_uuid)
     for no key update;
  if not found then
    perform tasker.raise_step_not_found(p_step_uuid);
  end if;
  if v_step.effects & 8192 <> 0 then
    raise exception using
      errcode = 'TK422',
      message = format('the payloads of step %s are encrypted, and values and streams are stored in the clear', p_step_uuid),
      detail  = 'The template of its task says that payloads are encrypted before they leave the client.',
      hint    = 'Keep such data in a result or a checkpoint, which are encrypted.';
  end if;
  return case
    when v_step.state = 'cancelled' then 'cancelled'
    when v_step.state <> 'in_progress' or v_step.claim_no <> p_claim_no then 'stale'
    else 'saved'
  end::tasker.lease_answer;
end;
$$;

comment on function tasker.hold_stream_step is
$$Locks a step. Returns "saved" if the step has this claim, otherwise "stale" or "cancelled". Raises TK404 if there is no such step, TK422 if its payloads are encrypted.$$;
-- <<<

-- >>> db/schema/functions/features/streams/private/open_stream.sql
create or replace function tasker.open_stream(p_step_uuid uuid, p_claim_no integer, p_name text, p_is_value boolean)
  returns tasker.step_streams
  language plpgsql
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_task uuid    := tasker.task_uuid_of(p_step_uuid);
  v_no   integer := tasker.step_no_of(p_step_uuid);
  v_head tasker.step_streams;
begin
  if (select count(*) from tasker.step_streams as h where h.task_uuid = v_task and h.step_no = v_no and h.name <> p_name) >= 16 then
    raise exception using
      errcode = 'TK413',
      message = format('step %s has 16 values and streams, and may have no more', p_step_uuid),
      hint    = 'Use fewer names: items and values may be objects with many members.';
  end if;
  insert into tasker.step_streams (
    task_uuid, step_no, name, value, first_no, last_no, bytes, claim_no, batch_no, attempt, changed_at
  )
  values (
    v_task, v_no, p_name, case when p_is_value then 'null'::jsonb end, 1, 0, 0, p_claim_no, 0, 0, tasker.write_clock()
  )
  on conflict do nothing;
  select h.*
    into v_head
    from tasker.step_streams as h
   where h.task_uuid = v_task
     and h.step_no = v_no
     and h.name = p_name
     for no key update;
  if (v_head.value is not null) <> p_is_value then
    raise exception using
      errcode = 'TK409',
      message = format('"%s" of step %s is a %s', p_name, p_step_uuid, case when p_is_value then 'stream' else 'value' end),
      hint    = 'Give values and streams different names.';
  end if;
  return v_head;
end;
$$;

comment on function tasker.open_stream is
$$Creates the row of a value or a stream if the step has no row of this name, locks the row and returns it. Raises TK409 if the name belongs to a stream instead of a value, or the reverse, TK413 if the step has 16 other values and streams. The caller holds the step's lock.$$;
-- <<<

-- >>> db/schema/functions/features/streams/private/make_room.sql
create or replace function tasker.make_room(
  p_head       tasker.step_streams,
  p_count      bigint,
  p_bytes      bigint,
  p_max_items  bigint,
  p_max_bytes  bigint
)
  returns void
  language plpgsql
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_first bigint;
  v_bytes bigint;
begin
  if p_head.last_no - p_head.first_no + 1 + p_count <= p_max_items and p_head.bytes + p_bytes <= p_max_bytes then
    return;
  elsif p_head.name <> 'log' then
    raise exception using
      errcode = 'TK413',
      message = format('stream "%s" of step %s is full', p_head.name, tasker.step_uuid(p_head.task_uuid, p_head.step_no)),
      detail  = format(
        'It has %s items of %s bytes, the limits are %s items and %s bytes.',
        p_head.last_no - p_head.first_no + 1, p_head.bytes, p_max_items, p_max_bytes
      ),
      hint    = 'Append less, or raise the settings "stream_items" and "stream_bytes". Only the stream "log" loses its oldest items.';
  end if;

  -- Cut down to three quarters of the limits, so that only few calls have to cut.
  select coalesce(max(b.last_no) filter (where not b.stays), p_head.first_no - 1) + 1, coalesce(sum(b.bytes) filter (where b.stays), 0)
    into v_first, v_bytes
    from (
      select i.last_no, i.bytes,
             p_head.last_no - i.first_no + 1 + p_count <= least(p_max_items, p_max_items * 3 / 4 + p_count)
             and sum(i.bytes) over (order by i.last_no desc) + p_bytes <= least(p_max_bytes, p_max_bytes * 3 / 4 + p_bytes) as stays
        from (
          select i.first_no, i.last_no, octet_length(i.items::text) as bytes
            from tasker.stream_items as i
           where i.task_uuid = p_head.task_uuid
             and i.step_no = p_head.step_no
             and i.name = p_head.name
        ) as i
    ) as b;
  perform set_config('tasker.forgets', 'on', true);
  delete from tasker.stream_items as i
   where i.task_uuid = p_head.task_uuid
     and i.step_no = p_head.step_no
     and i.name = p_head.name
     and i.last_no < v_first;
  perform set_config('tasker.forgets', '', true);
  update tasker.step_streams as h
     set first_no = v_first,
         bytes    = v_bytes
   where h.task_uuid = p_head.task_uuid
     and h.step_no = p_head.step_no
     and h.name = p_head.name;
end;
$$;

comment on function tasker.make_room is
$$Deletes the oldest items of the stream "log" if p_count further items of p_bytes would exceed the limits of the stream. Raises TK413 if they would exceed the limits of any other stream. The caller holds the lock of the stream's row.$$;
-- <<<

-- >>> db/schema/functions/features/streams/private/write_items.sql
create or replace function tasker.write_items(
  p_task_uuid  uuid,
  p_step_no    integer,
  p_claim_no   integer,
  p_stream     text,
  p_items      jsonb,
  p_batch_no   integer,
  p_bytes      bigint,
  p_max_items  bigint,
  p_max_bytes  bigint
)
  returns bigint
  language plpgsql
as $$
declare
  v_count integer := jsonb_array_length(p_items);
  v_last  bigint;
begin
  -- A single statement checks and writes. If it had to wait for the lock of the stream's row, it checks the row as it is
  -- after the wait.
  with head as (
    update tasker.step_streams as h
       set last_no    = h.last_no + v_count,
           bytes      = h.bytes + p_bytes,
           claim_no   = p_claim_no,
           batch_no   = coalesce(p_batch_no, case when h.claim_no = p_claim_no then h.batch_no else 0 end),
           attempt    = s.attempts,
           changed_at = tasker.write_clock()
      from tasker.workflow_steps as s
     where h.task_uuid = p_task_uuid
       and h.step_no = p_step_no
       and h.name = p_stream
       and h.value is null
       and h.claim_no <= p_claim_no
       and (p_batch_no is null or h.claim_no < p_claim_no or h.batch_no < p_batch_no)
       and h.last_no - h.first_no + 1 + v_count <= p_max_items
       and h.bytes + p_bytes <= p_max_bytes
       and s.task_uuid = p_task_uuid
       and s.step_no = p_step_no
       and s.state = 'in_progress'
       and s.claim_no = p_claim_no
    returning h.last_no, h.attempt, h.changed_at
  )
  insert into tasker.stream_items (task_uuid, step_no, name, last_no, first_no, attempt, written_at, items)
  select p_task_uuid, p_step_no, p_stream, h.last_no, h.last_no - v_count + 1, h.attempt, h.changed_at, p_items
    from head as h
  returning last_no into v_last;
  return v_last;
end;
$$;

comment on function tasker.write_items is
$$Appends items to a stream that exists and has room, if the step has this claim. Returns the number of the last item, or null if no item was written. Locks the stream's row.$$;
-- <<<

-- >>> db/schema/functions/features/streams/private/notify_stream.sql
create or replace function tasker.notify_stream(p_step_uuid uuid)
  returns void
  language plpgsql
  set search_path = pg_catalog, pg_temp
as $$
begin
  -- The write to the stream has given the transaction its number, and this statement has a later snapshot. A reader that
  -- falls asleep after that snapshot knows the number, and waits for this transaction to end.
  if current_setting('transaction_isolation') = 'read committed' and not exists (
       select
         from tasker.sleepers as z
        where z.channel = 'tasker_streams.' || p_step_uuid
          and z.until > tasker.clock()
     ) then
    return;
  end if;
  if coalesce(
       (
         select n.notify
           from tasker.tasks as t
           join tasker.named_tasks as k
             on k.named_task_uuid = t.named_task_uuid
           join tasker.task_namespaces as n
             on n.task_namespace_uuid = k.task_namespace_uuid
          where t.task_uuid = tasker.task_uuid_of(p_step_uuid)
       ),
       (select s.value from tasker.settings as s where s.name = 'notify')
     ) <> 'off' then
    perform pg_notify('tasker_streams', p_step_uuid::text);
  end if;
end;
$$;

comment on function tasker.notify_stream is
$$Notifies readers that sleep until a value or a stream of a step changes, on the channel tasker_streams. Does nothing if no reader sleeps, or if the namespace or the setting "notify" turns notifications off. Call the function in a statement of its own after the write.$$;
-- <<<

-- >>> db/schema/functions/features/streams/private/forget_streams.sql
create or replace function tasker.forget_streams(p_task_uuid uuid)
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
  if not exists (select from tasker.step_streams as h where h.task_uuid = p_task_uuid) then
    return;
  end if;
  perform set_config('tasker.forgets', 'on', true);
  -- A call that began to append before the task ended holds the stream's row. So this deletion waits for that call, and
  -- the next statement sees its items.
  delete from tasker.step_streams as h where h.task_uuid = p_task_uuid;
  delete from tasker.stream_items as i where i.task_uuid = p_task_uuid;
  perform set_config('tasker.forgets', '', true);
end;
$$;

comment on function tasker.forget_streams is
$$Deletes the values and streams of a task. The caller holds the task's lock.$$;
-- <<<

-- >>> db/schema/functions/features/streams/append_items.sql
create or replace function tasker.append_items(
  p_step_uuid  uuid,
  p_claim_no   integer,
  p_stream     text,
  p_items      jsonb,
  p_batch_no   integer  default null
)
  returns setof tasker.stream_answers
  language plpgsql
  security definer
  set search_path = pg_catalog, pg_temp
  set lock_timeout = '5s'
  set plan_cache_mode = force_generic_plan
  set enable_hashjoin = off
  set enable_mergejoin = off
  set enable_seqscan = off
  set jit = off
  set max_parallel_workers_per_gather = 0
as $$
declare
  v_task   uuid    := tasker.task_uuid_of(p_step_uuid);
  v_no     integer := tasker.step_no_of(p_step_uuid);
  v_bytes  bigint  := octet_length(p_items::text);
  v_limits record;
  v_head   tasker.step_streams;
  v_answer tasker.stream_answers;
begin
  if p_claim_no is null or p_batch_no < 1 then
    perform tasker.check_step_claims(array[p_step_uuid], array[p_claim_no]);
    raise exception using
      errcode = 'TK422',
      message = 'a batch has a number below 1',
      hint    = 'Count the batches that one claim appends to a stream from 1, or leave the number out.';
  end if;
  perform tasker.check_isolation();
  perform tasker.check_stream_name(p_step_uuid, p_stream);
  perform tasker.check_bound(p_step_uuid);
  select max(s.value::bigint) filter (where s.name = 'stream_item_bytes') as item_bytes,
         max(s.value::bigint) filter (where s.name = 'stream_items') as items,
         max(s.value::bigint) filter (where s.name = 'stream_bytes') as bytes
    into v_limits
    from tasker.settings as s
   where s.name = any (array['stream_item_bytes', 'stream_items', 'stream_bytes']);
  perform tasker.check_items(p_stream, p_items, v_bytes, v_limits.item_bytes);

  v_answer.last_no := tasker.write_items(
    v_task, v_no, p_claim_no, p_stream, p_items, p_batch_no, v_bytes, v_limits.items, v_limits.bytes
  );
  if v_answer.last_no is null then
    v_answer.answer := tasker.hold_stream_step(p_step_uuid, p_claim_no);
    if v_answer.answer <> 'saved' then
      return next v_answer;
      return;
    end if;
    v_head := tasker.open_stream(p_step_uuid, p_claim_no, p_stream, false);
    if v_head.claim_no = p_claim_no and p_batch_no <= v_head.batch_no then
      v_answer.last_no := v_head.last_no;
      return next v_answer;
      return;
    end if;
    perform tasker.make_room(v_head, jsonb_array_length(p_items), v_bytes, v_limits.items, v_limits.bytes);
    v_answer.last_no := tasker.write_items(
      v_task, v_no, p_claim_no, p_stream, p_items, p_batch_no, v_bytes, v_limits.items, v_limits.bytes
    );
  end if;
  v_answer.answer := 'saved';
  perform tasker.notify_stream(p_step_uuid);
  return next v_answer;
exception
  when lock_not_available then
    perform tasker.raise_task_locked(p_step_uuid);
end;
$$;

comment on function tasker.append_items is
$$Appends items to a stream of a running step. p_items is a JSON array of at most 1,000 items. The answer is "saved", with the number of the last item, "stale" if the step has another claim, or "cancelled". Items are numbered from 1 without a gap, and become visible in the order of their numbers. So a reader that continues after a number misses no item. The items of one call are stored as one row.

p_batch_no counts the batches that the claim appends to this stream, from 1. If a call is repeated because its answer was lost, its batch is saved only once. A call with an old claim number changes nothing and is answered "stale". A full stream refuses items, except that the stream "log" loses its oldest items instead. Locks the stream's row until the commit. Before that, locks the step if this is the claim's first write to the stream or the stream is full. Raises TK404 if there is no such step, TK413 if an item is larger than the setting "stream_item_bytes", if the items together are larger than 1 MiB, if the stream would exceed the settings "stream_items" or "stream_bytes", or if the step would have more than 16 values and streams. Raises TK422 for an argument that is null or malformed, and if the payloads of the step are encrypted, TK403 if the role is bound to other namespaces, TK409 if the name is the name of a value, above READ COMMITTED, or if another session keeps the stream locked for 5 seconds.$$;

grant execute on function tasker.append_items
  to tasker_worker, tasker_orchestrator, tasker_operator;
-- <<<

-- >>> db/schema/functions/features/streams/set_value.sql
create or replace function tasker.set_value(p_step_uuid uuid, p_claim_no integer, p_name text, p_value jsonb)
  returns setof tasker.stream_answers
  language plpgsql
  security definer
  set search_path = pg_catalog, pg_temp
  set lock_timeout = '5s'
  set plan_cache_mode = force_generic_plan
  set enable_hashjoin = off
  set enable_mergejoin = off
  set enable_seqscan = off
  set jit = off
  set max_parallel_workers_per_gather = 0
as $$
declare
  v_head   tasker.step_streams;
  v_answer tasker.stream_answers;
begin
  if p_claim_no is null then
    perform tasker.check_step_claims(array[p_step_uuid], array[p_claim_no]);
  end if;
  perform tasker.check_isolation();
  perform tasker.check_stream_name(p_step_uuid, p_name);
  perform tasker.check_bound(p_step_uuid);
  perform tasker.check_value(p_name, p_value);

  v_answer.answer := tasker.hold_stream_step(p_step_uuid, p_claim_no);
  if v_answer.answer <> 'saved' then
    return next v_answer;
    return;
  end if;
  v_head := tasker.open_stream(p_step_uuid, p_claim_no, p_name, true);
  if v_head.last_no > 0 and v_head.value = p_value then
    v_answer.last_no := v_head.last_no;
  else
    update tasker.step_streams as h
       set value      = p_value,
           last_no    = h.last_no + 1,
           bytes      = octet_length(p_value::text),
           claim_no   = p_claim_no,
           attempt    = s.attempts,
           changed_at = tasker.write_clock()
      from tasker.workflow_steps as s
     where h.task_uuid = tasker.task_uuid_of(p_step_uuid)
       and h.step_no = tasker.step_no_of(p_step_uuid)
       and h.name = p_name
       and s.task_uuid = h.task_uuid
       and s.step_no = h.step_no
    returning h.last_no into v_answer.last_no;
    perform tasker.notify_stream(p_step_uuid);
  end if;
  return next v_answer;
exception
  when lock_not_available then
    perform tasker.raise_task_locked(p_step_uuid);
end;
$$;

comment on function tasker.set_value is
$$Sets a value of a running step. The last value replaces earlier values, and readers see it when the transaction commits. The answer is "saved", with the number of changes so far, "stale" if the step has another claim, or "cancelled". Setting the same value again changes nothing. The value "progress" is an object with the fields "done" (a number from 0 to 1) and "text".

A call with an old claim number changes nothing and is answered "stale". Locks the step, then the row of the value. Raises TK404 if there is no such step, TK413 if the value is larger than the setting "stream_item_bytes" or the step would have more than 16 values and streams, TK422 for an argument that is null or malformed, and if the payloads of the step are encrypted, TK403 if the role is bound to other namespaces, TK409 if the name is the name of a stream, above READ COMMITTED, or if another session keeps the step locked for 5 seconds.$$;

grant execute on function tasker.set_value
  to tasker_worker, tasker_orchestrator, tasker_operator;
-- <<<

-- >>> db/schema/functions/features/streams/read_stream.sql
create or replace function tasker.read_stream(
  p_step_uuid  uuid,
  p_stream     text,
  p_after      bigint   default 0,
  p_limit      integer  default 1000,
  p_search     text     default null
)
  returns setof tasker.stream_entries
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
  perform tasker.check_limit(p_limit, 10000);
  perform tasker.check_stream_name(p_step_uuid, p_stream);
  perform tasker.check_bound(p_step_uuid);
  perform tasker.check_step_exists(p_step_uuid);
  return query
  select b.first_no + e.place - 1, e.item, b.attempt, b.written_at
    from tasker.stream_items as b
   cross join lateral jsonb_array_elements(b.items) with ordinality as e (item, place)
   where b.task_uuid = tasker.task_uuid_of(p_step_uuid)
     and b.step_no = tasker.step_no_of(p_step_uuid)
     and b.name = p_stream
     and b.last_no > coalesce(p_after, 0)
     and b.first_no + e.place - 1 > coalesce(p_after, 0)
     and (p_search is null or position(lower(p_search) in lower(e.item::text)) > 0)
   order by b.last_no, e.place
   limit p_limit;
end;
$$;

comment on function tasker.read_stream is
$$Returns the items of a stream of a step in the order of their numbers, in pages: the last number of a page is p_after of the next page. Returns no row while the stream has no item after p_after. With p_search, returns only the items whose text contains p_search; upper and lower case do not matter. The first number is above 1 if the stream "log" has lost its oldest items.

The cost is linear in the number of items that the call reads. Raises TK404 if there is no such step, TK422 for a limit out of range or a malformed name, TK403 if the caller is bound to other namespaces.$$;

grant execute on function tasker.read_stream
  to tasker_worker, tasker_orchestrator, tasker_operator, tasker_reader;
-- <<<

-- >>> db/schema/functions/features/streams/list_streams.sql
create or replace function tasker.list_streams(
  p_uuid           uuid,
  p_name           text     default null,
  p_after_step_no  integer  default null,
  p_after_name     text     default null,
  p_limit          integer  default 100
)
  returns setof tasker.stream_details
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
  v_no integer := tasker.step_no_of(p_uuid);
begin
  p_limit := coalesce(p_limit, 100);
  perform tasker.check_limit(p_limit, 10000);
  perform tasker.check_bound(p_uuid);
  if v_no > 0 then
    perform tasker.check_step_exists(p_uuid);
  elsif not exists (select from tasker.tasks as t where t.task_uuid = p_uuid) then
    perform tasker.raise_task_not_found(p_uuid);
  end if;
  return query
  select h.task_uuid, tasker.step_uuid(h.task_uuid, h.step_no), h.step_no, s.name, h.name, h.value,
         h.first_no, h.last_no, h.bytes, h.attempt, h.changed_at
    from tasker.step_streams as h
    join tasker.workflow_steps as s
      on s.task_uuid = h.task_uuid
     and s.step_no = h.step_no
   where h.task_uuid = tasker.task_uuid_of(p_uuid)
     and h.step_no between case when v_no > 0 then v_no else 0 end and case when v_no > 0 then v_no else 2147483647 end
     and (p_name is null or h.name = p_name)
     and (p_after_step_no is null or (h.step_no, h.name) > (p_after_step_no, coalesce(p_after_name, '')))
   order by h.step_no, h.name
   limit p_limit;
end;
$$;

comment on function tasker.list_streams is
$$Returns the values and streams of a task, or of one step, in the order of steps and names. The last step number and name of a page are p_after_step_no and p_after_name of the next page. With p_name, returns only the values and streams of this name. A reader that waits for a change of a value compares last_no.

Raises TK404 if there is no such task or step, TK422 for a limit out of range, TK403 if the caller is bound to other namespaces.$$;

grant execute on function tasker.list_streams
  to tasker_worker, tasker_orchestrator, tasker_operator, tasker_reader;
-- <<<

-- >>> db/schema/functions/features/streams/list_progress.sql
create or replace function tasker.list_progress(p_task_uuids uuid[])
  returns setof tasker.stream_details
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
  perform tasker.check_limit(greatest(cardinality(p_task_uuids), 1), 1000);
  perform tasker.check_bound_steps(p_task_uuids);
  return query
  select d.*
    from unnest(p_task_uuids) with ordinality as u (task_uuid, place)
   cross join lateral (
     select h.task_uuid, tasker.step_uuid(h.task_uuid, h.step_no) as step_uuid, h.step_no, s.name as step_name, h.name, h.value,
            h.first_no, h.last_no, h.bytes, h.attempt, h.changed_at
       from (
         select h.*
           from tasker.step_streams as h
          where h.task_uuid = u.task_uuid
          order by h.step_no
          limit 1000
       ) as h
       join tasker.workflow_steps as s
         on s.task_uuid = h.task_uuid
        and s.step_no = h.step_no
      where h.name = 'progress'
      order by h.changed_at desc
      limit 1
   ) as d
   order by u.place;
end;
$$;

comment on function tasker.list_progress is
$$Returns the progress of these tasks (at most 1,000) in the given order: for each task, the newest value "progress" of its steps. A task that has no progress or does not exist has no row. Reads the first 1,000 values and streams of each task.

Raises TK422 for too many tasks, TK403 if the caller is bound to other namespaces.$$;

grant execute on function tasker.list_progress
  to tasker_worker, tasker_orchestrator, tasker_operator, tasker_reader;
-- <<<

insert into tasker.schema_builds (version, files) values ('20261121001208', 'data/stream_settings 29c4c3fdd651509d
functions/doors/claims/private/handed_kept 50afe23a55c49624
functions/features/durable/continue_step d40d6da54c1faedc
functions/features/durable/diverge_step 0a0713529eb83e6d
functions/features/durable/get_kept_results b14866aab625fa2a
functions/features/durable/keep_step_result 56f38a11538b696a
functions/features/durable/private/check_kept_name ec95283288f8aea6
functions/features/durable/private/check_snooze 020de38eaaac3716
functions/features/durable/private/count_diverged_steps e3c190b4be3593ba
functions/features/durable/private/end_of_wait f20a9aedced93b68
functions/features/durable/private/explain_kept d6a95bfcef747458
functions/features/durable/private/forget_kept e3bfcc554c51b27b
functions/features/durable/private/forget_last_errors 4780718dccffb6e4
functions/features/durable/private/forget_runs 777f7e90fa4e4054
functions/features/durable/private/gather_kept 06849dfe3537489e
functions/features/durable/private/keep_wait_values 25e2fe994daaa17c
functions/features/durable/private/kept_at_position 3479f1d993e18cbb
functions/features/durable/private/kept_fits 522fb00402dfd8d4
functions/features/durable/private/note_kept 0deae8d3439f2558
functions/features/durable/private/run_spec 7e34ca94972755f4
functions/features/durable/private/span_text 741173c2b53f15bc
functions/features/durable/private/suspend_move 7bd77c3f8c5d5b39
functions/features/durable/private/suspended_answer b4eea76c3e5757ab
functions/features/durable/private/wait_spec 0b1a38cd88b6d373
functions/features/durable/private/write_kept c3878adeb5cc8297
functions/features/durable/snooze_step a06cb3127ffc7d77
functions/features/durable/suspend_step 41a7238a795cc83d
functions/features/streams/append_items 393b915fbf5f4ef6
functions/features/streams/list_progress ce60b2d36a7d2eab
functions/features/streams/list_streams 9486e5e698d176d8
functions/features/streams/private/check_items 10aa4241faaf46e0
functions/features/streams/private/check_stream_name 0185f7927140fc2c
functions/features/streams/private/check_value 2e9d3e38fe61d89d
functions/features/streams/private/forget_streams 4f2983b48d06704f
functions/features/streams/private/hold_stream_step 7bb557671a74587f
functions/features/streams/private/make_room 1c1c61bb5abaef39
functions/features/streams/private/notify_stream 5189b4f8ec4aa090
functions/features/streams/private/open_stream 20ec32300a323a7b
functions/features/streams/private/write_items 7fdf7e85b679a32b
functions/features/streams/read_stream fb83572b6e4c2298
functions/features/streams/set_value 68ee16adcd73fe3c
functions/features/waits/private/resume_moves 91e0ab44facbea85
functions/kernel/suspend/private/step_wait 70aecd1d78ee8b04
functions/kernel/suspend/private/wait_since 481b79002df1e69e
functions/kernel/template/private/normal_wait d6b438d43b9cc1c6
functions/kernel/template/private/wait_problem a8b01b939325f195
rows/features/durable/kept_answers e61e5e80d6893462
rows/features/durable/kept_details 8ef38606fc6585a0
rows/features/streams/stream_answers 8090d09dd668c03e
rows/features/streams/stream_details 3ddb132a0d23e03e
rows/features/streams/stream_entries c1143d7b67583229
');

reset role;

-- migrate:down
set local citus.enable_ddl_propagation = off; -- Citus would repeat this on its worker nodes
set local role tasker_owner;

delete from tasker.schema_builds where version = '20261121001208';

drop function tasker.list_progress;
drop function tasker.list_streams;
drop function tasker.read_stream;
drop function tasker.set_value;
drop function tasker.append_items;
drop function tasker.forget_streams;
drop function tasker.notify_stream;
drop function tasker.write_items;
drop function tasker.make_room;
drop function tasker.open_stream;
drop function tasker.hold_stream_step;
drop function tasker.check_value;
drop function tasker.check_items;
drop function tasker.check_stream_name;
drop view tasker.stream_details;
drop view tasker.stream_entries;
drop view tasker.stream_answers;
delete from tasker.settings as s where s.name in ('stream_item_bytes', 'stream_items', 'stream_bytes');
drop function tasker.get_kept_results;
drop function tasker.continue_step;
drop function tasker.snooze_step;
drop function tasker.check_snooze;
drop function tasker.diverge_step;
drop function tasker.suspend_step;
drop function tasker.kept_fits;
drop function tasker.end_of_wait;
drop function tasker.suspended_answer;
drop function tasker.keep_step_result;
drop function tasker.suspend_move;
drop function tasker.span_text;
drop function tasker.resume_moves;
drop function tasker.keep_wait_values;
drop function tasker.run_spec;
drop function tasker.wait_spec;
drop function tasker.normal_wait;
drop function tasker.wait_problem;
drop function tasker.count_diverged_steps;
drop function tasker.explain_kept;
drop function tasker.handed_kept;
drop function tasker.gather_kept;
drop function tasker.forget_last_errors;
drop function tasker.forget_runs;
drop function tasker.forget_kept;
drop function tasker.note_kept;
drop function tasker.write_kept;
drop function tasker.kept_at_position;
drop view tasker.kept_details;
drop view tasker.kept_answers;
drop function tasker.check_kept_name;
drop function tasker.wait_since;
drop function tasker.step_wait;

reset role;
