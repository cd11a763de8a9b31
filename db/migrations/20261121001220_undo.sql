-- undo: what tasks that fail or are cancelled have done is undone
-- Composed from db/schema: edit there, then compose again. Frozen by the first release tag.

-- migrate:up
set local citus.enable_ddl_propagation = off; -- Citus would repeat this on its worker nodes
set local role tasker_owner;

-- >>> db/schema/functions/kernel/state/private/is_undone.sql
create or replace function tasker.is_undone(p_undo jsonb)
  returns boolean
  language sql
  immutable
  parallel safe
begin atomic
  select coalesce(p_undo ->> 'phase' in ('drain', 'undo'), false);
end;

comment on function tasker.is_undone is
$$Returns whether a task is being undone. Such a task ends when its steps in progress have ended and its compensations are done.$$;
-- <<<

-- >>> db/schema/functions/kernel/state/private/is_running.sql
create or replace function tasker.is_running(p_function text)
  returns boolean
  language plpgsql
  stable
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_stack text;
begin
  get diagnostics v_stack = pg_context;
  -- In the language of the server's messages, a line that names another function begins as the line of this function
  -- does.
  return strpos(chr(10) || v_stack, chr(10) || left(v_stack, strpos(v_stack, 'tasker.is_running(') - 1) || 'tasker.' || p_function) > 0;
end;
$$;

comment on function tasker.is_running is
$$Returns whether a function of schema tasker is among the callers. The function is given by its name and the types of its arguments.$$;
-- <<<

-- >>> db/schema/functions/features/undo/private/note_undo.sql
create or replace function tasker.note_undo(p_task_uuids uuid[])
  returns void
  language plpgsql
as $$
begin
  insert into tasker.timers (task_uuid, kind, due_at, namespace)
  select u.task_uuid, 'undo_task', tasker.clock(), tasker.namespace_of_task(u.task_uuid)
    from unnest(p_task_uuids) as u (task_uuid)
  on conflict (task_uuid, step_no, kind) do nothing;
  -- Wake clients that sleep until work is due, because the notes are due now.
  perform tasker.notify_orchestrators();
end;
$$;

comment on function tasker.note_undo is
$$Writes notes for tasks whose undo has a next action. The notes are timers that are due at once; usually the claim of the same exchange fires them. The caller holds the tasks' locks.$$;
-- <<<

-- >>> db/schema/functions/doors/tasks/private/tasks_moved.sql
create or replace function tasker.tasks_moved(p_ended uuid[], p_undone uuid[], p_keyed uuid[])
  returns void
  language plpgsql
as $$
declare
  v_ok text; -- an assignment, unlike PERFORM, starts no executor
begin
  if p_undone is not null then
    v_ok := tasker.note_undo(p_undone);
  end if;
  if p_ended is not null then
    v_ok := tasker.note_child_end(p_ended);
  end if;
  if p_keyed is not null then
    v_ok := tasker.leave_runs(p_keyed);
  end if;
end;
$$;

comment on function tasker.tasks_moved is
$$Door: tasks have moved. There are three lists of tasks, each null if it is empty: tasks that a step started and that have ended, tasks that have to undo their effects, and tasks that have ended and whose template limits how many tasks run. Inserts timers.$$;
-- <<<

-- >>> db/schema/functions/features/undo/private/has_to_undo.sql
create or replace function tasker.has_to_undo(p_task_uuid uuid)
  returns boolean
  language plpgsql
as $$
begin
  -- Claims do not lock the task. So lock the steps, so that a step which is just being claimed counts, too.
  perform
     from tasker.workflow_steps as s
    where s.task_uuid = p_task_uuid
      and s.state not in ('complete', 'cancelled', 'resolved_manually')
    order by s.step_no
      for no key update;
  return exists (
    select
      from tasker.workflow_steps as s
     where s.task_uuid = p_task_uuid
       and s.compensate_uuid is not null
       and s.for_each is null
       and s.owner_uuid is null
       and (s.claim_no > 0 or s.state in ('complete', 'resolved_manually'))
  );
end;
$$;

comment on function tasker.has_to_undo is
$$Returns whether a task has a step to undo: a step with a compensation that has completed or was ever claimed, and whose effect belongs to this task. Locks the task's open steps. The caller holds the task's lock.$$;
-- <<<

-- >>> db/schema/functions/features/undo/private/undone_steps.sql
create or replace function tasker.undone_steps(p_task_uuid uuid)
  returns integer[]
  language plpgsql
  stable
as $$
declare
  v_effects jsonb;
  v_tasks   uuid[];
  v_undone  integer[] := '{}';
begin
  select
    jsonb_object_agg(coalesce(s.effect_uuid, s.workflow_step_uuid), s.step_no),
    array_agg(distinct tasker.task_uuid_of(coalesce(s.owner_uuid, s.workflow_step_uuid)))
    into v_effects, v_tasks
    from tasker.workflow_steps as s
   where s.task_uuid = p_task_uuid
     and s.undo_no is null;

  -- Begin with the tasks that own the effects. If such a task was cancelled in favour of a fork, the fork owns its
  -- effects since then.
  while cardinality(v_tasks) > 0 loop
    v_undone := v_undone || array(
      select (v_effects ->> s.effect)::integer
        from unnest(v_tasks) as u (task_uuid)
       cross join lateral (
         select coalesce(s.effect_uuid, s.workflow_step_uuid)::text as effect
           from tasker.workflow_steps as s
          where s.task_uuid = u.task_uuid
            and s.undo_level > 0
         offset 0
       ) as s
       where v_effects ? s.effect
    );
    v_tasks := array(
      select (l.metadata ->> 'forked_to')::uuid
        from unnest(v_tasks) as u (task_uuid)
       cross join lateral (
         select l.metadata
           from tasker.task_transition_log as l
          where l.task_uuid = u.task_uuid
            and l.event = 'Cancel'
            and l.metadata ? 'forked_to'
         offset 0
       ) as l
    );
  end loop;
  return v_undone;
end;
$$;

comment on function tasker.undone_steps is
$$Returns the steps of a task whose effects were undone or are planned to be undone, by the task itself or by the task that owns the effect. The owner is the task from which a fork took the result, or a later fork that cancelled the former owner. Also returns steps that were planned to be undone when their task was given up. The cost is linear in the steps of these tasks.$$;
-- <<<

-- >>> db/schema/functions/features/undo/private/begin_undo.sql
create or replace function tasker.begin_undo(
  p_task            tasker.task_facts,
  p_event           text,
  p_to_state        tasker.task_state,
  p_processor_uuid  uuid,
  p_metadata        jsonb,
  p_actor           text
)
  returns void
  language plpgsql
as $$
declare
  v_reason  text        := coalesce(p_metadata ->> 'reason', p_metadata ->> 'error');
  v_seconds integer     := tasker.setting_integer('lease_seconds');
  v_until   timestamptz := tasker.write_clock() + make_interval(secs => v_seconds);
  v_running integer[];
  v_drains  boolean     := (
    select k.configuration ->> 'on_undo' = 'drain' from tasker.named_tasks as k where k.named_task_uuid = p_task.named_task_uuid
  );
begin
  p_task.undo := jsonb_strip_nulls(jsonb_build_object(
    'phase', 'drain', 'event', p_event, 'to_state', p_to_state, 'since', tasker.write_clock(), 'actor', p_actor,
    'processor_uuid', p_processor_uuid
  )) || jsonb_build_object('metadata', coalesce(p_metadata, '{}'));
  p_task.on_failure := 'drain';
  update tasker.tasks as t
     set undo = p_task.undo
   where t.task_uuid = p_task.task_uuid;
  delete from tasker.timers as m
   where m.task_uuid = p_task.task_uuid
     and m.kind in ('task_deadline', 'start_task', 'expand_map');
  delete from tasker.waiting_tasks as w where w.task_uuid = p_task.task_uuid;

  p_task := tasker.sweep_steps(p_task, 'undo', format('the task is undone: %s', coalesce(v_reason, p_event)), p_actor);
  -- Steps in progress end first, and are not tried again. Unless the template has on_undo: drain, their leases are no
  -- longer renewed, and last for at most the setting lease_seconds. After that such a step counts as lost.
  with running as (
    update tasker.workflow_steps as s
       set retryable     = false,
           undo_level    = case when v_drains then -1 else 0 end,
           lease_until   = case when v_drains then s.lease_until else least(s.lease_until, v_until) end,
           lease_seconds = case when v_drains then s.lease_seconds else least(s.lease_seconds, v_seconds) end
     where s.task_uuid = p_task.task_uuid
       and s.state = 'in_progress'
    returning s.step_no
  )
  select array_agg(r.step_no) into v_running from running as r;
  if v_running is not null and v_drains is not true then
    update tasker.step_queue as q
       set visible_at = least(q.visible_at, v_until)
     where q.task_uuid = p_task.task_uuid
       and q.step_no = any (v_running);
    perform tasker.notify_cancelled(p_task.namespace, p_task.task_uuid, v_running);
  end if;
  perform tasker.write_task(p_task, 0, 0, 0, 0, 0, '{}', null, null, p_processor_uuid);
end;
$$;

comment on function tasker.begin_undo is
$$Begins to undo a task instead of ending it. Cancels the steps that have not started, and notifies the workers of steps in progress, which end at the latest when their lease ends. With on_undo: drain, these workers are not notified, and may renew their leases. Records the event, which is carried out when the undo has ended. The caller holds the locks of the task and of its open steps.$$;
-- <<<

-- >>> db/schema/functions/doors/tasks/private/task_ending.sql
create or replace function tasker.task_ending(
  p_task            tasker.tasks,
  p_facts           tasker.task_facts,
  p_event           text,
  p_to_state        tasker.task_state,
  p_processor_uuid  uuid,
  p_metadata        jsonb,
  p_actor           text
)
  returns boolean
  language plpgsql
as $$
begin
  if tasker.is_undone(p_facts.undo) then
    if p_event = 'GiveUp' then
      perform tasker.end_undo(p_task);
    end if;
    return true;
  end if;
  if p_facts.undo ? 'phase' or not tasker.has_to_undo(p_facts.task_uuid) then
    return false;
  end if;
  perform tasker.begin_undo(p_facts, p_event, p_to_state, p_processor_uuid, p_metadata, p_actor);
  return true;
end;
$$;

comment on function tasker.task_ending is
$$Door: a task that has something to undo is about to be cancelled or to fail. Returns true if a feature has taken the move over: then the undo of the task begins instead, or is already under way. Locks the task's open steps in the order of their numbers.$$;
-- <<<

-- >>> db/schema/functions/doors/tasks/private/task_reopened.sql
create or replace function tasker.task_reopened(p_task_uuid uuid)
  returns void
  language plpgsql
as $$
declare
  v_ok text; -- an assignment, unlike PERFORM, starts no executor
begin
  v_ok := tasker.reenter_run(p_task_uuid);
end;
$$;

comment on function tasker.task_reopened is
$$Door: a task that had ended is open again, and its template limits how many tasks run. The caller holds the task's lock.$$;
-- <<<

-- >>> db/schema/functions/doors/tasks/private/tasks_made.sql
create or replace function tasker.tasks_made(p_task_uuids uuid[], p_start_at timestamptz)
  returns void
  language plpgsql
as $$
declare
  v_ok text; -- an assignment, unlike PERFORM, starts no executor
begin
  v_ok := tasker.begin_runs(p_task_uuids, p_start_at);
end;
$$;

comment on function tasker.tasks_made is
$$Door: tasks have been inserted and have not started, and their template limits how many tasks run. They start at p_start_at at the earliest.$$;
-- <<<

-- >>> db/schema/functions/features/undo/private/plan_undo.sql
create or replace function tasker.plan_undo(p_task_uuid uuid)
  returns integer
  language plpgsql
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_levels integer[] := tasker.task_levels(p_task_uuid);
  v_first  integer;
begin
  with line as materialized (
    select s.task_uuid, s.step_no, row_number() over w as place, lead(s.step_no) over w as next
      from tasker.workflow_steps as s
     where s.task_uuid = p_task_uuid
       and s.compensate_uuid is not null
       and s.for_each is null
       and s.undo_no is null
       and s.owner_uuid is null
       and (s.claim_no > 0 or s.state in ('complete', 'resolved_manually'))
    window w as (order by v_levels[s.step_no] desc, s.step_no)
  ),
  planned as (
    update tasker.workflow_steps as s
       set undo_level = v_levels[s.step_no] + 1,
           undo_next  = l.next
      from line as l
     -- Do not restrict the query to a range of task UUIDs. With such a range the planner could read all steps of the task
     -- for each row.
     where s.task_uuid = any (array[l.task_uuid])
       and s.step_no = l.step_no
  )
  select l.step_no
    into v_first
    from line as l
   where l.place = 1;
  return v_first;
end;
$$;

comment on function tasker.plan_undo is
$$Decides which steps have to be undone: steps with a compensation that have completed or were ever claimed, except steps whose effect belongs to another task. Writes the level of each step in the graph, and links the steps to a line, the highest level first. Returns the number of the first step in this line, or null if no step has to be undone. The cost is linear in the task's steps and edges.$$;
-- <<<

-- >>> db/schema/functions/features/undo/private/drain_task.sql
create or replace function tasker.drain_task(p_task tasker.tasks, p_processor uuid)
  returns tasker.tasks
  language plpgsql
as $$
declare
  v_facts tasker.task_facts := tasker.sweep_steps(
    tasker.lock_task_facts(p_task.task_uuid), 'undo', 'the task is undone', p_task.undo ->> 'actor'
  );
begin
  if v_facts.active_steps = 0 then
    v_facts.undo := v_facts.undo || jsonb_build_object('phase', 'undo', 'failed', v_facts.failed_steps)
      || jsonb_strip_nulls(jsonb_build_object('next', tasker.plan_undo(p_task.task_uuid)));
    update tasker.tasks as t
       set undo            = v_facts.undo,
           open_steps      = v_facts.open_steps,
           active_steps    = v_facts.active_steps,
           retrying_steps  = v_facts.retrying_steps,
           suspended_steps = v_facts.suspended_steps,
           failed_steps    = v_facts.failed_steps
     where t.task_uuid = p_task.task_uuid
    returning t.* into p_task;
  else
    perform tasker.write_task(v_facts, 0, 0, 0, 0, 0, '{}', null, null, p_processor);
  end if;
  return p_task;
end;
$$;

comment on function tasker.drain_task is
$$Cancels the steps that have begun to wait since the undo of the task began. If no step is in progress, decides which steps have to be undone. Returns the changed task. The caller holds the task's lock.$$;
-- <<<

-- >>> db/schema/functions/features/undo/private/walk_task.sql
create or replace function tasker.walk_task(p_task tasker.tasks, p_outcome text)
  returns void
  language plpgsql
as $$
declare
  v_now  timestamptz := greatest(tasker.write_clock(), p_task.updated_at);
  v_last record;
begin
  -- Write each transition as a path of its own, because the combined path of the outcome would imply metadata that these
  -- transitions do not have.
  insert into tasker.task_log (task_uuid, sort_key, path, login, role, created_at)
  select
    p_task.task_uuid, p_task.transition_count + p.position, tasker.task_path(p_task.task_uuid, p.from_state, p.event, p.to_state),
    case when p.position = 1 then session_user end, case when p.position = 1 then tasker.set_role() end, v_now
  from tasker.task_paths as p
  where p.outcome = p_outcome
    and p.start_state = p_task.state
  order by p.position;
  select p_task.transition_count + p.position as sort_key, p.event, p.to_state
    into v_last
    from tasker.task_paths as p
   where p.outcome = p_outcome
     and p.start_state = p_task.state
     and p.last;
  perform tasker.settle_task(
    tasker.lock_task_facts(p_task.task_uuid), v_last.sort_key, v_last.event, v_last.to_state, null, v_now
  );
end;
$$;

comment on function tasker.walk_task is
$$Moves a task along the path of an outcome, without checking the task's counters. The caller holds the task's lock.$$;
-- <<<

-- >>> db/schema/functions/features/undo/private/end_undo.sql
create or replace function tasker.end_undo(p_task tasker.tasks)
  returns void
  language plpgsql
as $$
declare
  v_event text := p_task.undo ->> 'event';
begin
  update tasker.tasks as t
     set undo = p_task.undo || '{"phase": "done"}'
   where t.task_uuid = p_task.task_uuid
  returning t.* into p_task;
  -- The event GiveUp exists only in the state blocked_by_failures.
  if v_event = 'GiveUp' and p_task.state <> 'blocked_by_failures' then
    perform tasker.walk_task(p_task, 'blocked');
    select t.* into p_task from tasker.tasks as t where t.task_uuid = p_task.task_uuid;
  end if;
  perform tasker.move_task(
    p_task, v_event, (p_task.undo ->> 'to_state')::tasker.task_state, (p_task.undo ->> 'processor_uuid')::uuid,
    p_task.undo -> 'metadata', p_task.undo ->> 'actor'
  );
end;
$$;

comment on function tasker.end_undo is
$$Ends a task that has been undone: carries out the event that began the undo, with its reason and its actor. The caller holds the task's lock.$$;
-- <<<

-- >>> db/schema/functions/features/undo/private/undo_line.sql
create or replace function tasker.undo_line(p_task_uuid uuid, p_first integer, p_limit integer)
  returns integer[]
  language plpgsql
  stable
as $$
begin
  return array(
    with recursive line as (
      select s.step_no, s.undo_level, s.undo_next, 1 as place
        from tasker.workflow_steps as s
       where s.task_uuid = p_task_uuid
         and s.step_no = p_first
      union all
      select s.step_no, s.undo_level, s.undo_next, l.place + 1
        from line as l
       cross join lateral (
         select s.step_no, s.undo_level, s.undo_next
           from tasker.workflow_steps as s
          where s.task_uuid = p_task_uuid
            and s.step_no = l.undo_next
            and s.undo_level = l.undo_level
         offset 0
       ) as s
       where l.place < p_limit
    )
    select l.step_no
      from line as l
     order by l.place
  );
end;
$$;

comment on function tasker.undo_line is
$$Returns the numbers of at most p_limit steps that are undone together: step p_first and the steps that follow it in the line and have the same level. Reads only these steps.$$;
-- <<<

-- >>> db/schema/functions/features/undo/private/undo_numbers.sql
create or replace function tasker.undo_numbers(p_task_uuid uuid, p_last integer, p_count integer, p_gap integer)
  returns integer[]
  language plpgsql
  stable
as $$
begin
  if p_last + p_count <= 65535 then
    return array(select n.no from generate_series(p_last + 1, p_last + p_count) as n (no));
  end if;
  -- There are enough numbers, because registration, maps and add_steps count each step with a compensation twice. But the
  -- free numbers may be gaps among the numbers of the template's steps.
  return array(
    select n.no
      from generate_series(coalesce(p_gap, 0) + 1, 65535) as n (no)
     where not exists (
       select
         from tasker.workflow_steps as s
        where s.task_uuid = p_task_uuid
          and s.step_no = n.no
       offset 0
     )
     limit p_count
  );
end;
$$;

comment on function tasker.undo_numbers is
$$Returns numbers for p_count compensations, ascending. These are the numbers after p_last, the task's last step number. If these numbers do not suffice, returns free numbers after p_gap, the last gap that was filled.$$;
-- <<<

-- >>> db/schema/functions/features/undo/private/insert_undo_steps.sql
create or replace function tasker.insert_undo_steps(
  p_task       tasker.tasks,
  p_namespace  text,
  p_undone     integer[],
  p_numbers    integer[]
)
  returns void
  language plpgsql
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_now timestamptz := tasker.write_clock();
begin
  insert into tasker.workflow_steps (
    task_uuid, step_no, workflow_step_uuid, named_step_uuid, name, state, max_attempts, priority, transition_count,
    timeout_seconds, backoff_base_seconds, backoff_multiplier, max_backoff_seconds, inputs, undo_no, effects
  )
  select
    p_task.task_uuid, u.step_no, tasker.step_uuid(p_task.task_uuid, u.step_no), s.compensate_uuid, 'undo ' || s.name,
    'enqueued', greatest(s.max_attempts, tasker.setting_integer('max_attempts')), s.priority, 1, s.timeout_seconds,
    s.backoff_base_seconds, s.backoff_multiplier, s.max_backoff_seconds,
    -- The claim adds the result that is undone (tasker.undo_inputs).
    jsonb_build_object('step', s.name, 'step_uuid', coalesce(s.effect_uuid, s.workflow_step_uuid), 'initialization', s.inputs)
      || case when s.state = 'complete' then '{}'::jsonb else jsonb_build_object('result_unknown', true) end
      || case when s.child_task_uuid is not null then jsonb_build_object('child_task_uuid', s.child_task_uuid) else '{}' end,
    s.step_no, s.effects & 8192::smallint
  from unnest(p_undone, p_numbers) as u (undone, step_no)
  cross join lateral (
    select s.*
      from tasker.workflow_steps as s
     where s.task_uuid = p_task.task_uuid
       and s.step_no = u.undone
    offset 0
  ) as s;

  -- Path 1 is the transition to enqueued.
  insert into tasker.step_log (
    task_uuid, step_no, sort_key, path, actor, login, role, reason, created_at
  )
  select p_task.task_uuid, u.step_no, 1, 1, p_task.undo ->> 'actor', session_user, tasker.set_role(),
         format('undoes step "%s"', s.name), v_now
    from unnest(p_undone, p_numbers) as u (undone, step_no)
   cross join lateral (
     select s.name
       from tasker.workflow_steps as s
      where s.task_uuid = p_task.task_uuid
        and s.step_no = u.undone
     offset 0
   ) as s;

  insert into tasker.step_queue (task_uuid, step_no, namespace, lane, named_step_uuid, visible_at)
  select p_task.task_uuid, s.step_no, p_namespace, tasker.step_lane('enqueued', s.priority), s.named_step_uuid, v_now
    from unnest(p_numbers) as u (step_no)
   cross join lateral (
     select s.step_no, s.priority, s.named_step_uuid
       from tasker.workflow_steps as s
      where s.task_uuid = p_task.task_uuid
        and s.step_no = u.step_no
     offset 0
   ) as s;
end;
$$;

comment on function tasker.insert_undo_steps is
$$Inserts the compensations of steps as enqueued steps with the numbers p_numbers. Inserts the steps, which are named "undo" followed by the name of the undone step, their log with the actor of the undo, and their queue rows. The inputs of a compensation are the name and the inputs of the undone step, the UUID of the step that had the effect, and result_unknown if that step has no result. The caller holds the task's lock and updates the task's counters.$$;
-- <<<

-- >>> db/schema/functions/features/undo/private/undo_next.sql
create or replace function tasker.undo_next(p_task tasker.tasks, p_limit integer, p_processor uuid)
  returns integer
  language plpgsql
as $$
declare
  v_facts   tasker.task_facts := tasker.lock_task_facts(p_task.task_uuid);
  v_first   integer           := (p_task.undo ->> 'next')::integer;
  v_last    integer           := (select max(s.step_no) from tasker.workflow_steps as s where s.task_uuid = p_task.task_uuid);
  v_undone  integer[];
  v_numbers integer[];
  v_next    integer;
  v_rest    boolean;
begin
  -- A level begins when all steps of the higher level are undone. If a compensation has failed permanently, wait for an
  -- operator.
  if v_facts.open_steps > 0 and not p_task.undo ? 'rest' or v_facts.failed_steps > (p_task.undo ->> 'failed')::integer then
    perform tasker.write_task(v_facts, 0, 0, 0, 0, 0, '{}', null, null, p_processor);
    return 0;
  elsif v_first is null then
    perform tasker.end_undo(p_task);
    return 0;
  end if;

  -- Read one step more than may start, to see whether the level has further steps.
  v_undone := tasker.undo_line(p_task.task_uuid, v_first, p_limit + 1);
  v_rest := cardinality(v_undone) > p_limit;
  v_undone := v_undone[:p_limit];
  v_numbers := tasker.undo_numbers(
    p_task.task_uuid, v_last, cardinality(v_undone), (p_task.undo ->> 'gap')::integer
  );
  v_next := (
    select s.undo_next
      from tasker.workflow_steps as s
     where s.task_uuid = p_task.task_uuid
       and s.step_no = v_undone[cardinality(v_undone)]
  );
  perform tasker.insert_undo_steps(p_task, v_facts.namespace, v_undone, v_numbers);
  v_facts.undo := p_task.undo - 'next' - 'rest'
    || case when v_next is not null then jsonb_build_object('next', v_next) else '{}' end
    || case when v_rest then '{"rest": true}'::jsonb else '{}' end
    || case when v_numbers[1] < v_last then jsonb_build_object('gap', v_numbers[cardinality(v_numbers)]) else '{}' end;
  update tasker.tasks as t
     set undo = v_facts.undo
   where t.task_uuid = p_task.task_uuid;
  -- Other transactions start the rest of the level, after other due timers.
  if v_rest then
    perform tasker.note_undo(array[p_task.task_uuid]);
  end if;
  perform tasker.start_instances(v_facts, v_numbers, false, p_processor);
  return cardinality(v_numbers);
end;
$$;

comment on function tasker.undo_next is
$$Starts at most p_limit compensations of the highest level that is not yet undone, or ends the task if no step is left to undo. Starts no compensation while compensations of a higher level run, or after a compensation has failed permanently. Returns the number of started compensations. The caller holds the task's lock. Reads only the steps that are undone.$$;
-- <<<

-- >>> db/schema/functions/features/undo/private/undo_tasks.sql
create or replace function tasker.undo_tasks(p_task_uuids uuid[], p_processor uuid)
  returns void
  language plpgsql
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_budget integer := 1000;
  v_task   tasker.tasks;
begin
  for v_task in
    select t.*
      from (select distinct u.task_uuid from unnest(p_task_uuids) as u (task_uuid) order by u.task_uuid) as u
     cross join lateral (
       select t.*
         from tasker.tasks as t
        where t.task_uuid = u.task_uuid
       offset 0
     ) as t
     order by t.task_uuid
  loop
    -- The notes of the remaining tasks stay due.
    exit when v_budget <= 0;
    delete from tasker.timers as m
     where m.task_uuid = v_task.task_uuid
       and m.step_no = 0
       and m.kind = 'undo_task';
    continue when v_task.complete;
    if v_task.undo ->> 'phase' = 'drain' then
      v_task := tasker.drain_task(v_task, p_processor);
    end if;
    if v_task.undo ->> 'phase' = 'undo' then
      v_budget := v_budget - 1 - tasker.undo_next(v_task, v_budget, p_processor);
    elsif v_task.state = 'blocked_by_failures' and not v_task.undo ? 'phase' and exists (
      select
        from tasker.named_tasks as k
       where k.named_task_uuid = v_task.named_task_uuid
         and k.on_failure = 'fail'
    ) then
      perform tasker.move_task(v_task, 'GiveUp', 'error', null, '{"on_failure": "fail"}', null);
    end if;
  end loop;
end;
$$;

comment on function tasker.undo_tasks is
$$Does the next action of the undo of each of these tasks: ends the phase in which running steps end, starts the compensations of a level, or ends the task. Gives up a blocked task whose template has on_failure: fail, so that its undo begins or it fails. Inserts about a thousand compensations in a call. The caller holds the tasks' locks.$$;
-- <<<

-- >>> db/schema/functions/features/undo/private/undo_inputs.sql
create or replace function tasker.undo_inputs(p_task_uuid uuid, p_undo_no integer, p_inputs jsonb, p_share bigint)
  returns jsonb
  language plpgsql
  stable
as $$
declare
  v_result jsonb;
begin
  if p_inputs ? 'result_unknown' then
    -- The step was to run again. Its log has the result of its previous run.
    select l.metadata -> 'replaced'
      into v_result
      from tasker.step_log as l
     where l.task_uuid = p_task_uuid
       and l.step_no = p_undo_no
       and l.metadata ? 'replaced'
     order by l.sort_key desc
     limit 1;
    return p_inputs || case
      when v_result is null then '{}'
      when octet_length(p_inputs::text) + octet_length(v_result::text) > p_share then '{"result_omitted": true}'::jsonb
      else jsonb_build_object('replaced_result', v_result)
    end;
  end if;
  select s.results
    into v_result
    from tasker.workflow_steps as s
   where s.task_uuid = p_task_uuid
     and s.step_no = p_undo_no;
  return p_inputs || case
    when octet_length(p_inputs::text) + octet_length(v_result::text) > p_share then '{"result_omitted": true}'::jsonb
    else jsonb_build_object('result', v_result)
  end;
end;
$$;

comment on function tasker.undo_inputs is
$$Returns the inputs of a compensation together with the result of the step that it undoes. If both have more than p_share bytes, the inputs have result_omitted instead of the result. A step that was to run again has no result; its compensation gets the step's previous result as replaced_result.$$;
-- <<<

-- >>> db/schema/functions/features/branches/private/failure_inputs.sql
create or replace function tasker.failure_inputs(p_task_uuid uuid, p_step_no integer, p_inputs jsonb, p_bytes bigint)
  returns jsonb
  language plpgsql
  stable
as $$
declare
  v_above    integer[] := tasker.step_ancestors(tasker.step_uuid(p_task_uuid, p_step_no));
  v_failures jsonb     := (
    select coalesce(jsonb_agg(f.failure order by f.place), '[]')
      from (
        select u.place, jsonb_build_object(
            'step', p.name, 'error', left(p.last_error, 1000), 'attempts', p.attempts, 'failed_at', p.last_failure_at
          ) as failure
          from unnest(tasker.taken_failures(p_task_uuid)) with ordinality as u (step_no, place)
         cross join lateral (
           select p.name, p.last_error, p.attempts, p.last_failure_at
             from tasker.workflow_steps as p
            where p.task_uuid = p_task_uuid
              and p.step_no = u.step_no
           offset 0
         ) as p
         where v_above[u.step_no] > 0
         order by u.place
         limit 100
      ) as f
  );
begin
  -- Keep the first failure even if it is too large. Without any failure the handler would assume that no step failed.
  if octet_length(v_failures::text) > p_bytes then
    v_failures := jsonb_build_array(v_failures -> 0);
  end if;
  return p_inputs || jsonb_build_object('failures', v_failures);
end;
$$;

comment on function tasker.failure_inputs is
$$Returns the inputs of a step that waits for a failure, with the field "failures" added. The field has at most 100 failures of steps above this step, the earliest failure first, each with step, error, attempts and failed_at. If all failures together have more than p_bytes bytes, only the first failure is returned. The array is empty if no step failed.$$;
-- <<<

-- >>> db/schema/functions/doors/claims/private/handed_inputs.sql
create or replace function tasker.handed_inputs(p_task_uuid uuid, p_step_no integer, p_undo_no integer, p_inputs jsonb, p_bytes bigint)
  returns jsonb
  language plpgsql
  stable
as $$
begin
  if p_undo_no = 0 then
    return tasker.failure_inputs(p_task_uuid, p_step_no, p_inputs, p_bytes);
  end if;
  return tasker.undo_inputs(p_task_uuid, p_undo_no, p_inputs, p_bytes);
end;
$$;

comment on function tasker.handed_inputs is
$$Door: returns the inputs that a claim hands out for a step that undoes another step or waits for a failure. A step that undoes another step gets that step's result, unless the result has more than p_bytes bytes. A step that waits for a failure, whose p_undo_no is 0, gets the failures.$$;
-- <<<

-- >>> db/schema/functions/kernel/claim/private/end_leases.sql
create or replace function tasker.end_leases(p_step_uuids uuid[], p_claim_nos integer[], p_held boolean[])
  returns tasker.step_moves[]
  language plpgsql
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_now   timestamptz := tasker.write_clock();
  v_moves tasker.step_moves[];
begin
  with ended as (
    update tasker.workflow_steps as s
       set lease_until = v_now
      from unnest(p_step_uuids, p_claim_nos, p_held) as u (step_uuid, claim_no, held)
     where s.task_uuid = any (array[tasker.task_uuid_of(u.step_uuid)])
       and s.step_no = tasker.step_no_of(u.step_uuid)
       and s.claim_no = u.claim_no
       and s.state = 'in_progress'
       and s.undo_level is not null
       and u.held
    returning s.task_uuid, s.step_no
  )
  select array_agg(tasker.step_move(
    p_task_uuid => e.task_uuid, p_step_no => e.step_no, p_from_state => 'in_progress', p_to_state => 'in_progress'
  ))
    into v_moves
    from ended as e;
  update tasker.step_queue as q
     set visible_at = v_now
    from unnest(v_moves) as m
   where q.task_uuid = any (array[m.task_uuid])
     and q.step_no = m.step_no;
  return v_moves;
end;
$$;

comment on function tasker.end_leases is
$$Ends the leases of claimed steps whose task is being undone, when their worker releases them. The steps are not tried again: later claims find them lost. Returns a row for each of these steps. The caller holds the locks of the steps.$$;
-- <<<

-- >>> db/schema/functions/kernel/create/private/check_undo_room.sql
create or replace function tasker.check_undo_room(p_task_uuid uuid)
  returns void
  language plpgsql
  stable
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_steps integer;
  v_undo  integer;
begin
  select count(*), count(*) filter (where s.compensate_uuid is not null and s.for_each is null)
    into v_steps, v_undo
    from tasker.workflow_steps as s
   where s.task_uuid = p_task_uuid;
  if v_steps + v_undo > 65535 then
    raise exception using
      errcode = 'TK422',
      message = format('%s steps and %s compensations are more than the 65535 steps that a task may have', v_steps, v_undo),
      hint    = 'A step with a compensation counts twice: what it does and what undoes it.';
  end if;
end;
$$;

comment on function tasker.check_undo_room is
$$Raises TK422 if a task has so many steps that it has no room for all its compensations.$$;
-- <<<

-- >>> db/schema/functions/kernel/create/private/claim_others.sql
create or replace function tasker.claim_others(
  p_hashes      bytea[],
  p_task_uuids  uuid[],
  p_others      uuid[],
  p_expires_at  timestamptz,
  p_while_open  boolean
)
  returns uuid[]
  language plpgsql
as $$
declare
  v_hashes bytea[];
  v_uuids  uuid[];
  v_owners uuid[];
begin
  select coalesce(array_agg(u.hash order by u.ord), '{}'), coalesce(array_agg(u.task_uuid order by u.ord), '{}')
    into v_hashes, v_uuids
    from unnest(p_hashes, p_task_uuids, p_others) with ordinality as u (hash, task_uuid, other, ord)
   where u.other is null;
  v_owners := case when v_hashes[1] is null then v_uuids else tasker.claim_identities(v_hashes, v_uuids, p_expires_at, p_while_open) end;
  return array(
    select coalesce(u.other, v_owners[array_position(v_uuids, u.task_uuid)])
      from unnest(p_task_uuids, p_others) with ordinality as u (task_uuid, other, ord)
     order by u.ord
  );
end;
$$;

comment on function tasker.claim_others is
$$Returns the task of each request. p_others has existing tasks that are returned for some of the requests. All other requests claim their identities (tasker.claim_identities). Requests without identities get new tasks.$$;
-- <<<

-- >>> db/schema/functions/kernel/create/private/admit_one.sql
create or replace function tasker.admit_one(p_template tasker.creation_templates, p_namespace text, p_name text, p_context jsonb)
  returns void
  language plpgsql
as $$
declare
  v_request tasker.task_requests;
begin
  v_request.namespace := p_namespace;
  v_request.name := p_name;
  v_request.contexts := array[p_context];
  perform tasker.admit_tasks(p_template, v_request, null, null);
end;
$$;

comment on function tasker.admit_one is
$$Raises TK409 if a template refuses the task of a step, because all places of the task's key are taken or another transaction has locked the key.$$;
-- <<<

-- >>> db/schema/functions/kernel/create/private/start_new_tasks.sql
create or replace function tasker.start_new_tasks(p_template tasker.creation_templates, p_task_uuids uuid[])
  returns void
  language plpgsql
as $$
begin
  if p_template.root_effects & 130 <> 0 then
    perform tasker.contexts_given(p_task_uuids, p_template.root_effects);
  end if;
  if p_template.runs is not null then
    perform tasker.tasks_made(p_task_uuids, null);
  else
    perform tasker.advance_tasks(p_task_uuids);
  end if;
end;
$$;

comment on function tasker.start_new_tasks is
$$Starts new tasks whose rows have been inserted, unless the template limits how many of its tasks run and has no place for them. Functions that create a single task with parts of tasker.make_tasks use this function.$$;
-- <<<

-- >>> db/schema/functions/features/branches/private/explain_branch.sql
create or replace function tasker.explain_branch(p_task_uuid uuid, p_step_no integer)
  returns text
  language plpgsql
  stable
  set search_path = pg_catalog, pg_temp
as $$
begin
  return (
    select case
        when l.event = 'Tolerate' and s.map_no is null then format(
          ' It failed after %s attempts: %s. The task went on: %s. rerun_step runs it and all that depends on it again.',
          s.attempts, coalesce(rtrim(left(s.last_error, 200), '.'), 'no error was recorded'), l.reason
        )
        when l.event = 'Cancel' and l.reason like 'step "%" has begun with the first result' then format(' It lost a race: %s.', l.reason)
        else ''
      end
      from tasker.workflow_steps as s
     cross join lateral (
       select l.event, l.reason
         from tasker.workflow_step_transition_log as l
        where l.task_uuid = p_task_uuid
          and l.step_no = p_step_no
          and l.row_key = s.transition_count
          and l.sort_key >= l.row_key -- the last transition of its path
       offset 0
     ) as l
     where s.task_uuid = p_task_uuid
       and s.step_no = p_step_no
       and s.state = 'cancelled'
  );
end;
$$;

comment on function tasker.explain_branch is
$$Explains why a step is cancelled: it failed and another step waited for that failure, or it lost a race. Otherwise returns an empty text or null.$$;
-- <<<

-- >>> db/schema/functions/features/patience/private/explain_start_within.sql
create or replace function tasker.explain_start_within(p_task_uuid uuid, p_step_no integer)
  returns text
  language sql
  stable
begin atomic
  select format(' It fails if no worker has started it by %s.', to_char(t.due_at at time zone 'UTC', 'YYYY-MM-DD HH24:MI:SS"Z"'))
    from tasker.timers as t
    join tasker.workflow_steps as s
      on s.task_uuid = t.task_uuid
     and s.step_no = t.step_no
   where t.task_uuid = p_task_uuid
     and t.step_no = p_step_no
     and t.kind = 'start_within'
     and s.state = 'enqueued';
end;

comment on function tasker.explain_start_within is
$$Returns a sentence with the time by which a worker must start an enqueued step, or null if the step may wait without limit.$$;
-- <<<

-- >>> db/schema/functions/features/undo/private/explain_undo.sql
create or replace function tasker.explain_undo(p_task_uuid uuid, p_step_no integer)
  returns text
  language plpgsql
  stable
  set search_path = pg_catalog, pg_temp
as $$
begin
  return (
    select case
        when s.undo_no is not null then format(' It undoes step "%s".', u.name) || case
          when s.state = 'error' and not t.complete then format(
            ' Nothing more is undone until retry_step, resolve_step_manually or complete_step_manually settles it; give_up_task ends the task, which will be %s, without.',
            t.undo ->> 'to_state'
          )
          else ''
        end
        else case
          when s.owner_uuid is not null and s.compensate_uuid is not null then format(
            ' Task %s undoes it if it has to: this task took over the result only.', tasker.task_uuid_of(s.owner_uuid)
          )
          when c.name is not null then format(' Step "%s" undoes it: %s.', c.name, replace(c.state::text, '_', ' '))
          when s.undo_level > 0 and tasker.is_undone(t.undo) then ' It is undone when all that depends on it is.'
          when s.undo_level > 0 then ' It was not undone: its task was given up or resolved before.'
          else ''
        end || case
          when tasker.is_undone(t.undo) then format(' Its task is being undone, and will be %s.', t.undo ->> 'to_state')
          else ''
        end
      end
      from tasker.tasks as t
      join tasker.workflow_steps as s
        on s.task_uuid = t.task_uuid
      left join tasker.workflow_steps as u
        on u.task_uuid = s.task_uuid
       and u.step_no = s.undo_no
      left join lateral (
        select c.name, c.state
          from tasker.workflow_steps as c
         where s.undo_level > 0
           and c.task_uuid = s.task_uuid
           and c.undo_no = s.step_no
      ) as c
        on true
     where t.task_uuid = p_task_uuid
       and s.step_no = p_step_no
  );
end;
$$;

comment on function tasker.explain_undo is
$$Explains which step a step undoes, which step undoes this step and in which state that step is, and whether the task is being undone. Returns an empty text if no undo concerns the step. Reads all steps of the task if the step is to be undone.$$;
-- <<<

insert into tasker.schema_builds (version, files) values ('20261121001220', 'functions/doors/claims/private/handed_inputs 034a684fa6fce5a6
functions/doors/tasks/private/task_ending 9ff4b1a6ed25a306
functions/doors/tasks/private/task_reopened 5a09b8c7e66ed9b9
functions/doors/tasks/private/tasks_made 9bc3fc5978beffe2
functions/doors/tasks/private/tasks_moved 50f55841744ac35b
functions/features/branches/private/explain_branch d8459edc68dae33b
functions/features/branches/private/failure_inputs 881686771c744911
functions/features/patience/private/explain_start_within 82d4b7f8e99f7e7e
functions/features/undo/private/begin_undo fe9f40c43b9143bd
functions/features/undo/private/drain_task 7dcf2df38c367c3a
functions/features/undo/private/end_undo a03854ef622ab487
functions/features/undo/private/explain_undo 63192a72eb25beff
functions/features/undo/private/has_to_undo e69fc8898caef76c
functions/features/undo/private/insert_undo_steps 29be6a287fe0a0ee
functions/features/undo/private/note_undo e51d2ecded87261f
functions/features/undo/private/plan_undo 3add79c049a3bcd8
functions/features/undo/private/undo_inputs be61761570d80622
functions/features/undo/private/undo_line ee364e9603e719e4
functions/features/undo/private/undo_next 24faa46b5a1ab20f
functions/features/undo/private/undo_numbers 3f817912bb875caa
functions/features/undo/private/undo_tasks 9cf4eaf6c7e425ba
functions/features/undo/private/undone_steps 92d812bed07d5849
functions/features/undo/private/walk_task 0bd9c55116ecfb27
functions/kernel/claim/private/end_leases e2b158df844247e3
functions/kernel/create/private/admit_one cce77de2f5fa66bf
functions/kernel/create/private/check_undo_room 65374c216089ee19
functions/kernel/create/private/claim_others 98c0523ae476a86f
functions/kernel/create/private/start_new_tasks fa0cd409353a2329
functions/kernel/state/private/is_running a7dd6c1ac0db3cc0
functions/kernel/state/private/is_undone 69e24bf9603bce7a
');

reset role;

-- migrate:down
set local citus.enable_ddl_propagation = off; -- Citus would repeat this on its worker nodes
set local role tasker_owner;

delete from tasker.schema_builds where version = '20261121001220';

drop function tasker.explain_undo;
drop function tasker.explain_start_within;
drop function tasker.explain_branch;
drop function tasker.start_new_tasks;
drop function tasker.admit_one;
drop function tasker.claim_others;
drop function tasker.check_undo_room;
drop function tasker.end_leases;
drop function tasker.handed_inputs;
drop function tasker.failure_inputs;
drop function tasker.undo_inputs;
drop function tasker.undo_tasks;
drop function tasker.undo_next;
drop function tasker.insert_undo_steps;
drop function tasker.undo_numbers;
drop function tasker.undo_line;
drop function tasker.end_undo;
drop function tasker.walk_task;
drop function tasker.drain_task;
drop function tasker.plan_undo;
drop function tasker.tasks_made;
drop function tasker.task_reopened;
drop function tasker.task_ending;
drop function tasker.begin_undo;
drop function tasker.undone_steps;
drop function tasker.has_to_undo;
drop function tasker.tasks_moved;
drop function tasker.note_undo;
drop function tasker.is_running;
drop function tasker.is_undone;

reset role;
