-- operators: what people do to running work, and what they see of it
-- Composed from db/schema: edit there, then compose again. Frozen by the first release tag.

-- migrate:up
set local citus.enable_ddl_propagation = off; -- Citus would repeat this on its worker nodes
set local role tasker_owner;

-- >>> db/schema/functions/kernel/lock/private/lock_task.sql
create or replace function tasker.lock_task(p_task_uuid uuid)
  returns tasker.tasks
  language plpgsql
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_task tasker.tasks;
begin
  select t.*
    into v_task
    from tasker.tasks as t
   where t.task_uuid = p_task_uuid
     for no key update;
  if not found then
    perform tasker.raise_task_not_found(p_task_uuid);
  end if;
  return v_task;
end;
$$;

comment on function tasker.lock_task is
$$Locks a task and returns it. Raises TK404 if it does not exist.$$;
-- <<<

-- >>> db/schema/functions/operate/operators/private/operate_on_task.sql
create or replace function tasker.operate_on_task(p_task_uuid uuid, p_event text, p_reason text, p_actor text)
  returns boolean
  language plpgsql
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_metadata jsonb := jsonb_strip_nulls(jsonb_build_object('reason', p_reason));
  v_task     tasker.tasks;
  v_to       tasker.task_state;
begin
  perform tasker.check_transition_metadata(v_metadata);
  v_task := tasker.lock_task(p_task_uuid);
  -- The task has ended, or is already being undone before it ends.
  if p_event = 'Cancel' and (v_task.complete or tasker.is_undone(v_task.undo)) then
    return false;
  end if;
  select m.to_state
    into v_to
    from tasker.task_state_machine as m
   where m.from_state = v_task.state
     and m.event = p_event;
  if found then
    perform tasker.move_task(v_task, p_event, v_to, null, v_metadata, tasker.actor_name(p_actor));
    return true;
  end if;

  if exists (
    select
      from tasker.task_state_machine as m
     where m.event = p_event
       and m.to_state = v_task.state
  ) then
    return false;
  end if;
  raise exception using
    errcode = 'TK409',
    message = format('task %s is %s: event %s does not apply', p_task_uuid, v_task.state, p_event),
    detail  = format('It applies to tasks that are %s.', (
      select string_agg(m.from_state::text, ', ' order by m.from_state)
        from tasker.task_state_machine as m
       where m.event = p_event
    )),
    hint    = 'tasker.list_task_transitions() shows the transitions of each state.';
end;
$$;

comment on function tasker.operate_on_task is
$$Applies an operator's event to a task. Returns true if the task moved, and false if it already is in the event's
target state. For the event "Cancel", also returns false if the task has ended in any way. Locks the task. Raises TK404
if there is no such task, TK409 if the event does not apply to its state, and TK413 if the reason is too large.$$;
-- <<<

-- >>> db/schema/functions/operate/operators/private/operate_on_step.sql
create or replace function tasker.operate_on_step(
  p_step_uuid  uuid,
  p_event      text,
  p_metadata   jsonb,
  p_actor      text
)
  returns boolean
  language plpgsql
as $$
declare
  v_task  tasker.task_facts;
  v_ended boolean;
  v_old   tasker.workflow_steps;
  v_to    tasker.step_state;
begin
  perform tasker.check_transition_metadata(p_metadata);
  perform tasker.check_step_exists(p_step_uuid);
  v_task := tasker.lock_task_facts(tasker.task_uuid_of(p_step_uuid));
  v_ended := v_task.state in ('complete', 'error', 'cancelled', 'resolved_manually');
  select s.*
    into v_old
    from tasker.workflow_steps as s
   where s.task_uuid = v_task.task_uuid
     and s.step_no = tasker.step_no_of(p_step_uuid)
     for no key update;

  if v_old.state = 'error' and v_old.undo_no is null and tasker.is_undone(v_task.undo) then
    raise exception using
      errcode = 'TK409',
      message = format('step %s has failed, and its task is being undone: event %s does not apply', p_step_uuid, p_event),
      hint    = 'Retry or settle the compensations, whose names begin with "undo".';
  end if;

  if p_event = 'CompleteManually' and v_old.state = 'complete' and p_metadata ? 'results'
     and v_old.results is distinct from p_metadata -> 'results' then
    raise exception using
      errcode = 'TK409',
      message = format('step %s is complete with another result', p_step_uuid),
      hint    = 'Correct the result with tasker.rerun_step(step, reason, p_results => results): what depends on the step runs again.';
  end if;
  -- This is a repeated call: the step is already settled in this way, or is already going to run again.
  if p_event <> 'Retry' and exists (
       select from tasker.step_state_machine as m where m.event = p_event and m.to_state = v_old.state
     )
     or p_event = 'Retry' and v_old.state in ('pending', 'enqueued', 'in_progress', 'suspended') and not v_ended then
    return false;
  end if;
  select m.to_state
    into v_to
    from tasker.step_state_machine as m
   where m.from_state = v_old.state
     and m.event = p_event;
  if not found or v_ended then
    raise exception using
      errcode = 'TK409',
      message = format('step %s is %s, its task %s: event %s does not apply', p_step_uuid, v_old.state, v_task.state, p_event),
      hint    = case
        when p_event = 'CompleteManually' and v_old.state = 'resolved_manually'
        then 'Give it a result with tasker.rerun_step(step, reason, p_results => results): what depends on the step runs again.'
        when v_task.state in ('error', 'cancelled') and v_task.undo is not null
        then 'The task was undone: repeat it with tasker.fork_task(task, step).'
        when v_task.state = 'error'
        then 'A failed task continues after tasker.reset_task(task).'
        else 'tasker.list_step_transitions() shows the transitions of each state of a step.'
      end;
  end if;

  if v_old.state = 'in_progress' then
    perform tasker.notify_cancelled(v_task.namespace, v_task.task_uuid, array[v_old.step_no]);
  end if;
  perform tasker.apply_held_move(
    tasker.direct_move(v_old, p_event, v_to, null, p_metadata, tasker.actor_name(p_actor)), v_task
  );

  -- Do not start a task whose start is left to an orchestrator or not due yet.
  if not exists (select from tasker.waiting_tasks as w where w.task_uuid = v_task.task_uuid) then
    perform tasker.advance_tasks(array[v_task.task_uuid]);
  end if;
  return true;
end;
$$;

comment on function tasker.operate_on_step is
$$Applies an operator's event to a step and advances its task, if it has started. Returns true if the step moved, and
false if it already is in the event's target state. Locks the task, then the step. Raises TK404 if there is no such
step. Raises TK409 if the event does not apply to its state or the task has ended. Raises TK413 or TK422 if results or
reason are invalid.$$;
-- <<<

-- >>> db/schema/functions/operate/operators/cancel_task.sql
create or replace function tasker.cancel_task(p_task_uuid uuid, p_reason text default null, p_actor text default null)
  returns boolean
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
  perform tasker.check_given_name('actor', p_actor, 200);
  return tasker.operate_on_task(p_task_uuid, 'Cancel', p_reason, p_actor);
exception
  when lock_not_available then
    perform tasker.raise_task_locked(p_task_uuid);
end;
$$;

comment on function tasker.cancel_task is
$$Cancels a task for good, with all its open steps. The workers of running steps are notified, and their results are
then refused with the answer "cancelled". A task that has something to undo is undone first. Then a running step may end
and its result counts, but its lease is not renewed, so it ends at most lease_seconds (a setting) later. After that the
compensations run. Returns true if this call cancelled the task, and false if the task has already ended in any way.

p_reason and p_actor go into the logs. Without p_actor, the logs have the caller's role. Ignores
enforce_processor_ownership. Locks the task, then its steps. Raises TK404 if there is no such task, and TK413 if the
reason is too large. Raises TK403 if the caller is bound to other namespaces. Raises TK409 if another session keeps the
task locked for 5 seconds.$$;

grant execute on function tasker.cancel_task to tasker_submitter, tasker_orchestrator, tasker_operator;
-- <<<

-- >>> db/schema/functions/operate/operators/give_up_task.sql
create or replace function tasker.give_up_task(p_task_uuid uuid, p_reason text default null, p_actor text default null)
  returns boolean
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
  perform tasker.check_given_name('actor', p_actor, 200);
  return tasker.operate_on_task(p_task_uuid, 'GiveUp', p_reason, p_actor);
exception
  when lock_not_available then
    perform tasker.raise_task_locked(p_task_uuid);
end;
$$;

comment on function tasker.give_up_task is
$$Fails a task that cannot continue because steps have failed (state blocked_by_failures). reset_task can make the task
continue. Running steps fail with the task, and their workers are notified. A task that has something to undo is undone
first, as cancel_task does. Returns true if this call failed the task, and false if the task had already failed.

p_reason and p_actor go into the logs. Without p_actor, the logs have the caller's role. Locks the task, then its steps.
Raises TK404 if there is no such task, and TK409 unless the task is blocked_by_failures. Raises TK413 if the reason is
too large, and TK403 if the caller is bound to other namespaces. Raises TK409 if another session keeps the task locked
for 5 seconds.$$;

grant execute on function tasker.give_up_task to tasker_orchestrator, tasker_operator;
-- <<<

-- >>> db/schema/functions/operate/operators/resolve_task_manually.sql
create or replace function tasker.resolve_task_manually(p_task_uuid uuid, p_reason text default null, p_actor text default null)
  returns boolean
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
  perform tasker.check_given_name('actor', p_actor, 200);
  return tasker.operate_on_task(p_task_uuid, 'ManualResolution', p_reason, p_actor);
exception
  when lock_not_available then
    perform tasker.raise_task_locked(p_task_uuid);
end;
$$;

comment on function tasker.resolve_task_manually is
$$Settles a task that is blocked by failures, because its work was done elsewhere or is no longer wanted. Cancels its
open steps. Returns true if this call resolved the task, and false if the task was already resolved.

p_reason and p_actor go into the logs. Without p_actor, the logs have the caller's role. Locks the task, then its steps.
Raises TK404 if there is no such task, and TK409 unless the task is blocked_by_failures. Raises TK413 if the reason is
too large, and TK403 if the caller is bound to other namespaces. Raises TK409 if another session keeps the task locked
for 5 seconds.$$;

grant execute on function tasker.resolve_task_manually to tasker_orchestrator, tasker_operator;
-- <<<

-- >>> db/schema/functions/operate/operators/private/check_bulk.sql
create or replace function tasker.check_bulk(p_reason text, p_limit integer, p_dry_run boolean)
  returns void
  language plpgsql
  immutable
  set search_path = pg_catalog, pg_temp
as $$
begin
  if p_dry_run is null then
    raise exception using
      errcode = 'TK422',
      message = 'dry run is null',
      hint    = 'True only finds, false does it.';
  end if;
  if coalesce(p_limit not between 1 and 1000, true) then
    raise exception using
      errcode = 'TK422',
      message = format('a batch of %s is not possible', coalesce(p_limit::text, 'null')),
      hint    = 'A batch has 1 to 1,000 rows.';
  end if;
  if coalesce(trim(p_reason), '') = '' and not p_dry_run then
    raise exception using
      errcode = 'TK422',
      message = 'the reason is missing',
      hint    = 'A change of many tasks says why, for the logs; a dry run needs none.';
  end if;
  perform tasker.check_text_size('reason', p_reason, 1000);
end;
$$;

comment on function tasker.check_bulk is
$$Raises TK422 if a change of many tasks or steps has no reason and is no dry run, or if the size of its batch is out of
range, and TK413 if the reason is longer than 1,000 characters.$$;
-- <<<

-- >>> db/schema/functions/operate/operators/private/check_reset_tasks.sql
create or replace function tasker.check_reset_tasks(
  p_reason   text,
  p_state    text,
  p_limit    integer,
  p_dry_run  boolean,
  p_tags     text[],
  p_actor    text
)
  returns void
  language plpgsql
  stable
  set search_path = pg_catalog, pg_temp
as $$
begin
  perform tasker.check_bulk(p_reason, p_limit, p_dry_run);
  perform tasker.check_given_name('actor', p_actor, 200);
  perform tasker.check_array_size('tags', cardinality(p_tags), 100);
  if coalesce(p_state not in ('blocked_by_failures', 'error'), true) then
    raise exception using
      errcode = 'TK422',
      message = format('tasks that are %s cannot be reset', coalesce('"' || left(p_state, 40) || '"', 'null')),
      hint    = 'What failures have stopped can be: tasks that are blocked_by_failures, or in error.';
  end if;
end;
$$;

comment on function tasker.check_reset_tasks is
$$Raises TK422 or TK413 for invalid arguments of tasker.reset_tasks.$$;
-- <<<

-- >>> db/schema/functions/kernel/create/private/lock_identity.sql
create or replace function tasker.lock_identity(p_task_uuid uuid)
  returns void
  language plpgsql
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_hash   bytea;
  v_holder xid;
begin
  select t.identity_hash into v_hash from tasker.tasks as t where t.task_uuid = p_task_uuid;
  if v_hash is not null then
    perform from tasker.task_identities as i where i.identity_hash = v_hash for no key update;
  end if;
exception
  when lock_not_available then
    select i.xmax into v_holder from tasker.task_identities as i where i.identity_hash = v_hash;
    raise exception using
      errcode = 'TK409',
      message = format('another session holds the identity of task %s', p_task_uuid),
      detail  = tasker.describe_lock_holder(v_holder, 'tasker.task_identities'::regclass),
      hint    = 'It creates or resets a task of the same identity. Try again. If its transaction does not end, end the process with pg_terminate_backend(pid).';
end;
$$;

comment on function tasker.lock_identity is
$$Locks the identity of a task, and waits for the lock. The caller then locks the task to open it again. Until the transaction ends, no other task can take the identity over. If the caller's lock_timeout passes, raises TK409 with the process that holds the identity.$$;
-- <<<

-- >>> db/schema/functions/kernel/create/private/regain_identity.sql
create or replace function tasker.regain_identity(p_task tasker.tasks)
  returns text
  language plpgsql
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_identity tasker.task_identities;
begin
  if p_task.identity_hash is null or p_task.complete and p_task.state not in ('complete', 'error') then
    return null;
  end if;
  -- Lock the identity of an open task, too, because tasker.requeue_dlq_entry locks it afterwards, and must not wait for
  -- it while it holds the lock of the task.
  select i.*
    into v_identity
    from tasker.task_identities as i
   where i.identity_hash = p_task.identity_hash
     for no key update skip locked;
  if not found then
    return case
      when exists (select from tasker.task_identities as i where i.identity_hash = p_task.identity_hash) then 'locked'
    end;
  elsif not p_task.complete or p_task.undo ? 'phase' then
    return null;
  end if;

  if v_identity.task_uuid <> p_task.task_uuid then
    -- The task of a later period may exist at the same time as this task.
    if not v_identity.while_open then
      return null;
    elsif exists (select from tasker.tasks as t where t.task_uuid = v_identity.task_uuid and not t.complete) then
      return v_identity.task_uuid::text;
    end if;
  end if;
  update tasker.task_identities as i
     set task_uuid = p_task.task_uuid,
         resets    = i.resets + 1
   where i.identity_hash = p_task.identity_hash;
  return null;
end;
$$;

comment on function tasker.regain_identity is
$$Assigns the identity of a failed or complete task to this task again, before the task is reset or one of its steps runs again, so that no request takes the identity over in the meantime. Returns null if the task may continue, "locked" if another transaction holds the identity, and otherwise the UUID of the open task that has the identity by the scope "open". The caller holds the task's lock. Locks the identity without waiting.$$;
-- <<<

-- >>> db/schema/functions/kernel/create/private/check_identity_regained.sql
create or replace function tasker.check_identity_regained(p_task tasker.tasks, p_doing text default 'be reset')
  returns void
  language plpgsql
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_other text := tasker.regain_identity(p_task);
begin
  if v_other is not null then
    raise exception using
      errcode = 'TK409',
      message = case v_other
        when 'locked' then format('another session holds the identity of task %s', p_task.task_uuid)
        else format('task %s cannot %s: task %s has its identity and is open', p_task.task_uuid, p_doing, v_other)
      end,
      detail  = 'An identity with the scope "open" has at most one open task.',
      hint    = case v_other
        when 'locked' then 'It creates or resets a task of the same identity. Try again.'
        else format('Cancel the other task or let it end, then %s.', case p_doing when 'be reset' then 'reset this one' else 'try again' end)
      end;
  end if;
end;
$$;

comment on function tasker.check_identity_regained is
$$Calls tasker.regain_identity for a task that is about to be reset or opened in another way (p_doing). Raises TK409, with the UUID of the other task, if another open task has the identity.$$;
-- <<<

-- >>> db/schema/functions/kernel/move/private/reset_locked_task.sql
create or replace function tasker.reset_locked_task(p_task tasker.tasks, p_reason text, p_actor text)
  returns boolean
  language plpgsql
as $$
declare
  v_facts tasker.task_facts;
begin
  if p_task.undo ? 'phase' then
    return false;
  elsif p_task.state = 'error' and p_task.failed_steps = 0 and p_task.has_added_edges and tasker.fails_at_end(p_task.task_uuid) then
    return false; -- another step waited for each failure, so the task would fail again at once
  elsif p_task.state = 'error' then
    perform tasker.move_task(
      p_task, 'Reset', 'pending', null, jsonb_strip_nulls(jsonb_build_object('reason', p_reason)), p_actor
    );
  elsif p_task.failed_steps > 0 then
    v_facts := tasker.sweep_steps(tasker.lock_task_facts(p_task.task_uuid), 'reset', p_reason, p_actor);
    perform tasker.count_task(v_facts);
  else
    return false;
  end if;
  return true;
end;
$$;

comment on function tasker.reset_locked_task is
$$Restores the attempts of the failed steps of a failed or open task. Returns false if the task has no failed steps, if it is being undone or was undone, or if other steps waited for all of its failures. The caller holds the task's lock, has checked that the task is failed or open, and evaluates the task afterwards (tasker.advance_tasks).$$;
-- <<<

-- >>> db/schema/functions/kernel/move/private/rerun_moves.sql
create or replace function tasker.rerun_moves(
  p_task      tasker.task_facts,
  p_from      integer,
  p_again     integer[],
  p_replaced  integer[],
  p_reason    text,
  p_actor     text
)
  returns tasker.step_moves[]
  language plpgsql
as $$
declare
  v_from text := (
    select s.name from tasker.workflow_steps as s where s.task_uuid = p_task.task_uuid and s.step_no = p_from
  );
begin
  -- Claims and renewals do not lock the task. So lock the steps, whose states must not change before the moves are
  -- written.
  perform
     from tasker.workflow_steps as s
    where s.task_uuid = p_task.task_uuid
    order by s.step_no
      for no key update;
  return array(
    select tasker.step_move(
      p_task_uuid => s.task_uuid, p_step_no => s.step_no, p_from_state => s.state,
      p_first_event => case when u.replaced and s.state <> 'pending' then 'Rerun' end,
      p_via_state => case when u.replaced and s.state <> 'pending' then 'pending'::tasker.step_state end,
      p_event => case when u.step_no is null then 'Reset' when u.replaced then 'Skip' else 'Rerun' end,
      p_to_state => case when u.replaced then 'cancelled'::tasker.step_state else 'pending' end,
      p_actor => p_actor,
      p_reason => case
        when u.step_no is null or s.step_no = p_from then p_reason
        when u.replaced then left(format('its map runs again with step "%s": %s', v_from, p_reason), 1000)
        else left(format('step "%s" runs again: %s', v_from, p_reason), 1000)
      end,
      -- The log keeps the result that is replaced.
      p_metadata => case
        when u.step_no is not null and s.results is not null then jsonb_build_object('from_step', v_from, 'replaced', s.results)
        when u.step_no is not null then jsonb_build_object('from_step', v_from)
      end
    )
      from tasker.workflow_steps as s
      left join (
        select n.step_no, false as replaced from unnest(p_again) as n (step_no)
        union all
        select n.step_no, true from unnest(p_replaced) as n (step_no)
      ) as u
        on u.step_no = s.step_no
     where s.task_uuid = p_task.task_uuid
       and (
         u.step_no is not null and (s.state <> 'pending' or u.replaced)
         -- A task that has failed continues, as after a reset.
         or u.step_no is null and p_task.state = 'error' and s.state = 'error'
       )
     order by s.step_no
  );
end;
$$;

comment on function tasker.rerun_moves is
$$Returns the moves of the steps that run again with p_from. The steps p_again become pending. The steps p_replaced, which are instances of maps that run again, are skipped. If the task has failed, its other failed steps are reset. The log row of each step names p_from and keeps the result that the step loses. Locks the task's steps. The caller holds the task's lock.$$;
-- <<<

-- >>> db/schema/functions/kernel/move/private/rerun_steps.sql
create or replace function tasker.rerun_steps(
  p_task      tasker.task_facts,
  p_from      integer,
  p_by_hand   boolean,
  p_again     integer[],
  p_replaced  integer[],
  p_reason    text,
  p_actor     text
)
  returns tasker.task_facts
  language plpgsql
as $$
declare
  v_moves   tasker.step_moves[] := tasker.rerun_moves(p_task, p_from, p_again, p_replaced, p_reason, p_actor);
  v_running integer[]           := array(select m.step_no from unnest(v_moves) as m where m.from_state = 'in_progress');
  v_nos     integer[]           := case when p_by_hand then array_remove(p_again, p_from) else p_again end;
begin
  if v_running <> '{}' then
    perform tasker.notify_cancelled(p_task.namespace, p_task.task_uuid, v_running);
  end if;
  v_moves := tasker.write_moves(v_moves, p_task.namespace);
  -- A run begins without any data of the previous run. If a fork took over a result, the task that produced the result
  -- still has to undo its effect.
  update tasker.workflow_steps as s
     set results     = null,
         checkpoint  = null,
         attempts    = 0,
         lost_count  = 0,
         effect_uuid = null,
         owner_uuid  = null
   where s.task_uuid = p_task.task_uuid
     and s.step_no = any (v_nos || p_replaced);
  if p_by_hand then
    update tasker.workflow_steps as s
       set results = null
     where s.task_uuid = p_task.task_uuid
       and s.step_no = p_from;
  end if;
  perform tasker.steps_rerun(p_task.task_uuid, v_nos, p_replaced);
  perform tasker.recount_parents(p_task.task_uuid, p_again || p_replaced);
  return tasker.counted(p_task, v_moves);
end;
$$;

comment on function tasker.rerun_steps is
$$Lets steps of a task run again, and deletes the data of their former runs: checkpoints, attempts, results (which the log keeps), and the data of features (tasker.steps_rerun). With p_by_hand the step p_from only loses its result, because another result is recorded next. Notifies the workers of running steps, whose claims end. Returns the task's facts with the new counters, which the caller writes.

The number of statements does not depend on the number of steps. Locks the steps. The caller holds the task's lock.$$;
-- <<<

-- >>> db/schema/functions/operate/operators/reset_task.sql
create or replace function tasker.reset_task(p_task_uuid uuid, p_reason text default null, p_actor text default null)
  returns boolean
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
  v_task  tasker.tasks;
begin
  perform tasker.check_bound(p_task_uuid);
  perform tasker.check_given_name('actor', p_actor, 200);
  perform tasker.check_transition_metadata(jsonb_strip_nulls(jsonb_build_object('reason', p_reason)));
  perform tasker.lock_identity(p_task_uuid);
  v_task := tasker.lock_task(p_task_uuid);
  if v_task.complete and v_task.state <> 'error' then
    raise exception using
      errcode = 'TK409',
      message = format('task %s is %s and cannot be reset', p_task_uuid, v_task.state),
      hint    = 'Only failed tasks and tasks with failed steps can be reset; create a new task instead.';
  end if;
  if v_task.undo ? 'phase' then
    raise exception using
      errcode = 'TK409',
      message = format('task %s %s undone and cannot be reset', p_task_uuid, case when v_task.complete then 'has been' else 'is being' end),
      hint    = 'Retry a compensation that has failed with tasker.retry_step(step); repeat the task with tasker.fork_task(task, step).';
  end if;
  if v_task.state = 'error' and v_task.failed_steps = 0 and cardinality(tasker.taken_failures(p_task_uuid)) > 0 then
    raise exception using
      errcode = 'TK409',
      message = format('task %s has no failed step to reset: other steps waited for its failures', p_task_uuid),
      hint    = 'Let the step that failed run again, with all that depends on it: tasker.rerun_step(step, reason).';
  end if;
  perform tasker.check_identity_regained(v_task);
  if not tasker.reset_locked_task(v_task, p_reason, v_actor) then
    return false;
  end if;
  perform tasker.advance_tasks(array[p_task_uuid]);
  return true;
exception
  when lock_not_available then
    perform tasker.raise_task_locked(p_task_uuid);
end;
$$;

comment on function tasker.reset_task is
$$Lets a failed task, or an open task with failed steps, continue where it stopped. Restores the attempts of its failed
steps. Finished steps stay finished, and the history is kept. The kept results of a durable function stay, too, with the
signals and events that it took. Only if the last kept result is an error, it is deleted and the call is made again.
Returns true if the task had steps to reset.

p_reason and p_actor go into the logs. Without p_actor, the logs have the caller's role. A deadline that has passed no
longer counts. Locks the task's identity, the task, then its steps. Raises TK404 if there is no such task. Raises TK409
if the task has ended in another way than by failure, if it is being undone or was undone, or if other steps waited for
all of its failures. Raises TK409 if the task's identity has the scope "open" and another open task has this identity.
Raises TK413 if the reason is too large, and TK403 if the caller is bound to other namespaces. Raises TK409 if another
session keeps the task locked for 5 seconds.$$;

grant execute on function tasker.reset_task to tasker_orchestrator, tasker_operator;
-- <<<

-- >>> db/schema/rows/operate/operators/task_resets.sql
create or replace view tasker.task_resets as
select
  '00000000-0000-0000-0000-000000000000'::uuid as task_uuid,
  ''::text as namespace,
  ''::text as name,
  ''::text as version,
  'pending'::tasker.task_state as state,
  0::integer as failed_steps,
  '-infinity'::timestamptz as requested_at,
  ''::text as outcome
where false;

comment on view tasker.task_resets is
  'Row type: the outcome for one task in a call that resets many.';
comment on column tasker.task_resets.state is
  'The state when the call read it.';
comment on column tasker.task_resets.outcome is
  'matched: a dry run; reset; locked: another transaction holds the task or its identity; moved: the task has left its state meanwhile; duplicate: another open task has the same identity with the scope "open".';
-- <<<

-- >>> db/schema/functions/operate/operators/private/find_tasks_to_reset.sql
create or replace function tasker.find_tasks_to_reset(
  p_state      tasker.task_state,
  p_namespace  text,
  p_name       text,
  p_version    text,
  p_tags       text[],
  p_from       uuid,
  p_to         uuid,
  p_after      uuid,
  p_limit      integer
)
  returns setof tasker.task_resets
  language plpgsql
  stable
  set search_path = pg_catalog, pg_temp
  set plan_cache_mode = force_custom_plan
as $$
declare
  v_bound text[] := tasker.bound_namespaces();
begin
  -- The query is planned for the given state, because open tasks have an index of their own.
  return query
  select t.task_uuid, n.name, k.name, k.version, t.state, t.failed_steps, t.requested_at, text 'matched'
    from tasker.tasks as t
    join tasker.named_tasks as k
      on k.named_task_uuid = t.named_task_uuid
    join tasker.task_namespaces as n
      on n.task_namespace_uuid = k.task_namespace_uuid
   where t.state = p_state
     and (p_state = 'error' or not t.complete)
     and t.erased_at is null
     and (p_namespace is null or n.name = p_namespace)
     and (v_bound is null or n.name = any (v_bound))
     and (p_name is null or k.name = p_name)
     and (p_version is null or k.version = p_version)
     and (p_tags is null or t.tags @> p_tags)
     and t.task_uuid >= p_from
     and t.task_uuid < p_to
     and t.task_uuid > p_after
   order by t.task_uuid
   limit p_limit;
end;
$$;

comment on function tasker.find_tasks_to_reset is
$$Returns up to p_limit tasks after p_after, in the order of their UUIDs. The tasks are in state p_state, match all
given filters, and are in namespaces of the caller.

If this state is an open state, reads only open tasks. Otherwise reads all ended tasks from p_from to p_to.$$;
-- <<<

-- >>> db/schema/functions/operate/operators/private/change_priority.sql
create or replace function tasker.change_priority(p_task_uuid uuid, p_by integer)
  returns void
  language plpgsql
as $$
declare
  v_moves tasker.step_moves[];
  v_moved boolean;
begin
  perform from tasker.workflow_steps as s where s.task_uuid = p_task_uuid order by s.step_no for no key update;
  update tasker.workflow_steps as s
     set priority = s.priority + p_by
   where s.task_uuid = p_task_uuid;
  with moved as (
    update tasker.step_queue as q
       set lane       = case when q.lane in ('limited', 'paused') then q.lane else tasker.step_lane('enqueued', s.priority) end,
           limit_lane = case when q.limit_no is not null then tasker.step_lane('enqueued', s.priority) end
      from tasker.workflow_steps as s
     where q.task_uuid = p_task_uuid
       and q.lane not in ('running', 'results')
       and s.task_uuid = p_task_uuid
       and s.step_no = q.step_no
    returning q.step_no, q.lane
  )
  select
    array_agg(tasker.step_move(
      p_task_uuid => p_task_uuid, p_step_no => m.step_no, p_from_state => 'pending', p_event => 'Enqueue', p_to_state => 'enqueued'
    ) order by m.step_no) filter (where m.lane = 'limited'),
    count(*) > 0
    into v_moves, v_moved
    from moved as m;
  if v_moves is not null then
    perform tasker.moved(v_moves, 4::smallint);
  end if;
  update tasker.waiting_tasks as w
     set priority      = w.priority + p_by,
         dispatch_rank = tasker.dispatch_rank(t.priority, n.priority_modifier, w.waiting_since, 0, t.requested_at, t.deadline)
    from tasker.tasks as t
   cross join tasker.task_namespaces as n
   where w.task_uuid = p_task_uuid
     and t.task_uuid = p_task_uuid
     and n.name = tasker.namespace_of_task(p_task_uuid);
  perform tasker.change_run_rank(p_task_uuid, p_by);
  if v_moved then
    perform tasker.announce_steps(tasker.namespace_of_task(p_task_uuid), array[p_task_uuid]);
  end if;
end;
$$;

comment on function tasker.change_priority is
$$Adds p_by to the priority of a task's steps, and moves the steps to the lanes of their new priority. Also moves the
task in the line of its key, and among the tasks that wait for an orchestrator. The caller holds the task's lock and has
written the task's priority.$$;
-- <<<

-- >>> db/schema/functions/operate/operators/private/change_start.sql
create or replace function tasker.change_start(p_task tasker.tasks, p_start_at timestamptz, p_deadline timestamptz)
  returns void
  language plpgsql
as $$
declare
  v_start timestamptz := greatest(p_start_at, tasker.write_clock());
begin
  if not exists (select from tasker.timers as m where m.task_uuid = p_task.task_uuid and m.kind = 'start_task') then
    raise exception using
      errcode = 'TK409',
      message = format('the start of task %s cannot be changed', p_task.task_uuid),
      detail  = case when p_task.state = 'pending' then 'An orchestrator starts the task.' else 'The task has started.' end,
      hint    = 'To keep a started task from going on, use tasker.pause_task(task).';
  elsif coalesce(p_deadline, p_task.deadline) <= v_start then
    raise exception using
      errcode = 'TK422',
      message = 'the deadline of a task is not after now and after its start',
      detail  = format('deadline %s, start %s', coalesce(p_deadline, p_task.deadline), v_start),
      hint    = 'Both must be finite times, the deadline the later one.';
  end if;
  if not tasker.change_run_start(p_task.task_uuid, v_start) then
    update tasker.timers as m
       set due_at = v_start
     where m.task_uuid = p_task.task_uuid
       and m.kind = 'start_task';
  end if;
end;
$$;

comment on function tasker.change_start is
$$Changes the time at which a task starts. Raises TK409 if the task has started, and TK422 if the task would start after
its deadline. The caller holds the task's lock.$$;
-- <<<

-- >>> db/schema/functions/operate/operators/private/check_changed_context.sql
create or replace function tasker.check_changed_context(p_task tasker.tasks, p_context jsonb)
  returns void
  language plpgsql
  stable
as $$
declare
  v_template tasker.creation_templates;
  v_name     text;
  v_problem  text;
begin
  select k.namespace || '/' || k.name, k.input_schema, c.context_bytes, 'always_unique'
    into v_name, v_template.input_schema, v_template.context_bytes, v_template.identity_strategy
    from tasker.creation_plans as k
   cross join tasker.settings_now as c
   where k.named_task_uuid = p_task.named_task_uuid;
  perform tasker.check_task_requests(v_template, v_name, array[p_context], null, null);

  v_problem := coalesce(
    tasker.changed_run_key(p_task, p_context), tasker.changed_limit_key(p_task, p_context), tasker.changed_map(p_task, p_context)
  );
  if v_problem is not null then
    raise exception using
      errcode = 'TK409',
      message = format('the context of task %s cannot be changed so', p_task.task_uuid),
      detail  = v_problem,
      hint    = 'Cancel the task and create another one, or keep these values of the context.';
  end if;
end;
$$;

comment on function tasker.check_changed_context is
$$Raises an error if a task cannot get this context: TK422 and TK413 for the same reasons as for a new task. Raises
TK409 if the key of the task or of one of its steps, or the array of a map that has begun, would change.$$;
-- <<<

-- >>> db/schema/functions/operate/operators/private/check_task_change.sql
create or replace function tasker.check_task_change(
  p_priority  integer,
  p_start_at  timestamptz,
  p_deadline  timestamptz,
  p_context   jsonb,
  p_reason    text
)
  returns void
  language plpgsql
  stable
as $$
begin
  if num_nonnulls(p_priority, p_start_at, p_deadline, p_context) = 0 then
    raise exception using
      errcode = 'TK422',
      message = 'there is nothing to change',
      hint    = 'Name a priority, a start, a deadline or a context.';
  elsif p_context is not null and btrim(coalesce(p_reason, '')) = '' then
    raise exception using
      errcode = 'TK422',
      message = 'the reason is missing',
      hint    = 'A new context of a task needs a reason, which the log of administration keeps.';
  end if;
  perform tasker.check_instant('start of a task', p_start_at);
  perform tasker.check_instant('deadline of a task', p_deadline);
  perform tasker.check_task_arguments(p_priority, null, null, null, null, null, p_start_at, p_deadline);
end;
$$;

comment on function tasker.check_task_change is
$$Raises TK422 if the arguments of tasker.change_task name no change, or have a value out of range.$$;
-- <<<

-- >>> db/schema/functions/operate/operators/private/described_terms.sql
create or replace function tasker.described_terms(p_task tasker.tasks)
  returns jsonb
  language plpgsql
  stable
as $$
begin
  return jsonb_build_object(
    'priority', p_task.priority,
    'deadline', p_task.deadline,
    'start_at', (
      select coalesce(r.line_at, m.due_at)
        from tasker.timers as m
        left join tasker.runs as r
          on r.task_uuid = m.task_uuid
       where m.task_uuid = p_task.task_uuid
         and m.kind = 'start_task'
    ),
    'context', p_task.context
  );
end;
$$;

comment on function tasker.described_terms is
$$Returns the values of a task that tasker.change_task can change, as an object. The object has no start if the task has
started.$$;
-- <<<

-- >>> db/schema/functions/operate/operators/private/note_task_change.sql
create or replace function tasker.note_task_change(p_task_uuid uuid, p_was jsonb, p_becomes jsonb)
  returns void
  language plpgsql
as $$
begin
  perform tasker.note_administration(
    'tasks', p_task_uuid::text, array[tasker.namespace_of_task(p_task_uuid)], 'update', p_was, p_becomes
  );
end;
$$;

comment on function tasker.note_task_change is
$$Writes a pause or another change of a task into the log of administration, under the kind "tasks".$$;
-- <<<

-- >>> db/schema/functions/operate/operators/private/replace_context.sql
create or replace function tasker.replace_context(p_task_uuid uuid, p_context jsonb)
  returns void
  language plpgsql
  set search_path = pg_catalog, pg_temp
as $$
begin
  update tasker.tasks as t
     set context = p_context
   where t.task_uuid = p_task_uuid;
  perform tasker.context_replaced(p_task_uuid);
end;
$$;

comment on function tasker.replace_context is
$$Writes the new context of a task. The guard of the table allows only this function and an erasure to change a context.
The caller holds the task's lock and has checked the context.$$;
-- <<<

-- >>> db/schema/functions/operate/operators/reset_tasks.sql
create or replace function tasker.reset_tasks(
  p_reason            text,
  p_state             text         default 'blocked_by_failures',
  p_namespace         text         default null,
  p_name              text         default null,
  p_version           text         default null,
  p_tags              text[]       default null,
  p_requested_after   timestamptz  default null,
  p_requested_before  timestamptz  default null,
  p_after             uuid         default null,
  p_limit             integer      default 100,
  p_dry_run           boolean      default false,
  p_actor             text         default null
)
  returns setof tasker.task_resets
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
  v_actor  text   := tasker.actor_name(p_actor);
  v_found  tasker.task_resets[];
  v_locked uuid[] := '{}';
  v_reset  uuid[] := '{}';
  v_kept   uuid[] := '{}'; -- another open task has the identity of these tasks
  v_busy   uuid[] := '{}'; -- another transaction holds the identity of these tasks
  v_other  text;
  v_task   tasker.tasks;
begin
  p_state   := coalesce(p_state, 'blocked_by_failures');
  p_limit   := coalesce(p_limit, 100);
  p_dry_run := coalesce(p_dry_run, false);
  perform tasker.check_bound_namespaces(array[p_namespace]);
  perform tasker.check_reset_tasks(p_reason, p_state, p_limit, p_dry_run, p_tags, p_actor);
  perform tasker.check_instant('time after which tasks were requested', nullif(p_requested_after, '-infinity'));
  perform tasker.check_instant('time before which tasks were requested', nullif(p_requested_before, 'infinity'));

  v_found := array(
    select f
      from tasker.find_tasks_to_reset(
        p_state::tasker.task_state, p_namespace, p_name, p_version, p_tags,
        coalesce(tasker.uuid_v7_floor(nullif(p_requested_after, '-infinity')), '00000000-0000-0000-0000-000000000000'),
        coalesce(tasker.uuid_v7_floor(nullif(p_requested_before, 'infinity')), 'ffffffff-ffff-ffff-ffff-ffffffffffff'),
        coalesce(p_after, '00000000-0000-0000-0000-000000000000'), p_limit
      ) as f
  );
  if not p_dry_run then
    perform tasker.check_recent_sign_in();
    v_locked := tasker.lock_tasks(array(select f.task_uuid from unnest(v_found) as f));
    for v_task in
      select t.*
        from unnest(v_locked) as u (task_uuid)
       cross join lateral (
         select t.*
           from tasker.tasks as t
          where t.task_uuid = u.task_uuid
         offset 0
       ) as t
       where t.state = p_state::tasker.task_state
       order by t.task_uuid
    loop
      v_other := tasker.regain_identity(v_task);
      if v_other = 'locked' then
        v_busy := v_busy || v_task.task_uuid;
      elsif v_other is not null then
        v_kept := v_kept || v_task.task_uuid;
      elsif tasker.reset_locked_task(v_task, p_reason, v_actor) then
        v_reset := v_reset || v_task.task_uuid;
      end if;
    end loop;
    perform tasker.advance_tasks(v_reset);
  end if;

  return query
  select
    f.task_uuid, f.namespace, f.name, f.version, f.state, f.failed_steps, f.requested_at,
    case
      when p_dry_run then 'matched'
      when f.task_uuid = any (v_reset) then 'reset'
      when f.task_uuid = any (v_kept) then 'duplicate'
      when f.task_uuid = any (v_busy) then 'locked'
      when f.task_uuid = any (v_locked) then 'moved'
      else 'locked'
    end
  from unnest(v_found) as f
  order by f.task_uuid;
end;
$$;

comment on function tasker.reset_tasks is
$$Resets the tasks in state p_state that match all given filters, as reset_task does, the oldest first. p_state is
"blocked_by_failures" (the default) or "error". Returns a row for each task with its outcome. With p_dry_run the
function returns the batch without changing it. A bound caller reaches only its own namespaces.

Each call does one batch, in a transaction of its own unless the caller has begun one. A batch has p_limit tasks
(default 100, at most 1,000). For the next batch, pass the last task of this batch as p_after. Locks the tasks, then
their steps, without waiting for locks. If another transaction holds a task, the outcome of that task is "locked".
Raises TK428 if the caller is a person whose sign-in is too old. Raises TK422 without a reason, for another state or a
limit out of range, TK413 for arguments that are too large, and TK403 if the caller is bound to other namespaces.$$;

grant execute on function tasker.reset_tasks to tasker_orchestrator, tasker_operator;
-- <<<

-- >>> db/schema/functions/operate/operators/retry_step.sql
create or replace function tasker.retry_step(p_step_uuid uuid, p_reason text default null, p_actor text default null)
  returns boolean
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
  perform tasker.check_bound(p_step_uuid);
  perform tasker.check_given_name('actor', p_actor, 200);
  return tasker.operate_on_step(
    p_step_uuid, 'Retry', jsonb_strip_nulls(jsonb_build_object('reason', p_reason)), p_actor
  );
exception
  when lock_not_available then
    perform tasker.raise_task_locked(p_step_uuid);
end;
$$;

comment on function tasker.retry_step is
$$Runs a step again that has failed for good, with its attempts restored. If the step waits for its next attempt, runs
it at once. Returns true if this call changed the step, and false if the step is going to run anyway. The kept results
of the step's durable function stay. Only if the last kept result is an error, it is deleted and the call is made again.

p_reason and p_actor go into the log. Without p_actor, the log has the caller's role. Locks the task, then the step.
Raises TK404 if there is no such step. Raises TK409 if the step is settled, if its result is being processed, or if its
task has ended. Raises TK413 if the reason is too large, and TK403 if the caller is bound to other namespaces. Raises
TK409 if another session keeps the task locked for 5 seconds.$$;

grant execute on function tasker.retry_step to tasker_orchestrator, tasker_operator;
-- <<<

-- >>> db/schema/functions/operate/operators/resolve_step_manually.sql
create or replace function tasker.resolve_step_manually(
  p_step_uuid  uuid,
  p_reason     text  default null,
  p_actor      text  default null
)
  returns boolean
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
  perform tasker.check_bound(p_step_uuid);
  perform tasker.check_given_name('actor', p_actor, 200);
  return tasker.operate_on_step(
    p_step_uuid, 'ResolveManually', jsonb_strip_nulls(jsonb_build_object('reason', p_reason)), p_actor
  );
exception
  when lock_not_available then
    perform tasker.raise_task_locked(p_step_uuid);
end;
$$;

comment on function tasker.resolve_step_manually is
$$Settles a step without results, because its work was done elsewhere. The steps that depend on it may then run. Returns
true if this call resolved the step, and false if the step was already resolved. A worker that still runs the step gets
the answer "already_complete".

p_reason and p_actor go into the log. Without p_actor, the log has the caller's role. Locks the task, then the step.
Raises TK404 if there is no such step, and TK409 if the step is complete or cancelled or its task has ended. Raises
TK413 if the reason is too large, and TK403 if the caller is bound to other namespaces. Raises TK409 if another session
keeps the task locked for 5 seconds.$$;

grant execute on function tasker.resolve_step_manually to tasker_orchestrator, tasker_operator;
-- <<<

-- >>> db/schema/functions/operate/operators/complete_step_manually.sql
create or replace function tasker.complete_step_manually(
  p_step_uuid  uuid,
  p_results    jsonb,
  p_reason     text  default null,
  p_actor      text  default null
)
  returns boolean
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
begin
  perform tasker.check_bound(p_step_uuid);
  perform tasker.check_given_name('actor', p_actor, 200);
  if btrim(coalesce(p_reason, '')) = ''
     and exists (
       select
         from tasker.workflow_steps as s
        where s.task_uuid = tasker.task_uuid_of(p_step_uuid)
          and s.step_no = tasker.step_no_of(p_step_uuid)
          and s.state = 'pending'
          and not tasker.join_holds(s.join_mode, s.total_parents, s.pending_parents, s.satisfied_parents)
     )
     and exists (
       select
         from tasker.tasks as t
        where t.task_uuid = tasker.task_uuid_of(p_step_uuid)
          and not t.complete
     )
  then
    raise exception using
      errcode = 'TK422',
      message = format('step %s has never run and its dependencies are not met: completing it needs a reason', p_step_uuid),
      hint    = 'Pass p_reason, or wait until its parents have settled.';
  end if;

  return tasker.operate_on_step(
    p_step_uuid, 'CompleteManually',
    jsonb_strip_nulls(jsonb_build_object('reason', p_reason))
      || case when p_results is null then '{}' else jsonb_build_object('results', p_results) end,
    p_actor
  );
exception
  when lock_not_available then
    perform tasker.raise_task_locked(p_step_uuid);
end;
$$;

comment on function tasker.complete_step_manually is
$$Completes a step with an operator's results, which its children can read. Returns true if this call completed the
step, and false if the step was already complete. A worker that still runs the step gets the answer "already_complete".

p_reason and p_actor go into the log. Without p_actor, the log has the caller's role. Locks the task, then the step.
Raises TK404 if there is no such step. Raises TK409 if the step is cancelled or resolved, if its result is being
processed, or if its task has ended. Raises TK413 if the results and the reason are too large. Raises TK422 without a
reason for a step that has never run and whose dependencies are not met. Raises TK403 if the caller is bound to other
namespaces. Raises TK409 if another session keeps the task locked for 5 seconds.$$;

grant execute on function tasker.complete_step_manually to tasker_orchestrator, tasker_operator;
-- <<<

-- >>> db/schema/functions/operate/operators/complete_step_by_name.sql
create or replace function tasker.complete_step_by_name(
  p_task_uuid  uuid,
  p_step_name  text,
  p_results    jsonb,
  p_reason     text     default null,
  p_actor      text     default null,
  p_early      boolean  default false
)
  returns boolean
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
  v_step tasker.workflow_steps;
begin
  -- While the task is locked, the parents' states do not change.
  perform tasker.lock_task(p_task_uuid);
  select s.*
    into v_step
    from tasker.workflow_steps as s
   where s.task_uuid = p_task_uuid
     and s.name = p_step_name
   -- Instances that were replaced have lower numbers than the present instances.
   order by s.step_no desc
   limit 1;
  if not found then
    raise exception using
      errcode = 'TK404',
      message = format('task %s has no step "%s"', p_task_uuid, left(p_step_name, 100)),
      hint    = coalesce(
        format('Did you mean "%s"?', tasker.nearest_name(p_step_name, array(
          select s.name
            from tasker.workflow_steps as s
           where s.task_uuid = p_task_uuid
           order by s.step_no
           limit 1000
        ))),
        'tasker.list_steps(task) lists its steps.'
      );
  end if;

  if v_step.state = 'pending' and v_step.pending_parents > 0 and not coalesce(p_early, false) then
    raise exception using
      errcode = 'TK409',
      message = format('step "%s" still waits for other steps', v_step.name),
      detail  = format('It waits for %s of the steps that it depends on.', v_step.pending_parents),
      hint    = 'Wait for them, or complete it early with p_early => true and a reason.';
  end if;
  return tasker.complete_step_manually(v_step.workflow_step_uuid, p_results, p_reason, p_actor);
end;
$$;

comment on function tasker.complete_step_by_name is
$$Completes the step with this name with an operator's results, as tasker.complete_step_manually does, but only if the
steps that it depends on have settled. An approval can be recorded in this way. With p_early the step may be completed
before its parents have settled, which needs a reason. Returns true if this call completed the step, and false if the
step was already complete.

p_reason and p_actor go into the log. Without p_actor, the log has the caller's role. Locks the task, then the step.
Raises TK404 if there is no such task or step, TK409 if the step still waits for other steps, if the step is cancelled
or resolved, if its result is being processed or if its task has ended, and TK413 if the results and the reason are too
large.$$;

grant execute on function tasker.complete_step_by_name
  to tasker_orchestrator, tasker_operator;
-- <<<

-- >>> db/schema/functions/operate/operators/change_task.sql
create or replace function tasker.change_task(
  p_task_uuid  uuid,
  p_priority   integer      default null,
  p_start_at   timestamptz  default null,
  p_deadline   timestamptz  default null,
  p_context    jsonb        default null,
  p_reason     text         default null,
  p_actor      text         default null
)
  returns boolean
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
  v_task tasker.tasks;
  v_was  jsonb;
  v_now  jsonb;
begin
  perform tasker.check_bound(p_task_uuid);
  perform tasker.check_isolation();
  perform tasker.administer(p_actor, p_reason);
  perform tasker.check_task_change(p_priority, p_start_at, p_deadline, p_context, p_reason);
  perform tasker.lock_open_task(p_task_uuid);
  select t.* into v_task from tasker.tasks as t where t.task_uuid = p_task_uuid;
  v_was := tasker.described_terms(v_task);
  if p_context is not null then
    perform tasker.check_changed_context(v_task, p_context);
    perform tasker.replace_context(p_task_uuid, p_context);
  end if;
  if p_start_at is not null then
    perform tasker.change_start(v_task, p_start_at, p_deadline);
  end if;
  update tasker.tasks as t
     set priority   = coalesce(p_priority, t.priority),
         deadline   = coalesce(p_deadline, t.deadline),
         updated_at = greatest(t.updated_at, tasker.write_clock())
   where t.task_uuid = p_task_uuid
  returning t.* into v_task;
  if p_priority is not null then
    perform tasker.change_priority(p_task_uuid, p_priority - (v_was ->> 'priority')::integer);
  end if;
  if p_deadline is not null then
    insert into tasker.timers (task_uuid, kind, due_at, namespace)
    values (p_task_uuid, 'task_deadline', p_deadline, tasker.namespace_of_task(p_task_uuid))
    on conflict (task_uuid, step_no, kind) do update
       set due_at = excluded.due_at;
  end if;
  v_now := tasker.described_terms(v_task);
  if v_now = v_was then
    return false;
  end if;
  perform tasker.notify_orchestrators();
  perform tasker.note_task_change(
    p_task_uuid,
    (select jsonb_object_agg(e.key, e.value) from jsonb_each(v_was - 'context') as e where v_now -> e.key <> e.value),
    (select jsonb_object_agg(e.key, case e.key when 'context' then '"changed"' else e.value end) from jsonb_each(v_now) as e where v_was -> e.key <> e.value)
  );
  return true;
exception
  when lock_not_available then
    perform tasker.raise_task_locked(p_task_uuid);
end;
$$;

comment on function tasker.change_task is
$$Changes the priority, the start, the deadline or the context of one task that has not ended. A null argument changes
nothing. A new priority moves the steps in the queue, and also moves the task in the line of its key if the line is
ordered by priority. A start in the past starts the task at once. A new deadline replaces the task's deadline. A new
context needs a reason. Steps that start from now on get the new context. A running step keeps the context that it was
given, and a wait that has begun keeps its time-out and the key of its event. The identity of the task does not change.
Returns true if this call changed the task, and false if the task already had these values.

p_reason and p_actor (null: the caller's role) go into the log of administration, under the kind "tasks", with the
values before and after, but without the context. Locks the task, then its steps, then their queue rows and timers. The
cost is linear in the number of steps of the task. Raises TK404 if there is no such task. Raises TK422 if no change is
given, for a value out of range, for a context without a reason or that does not fit the template's schema. Raises TK413
if the context, the reason or the actor's name is too large. Raises TK409 if the task has ended or is being undone, if
p_start_at is given and the task has started, or if the isolation level is above READ COMMITTED. Raises TK409 if the new
context would change the key of the task's runs, the key of a step's limit or the array of a map that has begun. Raises
TK403 if the caller is bound to other namespaces. Raises TK409 if another session keeps the task locked for 5 seconds.$$;

grant execute on function tasker.change_task to tasker_orchestrator, tasker_operator;
-- <<<

-- >>> db/schema/functions/operate/operators/pause_task.sql
create or replace function tasker.pause_task(p_task_uuid uuid, p_reason text default null, p_actor text default null)
  returns boolean
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
  perform tasker.administer(p_actor, p_reason);
  perform tasker.lock_open_task(p_task_uuid);
  if tasker.task_is_held(p_task_uuid) then
    return false;
  end if;
  perform from tasker.workflow_steps as s where s.task_uuid = p_task_uuid order by s.step_no for no key update;
  -- Mark settled steps, too, because a correction may run them again. Compensations are not paused.
  update tasker.workflow_steps as s
     set effects = s.effects | 16384
   where s.task_uuid = p_task_uuid
     and s.undo_no is null;
  update tasker.step_queue as q
     set lane = 'paused'
   where q.task_uuid = p_task_uuid
     and q.lane not in ('running', 'results');
  insert into tasker.timers (task_uuid, kind, due_at, namespace)
  values (p_task_uuid, 'hold_task', '2200-01-01 00:00:00Z', tasker.namespace_of_task(p_task_uuid));
  update tasker.timers as n
     set due_at = '2200-01-01 00:00:00Z'
   where n.task_uuid = p_task_uuid
     and n.kind = 'start_child';
  perform tasker.note_task_change(p_task_uuid, '{"paused": false}', '{"paused": true}');
  return true;
exception
  when lock_not_available then
    perform tasker.raise_task_locked(p_task_uuid);
end;
$$;

comment on function tasker.pause_task is
$$Pauses one task until tasker.resume_task is called: no step of the task starts, and no step starts another task.
Running steps continue, their leases can be renewed, and their results count. Signals and events still end waits. The
time-outs of waits, the waits before retries and the deadline of the task continue to run. Compensations and tasks that
the task's steps have started also continue. The task keeps its places in limits and in the line of its key. The pause
ends when the task ends. Returns true if this call paused the task, and false if the task was already paused.

p_reason and p_actor go into the log of administration, under the kind \"tasks\". Without p_actor, the log has the
caller's role. Locks the task, then its steps, then their queue rows and timers. The cost is linear in the number of
steps of the task. Raises TK404 if there is no such task. Raises TK409 if the task has ended or is being undone, or if
the isolation level is above READ COMMITTED. Raises TK413 if the reason or the actor's name is too long. Raises TK403 if
the caller is bound to other namespaces. Raises TK409 if another session keeps the task locked for 5 seconds.$$;

grant execute on function tasker.pause_task to tasker_orchestrator, tasker_operator;
-- <<<

-- >>> db/schema/functions/operate/operators/resume_task.sql
create or replace function tasker.resume_task(p_task_uuid uuid, p_reason text default null, p_actor text default null)
  returns boolean
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
  v_moves tasker.step_moves[];
begin
  perform tasker.check_bound(p_task_uuid);
  perform tasker.check_isolation();
  perform tasker.administer(p_actor, p_reason);
  perform tasker.lock_open_task(p_task_uuid);
  if not tasker.task_is_held(p_task_uuid) then
    return false;
  end if;
  perform from tasker.workflow_steps as s where s.task_uuid = p_task_uuid order by s.step_no for no key update;
  update tasker.workflow_steps as s
     set effects = s.effects & ~16384::smallint
   where s.task_uuid = p_task_uuid
     and s.effects & 16384 <> 0;
  with freed as (
    update tasker.step_queue as q
       set lane       = tasker.step_lane('enqueued', s.priority),
           limit_no   = null,
           limit_key  = null,
           limit_lane = null
      from tasker.workflow_steps as s
     where q.task_uuid = p_task_uuid
       and q.lane = 'paused'
       and s.task_uuid = p_task_uuid
       and s.step_no = q.step_no
    returning q.step_no, s.effects
  )
  select array_agg(tasker.step_move(
      p_task_uuid => p_task_uuid, p_step_no => f.step_no, p_from_state => 'pending', p_event => 'Enqueue', p_to_state => 'enqueued'
    ) order by f.step_no) filter (where f.effects & 260 <> 0)
    into v_moves
    from freed as f;
  delete from tasker.timers as h
   where h.task_uuid = p_task_uuid
     and h.kind = 'hold_task';
  update tasker.timers as n
     set due_at = tasker.write_clock()
   where n.task_uuid = p_task_uuid
     and n.kind = 'start_child';
  if v_moves is not null then
    perform tasker.moved(v_moves, 260::smallint);
  end if;
  perform tasker.announce_steps(tasker.namespace_of_task(p_task_uuid), array[p_task_uuid]);
  perform tasker.notify_orchestrators();
  perform tasker.note_task_change(p_task_uuid, '{"paused": true}', '{"paused": false}');
  return true;
exception
  when lock_not_available then
    perform tasker.raise_task_locked(p_task_uuid);
end;
$$;

comment on function tasker.resume_task is
$$Ends the pause of a task (tasker.pause_task). The ready steps of the task return to their places in the queue, and its
steps may start tasks again. Wakes workers. Returns true if this call resumed the task, and false if the task was not
paused.

p_reason and p_actor go into the log of administration, under the kind \"tasks\". Without p_actor, the log has the
caller's role. Locks the task, then its steps, then their queue rows and timers. The cost is linear in the number of
steps of the task. Raises TK404 if there is no such task. Raises TK409 if the task has ended or is being undone, or if
the isolation level is above READ COMMITTED. Raises TK413 if the reason or the actor's name is too long. Raises TK403 if
the caller is bound to other namespaces. Raises TK409 if another session keeps the task locked for 5 seconds.$$;

grant execute on function tasker.resume_task to tasker_orchestrator, tasker_operator;
-- <<<

-- >>> db/schema/rows/operate/rerun/step_reruns.sql
create or replace view tasker.step_reruns as
select
  '00000000-0000-0000-0000-000000000000'::uuid as task_uuid,
  0::integer as step_no,
  '00000000-0000-0000-0000-000000000000'::uuid as workflow_step_uuid,
  ''::text as name,
  'pending'::tasker.step_state as state,
  ''::text as fate,
  false::boolean as has_compensation,
  null::uuid as child_task_uuid
where false;

comment on view tasker.step_reruns is
  'Row type: a step that runs again together with another step.';
comment on column tasker.step_reruns.fate is
  'again: the step runs again; replaced: the step is an instance of a map that begins again, and new instances replace it.';
comment on column tasker.step_reruns.has_compensation is
  'Whether the step had an effect that its compensation could undo. The compensation does not run before the step runs again.';
comment on column tasker.step_reruns.child_task_uuid is
  'The task that the step started. It is cancelled if it is open, and the step then starts a new task.';
-- <<<

-- >>> db/schema/functions/operate/rerun/private/find_reruns.sql
create or replace function tasker.find_reruns(p_task_uuid uuid, p_from integer)
  returns setof tasker.step_reruns
  language plpgsql
  stable
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_starts   integer[] := array(
    select p_from
    union all
    -- When a map runs again, its instances run again, and so do the steps that were added below them.
    select i.step_no
      from tasker.map_instances(p_task_uuid, p_from) as i
  );
  v_last     integer;
  v_from     integer[];
  v_to       integer[];
  v_below    integer[];
  v_maps     integer[];
  v_replaced integer[];
begin
  select max(s.step_no) into v_last from tasker.workflow_steps as s where s.task_uuid = p_task_uuid;
  select coalesce(array_agg(e.from_step_no), '{}'), coalesce(array_agg(e.to_step_no), '{}')
    into v_from, v_to
    from tasker.workflow_step_edges as e
   where e.task_uuid = p_task_uuid;
  v_below := tasker.graph_distances(v_last, v_starts, v_from, v_to);
  -- Find the maps whose array may change.
  v_maps := array(
    select m.step_no
      from tasker.workflow_steps as m
     where m.task_uuid = p_task_uuid
       and m.for_each is not null
       and v_below[m.step_no] >= 0
       and m.expansion is not null
       and (
         m.step_no = p_from
         or exists (select from jsonb_array_elements(m.expansion -> 'parents') as e (value) where v_below[e.value::integer] >= 0)
       )
  );
  v_replaced := array(
    select i.step_no
      from unnest(v_maps) as m (step_no)
     cross join lateral tasker.map_instances(p_task_uuid, m.step_no) as i
  );
  return query
  select
    s.task_uuid, s.step_no, s.workflow_step_uuid, s.name, s.state,
    case when s.step_no = any (v_replaced) then 'replaced' else 'again' end,
    s.compensate_uuid is not null and s.owner_uuid is null and (s.claim_no > 0 or s.state in ('complete', 'resolved_manually')),
    s.child_task_uuid
    from tasker.workflow_steps as s
   where s.task_uuid = p_task_uuid
     and (v_below[s.step_no] >= 0 or s.step_no = any (v_replaced))
   order by s.step_no;
end;
$$;

comment on function tasker.find_reruns is
$$Returns the steps that run again with a step: the step itself and all steps that depend on it, directly or not. If the
array of a map may change, also returns the map's instances, which will be replaced. The cost is linear in the number of
the task's steps and edges.$$;
-- <<<

-- >>> db/schema/functions/operate/rerun/private/check_rerun.sql
create or replace function tasker.check_rerun(p_task tasker.tasks, p_step tasker.workflow_steps, p_by_hand boolean)
  returns void
  language plpgsql
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_failed boolean := p_step.state = 'cancelled' and p_step.step_no = any (tasker.taken_failures(p_task.task_uuid));
begin
  if p_task.erased_at is not null then
    perform tasker.raise_erased(p_task.task_uuid);
  elsif p_task.undo ? 'phase' or p_task.state in ('cancelled', 'resolved_manually') then
    raise exception using
      errcode = 'TK409',
      message = format(
        'task %s %s, and no step of it runs again', p_task.task_uuid,
        case
          when tasker.is_undone(p_task.undo) then 'is being undone'
          when p_task.undo ? 'phase' then 'has been undone'
          else 'is ' || p_task.state
        end
      ),
      hint    = format('Repeat it in a new task: tasker.fork_task(task, ''%s'').', replace(p_step.name, '''', ''''''));
  elsif p_task.complete and exists (
    select
      from tasker.workflow_steps as s
     where s.task_uuid = tasker.task_uuid_of(p_task.parent_step_uuid)
       and s.step_no = tasker.step_no_of(p_task.parent_step_uuid)
       and (s.child_task_uuid = p_task.task_uuid and s.state = 'complete'
            or p_task.task_uuid = any (s.child_task_uuids) and (s.wait -> 'started' ? p_task.task_uuid::text and s.state = 'suspended') is not true)
  ) then
    raise exception using
      errcode = 'TK409',
      message = format('step %s has taken the result of task %s', p_task.parent_step_uuid, p_task.task_uuid),
      hint    = 'Let that step run again: tasker.rerun_step(step, reason). It starts a new task.';
  elsif p_step.state = 'cancelled' and not v_failed then
    raise exception using
      errcode = 'TK409',
      message = format('step %s was skipped or cancelled, and has no result to correct', p_step.workflow_step_uuid),
      hint    = 'Let the step run again whose result decided that, or add a step with tasker.add_steps(task, steps).';
  elsif p_by_hand and p_step.for_each is not null then
    raise exception using
      errcode = 'TK409',
      message = format('step %s is a map, and has no result of its own', p_step.workflow_step_uuid),
      hint    = 'Correct the result of an instance: tasker.list_steps(task) lists them.';
  elsif p_by_hand and not v_failed and p_step.state not in ('complete', 'resolved_manually', 'error') then
    raise exception using
      errcode = 'TK409',
      message = format('step %s is %s, and has no result to correct', p_step.workflow_step_uuid, p_step.state),
      hint    = 'Complete it by hand: tasker.complete_step_manually(step, results, reason).';
  end if;
end;
$$;

comment on function tasker.check_rerun is
$$Raises TK409 with the remedy if a step cannot run again, because its task was erased, cancelled, resolved or undone,
or because the step that started the task has taken the task's result. Also raises TK409 if the step was skipped or
cancelled, unless the step failed and another step waited for that failure. With p_by_hand, also raises TK409 if the
step is a map or has no result. The caller holds the task's lock, so no step can take the task's result in the meantime.$$;
-- <<<

-- >>> db/schema/functions/operate/rerun/preview_rerun.sql
create or replace function tasker.preview_rerun(p_step_uuid uuid)
  returns setof tasker.step_reruns
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
  select f.*
    from tasker.find_reruns(tasker.task_uuid_of(p_step_uuid), tasker.step_no_of(p_step_uuid)) as f;
end;
$$;

comment on function tasker.preview_rerun is
$$Returns, by number, the steps that tasker.rerun_step would run again or replace: the step and all steps that depend on
it. Changes nothing, and does not say whether a rerun would be refused. The cost is linear in the number of the task's
steps and edges. Raises TK404 if there is no such step, and TK403 if the caller is bound to other namespaces.$$;

grant execute on function tasker.preview_rerun to tasker_orchestrator, tasker_operator, tasker_reader;
-- <<<

-- >>> db/schema/functions/operate/rerun/rerun_step.sql
create or replace function tasker.rerun_step(
  p_step_uuid  uuid,
  p_reason     text,
  p_actor      text   default null,
  p_results    jsonb  default null
)
  returns boolean
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
  v_uuid     uuid    := tasker.task_uuid_of(p_step_uuid);
  v_no       integer := tasker.step_no_of(p_step_uuid);
  v_actor    text    := tasker.actor_name(p_actor);
  v_by_hand  boolean := p_results is not null;
  v_task     tasker.tasks;
  v_step     tasker.workflow_steps;
  v_facts    tasker.task_facts;
  v_again    integer[];
  v_replaced integer[];
begin
  perform tasker.check_bound(p_step_uuid);
  perform tasker.check_isolation();
  perform tasker.check_given_name('actor', p_actor, 200);
  if btrim(coalesce(p_reason, '')) = '' then
    raise exception using
      errcode = 'TK422',
      message = 'the reason is missing',
      hint    = 'A result that is replaced needs a reason, which the history keeps beside it.';
  end if;
  perform tasker.check_text_size('reason', p_reason, 900);
  if v_by_hand then
    perform tasker.check_transition_metadata(jsonb_build_object('reason', p_reason, 'results', p_results));
  end if;
  perform tasker.check_step_exists(p_step_uuid);
  perform tasker.lock_identity(v_uuid);
  v_task := tasker.lock_task(v_uuid);
  select s.*
    into v_step
    from tasker.workflow_steps as s
   where s.task_uuid = v_uuid
     and s.step_no = v_no;
  perform tasker.check_rerun(v_task, v_step, v_by_hand);
  -- This is a repeated call: the step is going to run anyway, or has this result.
  if not v_by_hand and v_step.state not in ('complete', 'resolved_manually', 'error', 'cancelled')
     or v_by_hand and v_step.state = 'complete' and v_step.results = p_results then
    return false;
  end if;
  perform tasker.check_identity_regained(v_task, 'run again');

  select
    array_agg(f.step_no) filter (where f.fate = 'again'),
    coalesce(array_agg(f.step_no) filter (where f.fate = 'replaced'), '{}')
    into v_again, v_replaced
    from tasker.find_reruns(v_uuid, v_no) as f;
  v_facts := tasker.rerun_steps(
    tasker.lock_task_facts(v_uuid), v_no, v_by_hand, v_again, v_replaced, p_reason, v_actor
  );
  if v_task.complete then
    perform tasker.write_task_move(
      v_facts, 'Rerun', 'pending', null, jsonb_build_object('reason', p_reason, 'from_step', v_step.name), v_actor
    );
  else
    perform tasker.count_task(v_facts);
  end if;

  if v_by_hand then
    select s.*
      into v_step
      from tasker.workflow_steps as s
     where s.task_uuid = v_uuid
       and s.step_no = v_no;
    perform tasker.apply_held_move(
      tasker.direct_move(
        v_step, 'CompleteManually', 'complete', null, jsonb_build_object('reason', p_reason, 'results', p_results), v_actor
      ),
      tasker.lock_task_facts(v_uuid)
    );
  end if;
  -- Do not start a task whose start is left to an orchestrator or not due yet.
  if not exists (select from tasker.waiting_tasks as w where w.task_uuid = v_uuid) then
    perform tasker.advance_tasks(array[v_uuid]);
  end if;
  return true;
exception
  when lock_not_available then
    perform tasker.raise_task_locked(p_step_uuid);
end;
$$;

comment on function tasker.rerun_step is
$$Corrects a wrong result in place. Runs again a step that is done or has failed, and all steps that depend on it,
directly or not, whatever their state. A task that is complete or has failed becomes open again. With p_results the step
itself does not run but gets this result, and the steps that depend on it run again. Returns true if this call changed
the step, and false if the step is going to run anyway or already has this result.

The former results stay in the log, and the audit shows them with p_reason and p_actor (default: the caller's role). A
step in progress loses its claim, and its result gets the answer "stale". Attempts are restored, and checkpoints and
kept results of functions are deleted. Signals and events that a step has taken stay taken, so the step waits for
another signal or event. A step that has started a task starts a new task, and the old task is cancelled if it is open.
A map begins again, with new instances, if a step that it depends on runs again. The effects of the steps are not undone
before they run again. A compensation undoes the last run. The other failed steps of a failed task are reset. A deadline
that has passed no longer counts.

tasker.preview_rerun lists the steps. The cost is linear in the number of the task's steps and edges. Locks the task's
identity, the task, then its steps. Raises TK404 if there is no such step, and TK422 without a reason. Raises TK413 if
the reason or the results are too large. Raises TK409 with the remedy if the task is cancelled or resolved or was undone
or erased, or if the step that started the task has taken its result. Raises TK409 if the step was skipped or cancelled,
or if p_results are given for a map or for a step without a result. Raises TK409 if the task's identity has the scope
"open" and another open task has this identity, or if the isolation level is above READ COMMITTED. Raises TK403 if the
caller is bound to other namespaces. Raises TK409 if another session keeps the task locked for 5 seconds.$$;

grant execute on function tasker.rerun_step to tasker_orchestrator, tasker_operator;
-- <<<

-- >>> db/schema/functions/operate/fork/private/find_fork.sql
create or replace function tasker.find_fork(
  p_old        tasker.tasks,
  p_hash       bytea,
  p_from_step  text,
  p_version    text,
  p_cancel     boolean
)
  returns uuid
  language plpgsql
  stable
as $$
declare
  v_fork      tasker.tasks;
  v_version   text;
  v_old       text;
  v_cancelled boolean;
begin
  select t.*
    into v_fork
    from tasker.task_identities as i
    join tasker.tasks as t
      on t.task_uuid = i.task_uuid
   where i.identity_hash = p_hash;
  if not found then
    return null;
  end if;

  select k.version into v_version from tasker.named_tasks as k where k.named_task_uuid = v_fork.named_task_uuid;
  select k.version into v_old from tasker.named_tasks as k where k.named_task_uuid = p_old.named_task_uuid;
  v_cancelled := exists (
    select
      from tasker.task_transition_log as l
     where l.task_uuid = p_old.task_uuid
       and l.event = 'Cancel'
       and l.metadata ->> 'forked_to' = v_fork.task_uuid::text
  );
  if coalesce(p_version, v_old) <> v_version
     or not starts_with(v_fork.reason, format('fork of %s from step "%s"', p_old.task_uuid, p_from_step))
     -- A fork does not cancel a task that has already ended. A reset or a rerun of a step may have opened the task
     -- since then.
     or v_cancelled and p_cancel is not true
     or p_cancel and not v_cancelled and not p_old.complete and not exists (
       select
         from tasker.task_transition_log as l
        where l.task_uuid = p_old.task_uuid
          and l.event in ('Reset', 'Rerun')
          and l.created_at >= v_fork.requested_at
     ) then
    raise exception using
      errcode = 'TK409',
      message = format('the key belongs to another fork of task %s', p_old.task_uuid),
      detail  = format('Task %s of version %s: %s%s.', v_fork.task_uuid, v_version, v_fork.reason, case when v_cancelled then ', which cancelled the old task' else '' end),
      hint    = 'Use a new key for another fork.';
  end if;
  return v_fork.task_uuid;
end;
$$;

comment on function tasker.find_fork is
$$Returns the fork of a task that was created with a key. Returns null if there is no such fork. Raises TK409 if the
fork was made from another step, for another version, or with another value of p_cancel. The caller holds the task's
lock.$$;
-- <<<

-- >>> db/schema/functions/operate/fork/private/fork_step_no.sql
create or replace function tasker.fork_step_no(p_named_task_uuid uuid, p_name text)
  returns integer
  language plpgsql
  stable
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_no integer;
begin
  if btrim(coalesce(p_name, '')) = '' then
    raise exception using
      errcode = 'TK422',
      message = 'the step is missing',
      hint    = 'Name the step from which on the new task runs again.';
  end if;
  select s.step_no
    into v_no
    from tasker.named_tasks_named_steps as s
   where s.named_task_uuid = p_named_task_uuid
     and s.step_name = p_name;
  if not found then
    raise exception using
      errcode = 'TK404',
      message = format('the template has no step "%s"', left(p_name, 100)),
      hint    = coalesce(
        format('Did you mean "%s"?', tasker.nearest_name(p_name, array(
          select s.step_name
            from tasker.named_tasks_named_steps as s
           where s.named_task_uuid = p_named_task_uuid
           order by s.step_no
           limit 1000
        ))),
        'Name a step of the version that the new task runs; of a map, the map itself.'
      );
  end if;
  return v_no;
end;
$$;

comment on function tasker.fork_step_no is
$$Returns the number of a template's step by its name. Raises TK422 without a name, and TK404 if there is no such step.$$;
-- <<<

-- >>> db/schema/functions/operate/fork/private/same_step_nos.sql
create or replace function tasker.same_step_nos(p_old uuid, p_new uuid)
  returns integer[]
  language plpgsql
  stable
as $$
declare
  v_old   jsonb;
  v_same  integer[];
  v_step  record;
begin
  select jsonb_object_agg(s.step_name, s.step_no)
    into v_old
    from tasker.named_tasks_named_steps as s
   where s.named_task_uuid = p_old;
  select array_fill(0, array[max(s.step_no)])
    into v_same
    from tasker.named_tasks_named_steps as s
   where s.named_task_uuid = p_new;

  for v_step in
    select s.step_no, (v_old ->> s.step_name)::integer as old_no
      from tasker.named_tasks_named_steps as s
     where s.named_task_uuid = p_new
       and v_old ? s.step_name
  loop
    v_same[v_step.step_no] := v_step.old_no;
  end loop;
  return v_same;
end;
$$;

comment on function tasker.same_step_nos is
$$Returns for each step of the template p_new the number of the step of p_old with the same name, or 0 if p_old has no
such step.$$;
-- <<<

-- >>> db/schema/functions/operate/fork/private/fork_distances.sql
create or replace function tasker.fork_distances(p_old tasker.tasks, p_named_task_uuid uuid, p_same integer[], p_from integer)
  returns integer[]
  language plpgsql
  stable
as $$
declare
  v_new   integer := cardinality(p_same);
  v_old   integer := (select max(s.step_no) from tasker.workflow_steps as s where s.task_uuid = p_old.task_uuid);
  v_nodes integer[];
  v_again integer[];
  v_step  record;
  v_from  integer[];
  v_to    integer[];
begin
  -- The graph combines the graphs of both tasks. A step of the old task has the node of the step with the same name in
  -- the new version, and an instance has the node of its map. All other steps get nodes after the nodes of the version.
  v_nodes := array(select v_new + n.no from generate_series(1, v_old) as n (no));
  for v_no in 1 .. v_new loop
    if p_same[v_no] > 0 then
      v_nodes[p_same[v_no]] := v_no;
    end if;
  end loop;
  for v_step in
    select s.step_no, s.map_no
      from tasker.workflow_steps as s
     where s.task_uuid = p_old.task_uuid
       and s.map_no is not null
  loop
    v_nodes[v_step.step_no] := v_nodes[v_step.map_no];
  end loop;

  -- If only one step was cancelled, other steps may have continued without it.
  v_again := array(
    select distinct u.no
      from (
        select p_from as no
        union all
        select v_nodes[n.step_no] from unnest(tasker.undone_steps(p_old.task_uuid)) as n (step_no)
        union all
        select v_nodes[s.step_no]
          from tasker.workflow_steps as s
         where s.task_uuid = p_old.task_uuid
           and s.state = 'cancelled'
           and s.map_no is null
           and not tasker.is_taken_over(s)
           and exists (
             select
               from tasker.step_children(p_old.task_uuid, p_old.named_task_uuid, p_old.has_added_edges, s.step_no) as e
              cross join lateral (
                select
                  from tasker.workflow_steps as c
                 where c.task_uuid = p_old.task_uuid
                   and c.step_no = e.to_step_no
                   and c.state in ('complete', 'resolved_manually')
                offset 0
              ) as c
           )
      ) as u
  );

  select coalesce(array_agg(e.from_no), '{}'), coalesce(array_agg(e.to_no), '{}')
    into v_from, v_to
    from (
      select e.from_step_no as from_no, e.to_step_no as to_no
        from tasker.named_task_edges as e
       where e.named_task_uuid = p_named_task_uuid
      union all
      select v_nodes[e.from_step_no], v_nodes[e.to_step_no]
        from tasker.workflow_step_edges as e
       where e.task_uuid = p_old.task_uuid
    ) as e;
  return (tasker.graph_distances(v_new + v_old, v_again, v_from, v_to))[: v_new];
end;
$$;

comment on function tasker.fork_distances is
$$Returns for each step number of a version the distance of the step from a step above it that a fork has to run. Such a
step is p_from, or a step of the task that was undone (tasker.undone_steps), and has the distance 0. A step that is
below none of these steps has -1, and a fork does not run it again. A step is below another step if it is so in the
graph of the version or in the graph of the task.

p_same is the result of tasker.same_step_nos for the task's template and the version. The cost is linear in the number
of steps and edges.$$;
-- <<<

-- >>> db/schema/functions/operate/fork/private/is_taken_over.sql
create or replace function tasker.is_taken_over(p_step tasker.workflow_steps)
  returns boolean
  language plpgsql
  stable
as $$
begin
  return case
    when (p_step).state in ('complete', 'resolved_manually') then true
    when (p_step).state <> 'cancelled' then false
    else (
      select l.event in ('Skip', 'Tolerate')
        from tasker.workflow_step_transition_log as l
       where l.task_uuid = (p_step).task_uuid
         and l.step_no = (p_step).step_no
         and l.row_key = (p_step).transition_count
         and l.sort_key >= l.row_key -- the last transition of its path
    )
  end;
end;
$$;

comment on function tasker.is_taken_over is
$$Returns whether a fork takes over the outcome of a step. The outcome is taken over if the step is done or resolved, if
it was skipped, or if its failure was tolerated. If a person cancelled the step or its task, the step runs again. Steps
that were undone also run again (tasker.fork_distances finds them).$$;
-- <<<

-- >>> db/schema/functions/operate/fork/private/skip_guard.sql
create or replace function tasker.skip_guard(p_step tasker.workflow_steps)
  returns text
  language plpgsql
  stable
as $$
begin
  return (
    select coalesce(l.metadata ->> 'guard', case
        when l.event = 'Tolerate' then 'its map allows the failure'
        when l.from_state = 'suspended' then 'its wait timed out'
        else 'its join is not satisfied'
      end)
      from tasker.workflow_step_transition_log as l
     where l.task_uuid = (p_step).task_uuid
       and l.step_no = (p_step).step_no
       and l.row_key = (p_step).transition_count
       and l.sort_key >= l.row_key -- the last transition of its path
  );
end;
$$;

comment on function tasker.skip_guard is
$$Returns in words why a step was skipped, or why its failure was tolerated. The reason is the guard of the step's last
transition or, in a fork, the guard of the step that was taken over.$$;
-- <<<

-- >>> db/schema/functions/operate/fork/private/take_over_results.sql
create or replace function tasker.take_over_results(
  p_old      uuid,
  p_old_nos  integer[],
  p_new      uuid,
  p_new_nos  integer[],
  p_owns     boolean,
  p_actor    text
)
  returns void
  language plpgsql
as $$
begin
  -- Move a thousand steps at a time, because the moves have the results in memory.
  for v_page in 0 .. (coalesce(cardinality(p_new_nos), 0) - 1) / 1000 loop
    perform tasker.write_moves(array(
      select tasker.step_move(
        p_task_uuid => p_new, p_step_no => u.new_no, p_from_state => 'pending',
        p_first_event => case when o.failed then 'Fail' end,
        p_via_state => case when o.failed then 'error'::tasker.step_state end,
        p_error => case when o.failed then o.last_error end,
        p_event => case
            when o.state = 'resolved_manually' then 'ResolveManually'
            when o.failed then 'Tolerate'
            when o.state = 'cancelled' then 'Skip'
            when o.for_each is not null then 'Complete'
            else 'CompleteManually'
          end,
        p_to_state => o.state, p_worker_uuid => a.worker_uuid, p_execution_time_ms => a.execution_time_ms,
        p_actor => p_actor, p_reason => concat_ws(': ', format('fork of step %s', o.workflow_step_uuid), o.guard),
        p_result => o.results,
        p_metadata => jsonb_strip_nulls(jsonb_build_object(
            'forked_from', o.workflow_step_uuid, 'recorded_at', a.recorded_at, 'child_task_uuid', o.child_task_uuid,
            'correlation_id', a.correlation_id, 'guard', o.guard
          ))
      )
        from unnest(p_old_nos[v_page * 1000 + 1 : v_page * 1000 + 1000], p_new_nos[v_page * 1000 + 1 : v_page * 1000 + 1000])
          as u (old_no, new_no)
       cross join lateral (
         select
           o.*, case when o.state = 'cancelled' then tasker.skip_guard(o) end as guard,
           o.effects & 1024 <> 0 and o.map_no is null and tasker.settled_by(o.task_uuid, o.step_no) = 'Tolerate' as failed
           from tasker.workflow_steps as o
          where o.task_uuid = p_old
            and o.step_no = u.old_no
         offset 0
       ) as o
        left join lateral (
          select a.worker_uuid, a.execution_time_ms, a.recorded_at, a.correlation_id
            from tasker.workflow_step_result_audit as a
           where a.task_uuid = p_old
             and a.step_no = o.step_no
             and a.success
           order by a.sort_key desc
           limit 1
        ) as a
          on o.state = 'complete'
       where o.step_no is not null
       order by u.new_no
    ), null);
  end loop;

  update tasker.workflow_steps as n
     set effect_uuid     = coalesce(o.effect_uuid, o.workflow_step_uuid),
         owner_uuid      = case when p_owns then o.owner_uuid else coalesce(o.owner_uuid, o.workflow_step_uuid) end,
         child_task_uuid = o.child_task_uuid
    from (
      select p_new as task_uuid, u.old_no, u.new_no
        from unnest(p_old_nos, p_new_nos) as u (old_no, new_no)
      offset 0
    ) as u
   cross join lateral (
     select o.effect_uuid, o.owner_uuid, o.workflow_step_uuid, o.child_task_uuid
       from tasker.workflow_steps as o
      where o.task_uuid = p_old
        and o.step_no = u.old_no
     offset 0
   ) as o
   where n.task_uuid = any (array[u.task_uuid])
     and n.step_no = u.new_no;
end;
$$;

comment on function tasker.take_over_results is
$$Settles steps of a new task with the state and the result of the same steps of another task. One row in the log of
each step says who recorded the result and when, or why the step was skipped. With p_owns the new task undoes the
effects that the other task would undo, otherwise it undoes none of these effects. p_old_nos and p_new_nos are the
numbers of the same steps in the two tasks, in the order of the new task's steps.$$;
-- <<<

-- >>> db/schema/functions/operate/fork/private/parents_taken_over.sql
create or replace function tasker.parents_taken_over(p_task_uuid uuid, p_map_no integer, p_ended integer[])
  returns boolean
  language plpgsql
  stable
as $$
begin
  return not exists (
    select
      from tasker.workflow_step_edges as e
     cross join lateral (
       select
         from tasker.workflow_steps as s
        where s.task_uuid = e.task_uuid
          and s.step_no = e.from_step_no
          and s.state not in ('complete', 'resolved_manually', 'cancelled')
       offset 0
     ) as s
     where e.task_uuid = p_task_uuid
       and e.to_step_no = p_map_no
       and e.from_step_no <> all (p_ended)
  );
end;
$$;

comment on function tasker.parents_taken_over is
$$Returns whether a fork has taken over all parents of a map. A parent was taken over if it is settled, or if it is a
map in p_ended, which will be settled next.$$;
-- <<<

-- >>> db/schema/functions/operate/fork/private/last_before_instances.sql
create or replace function tasker.last_before_instances(p_map tasker.workflow_steps, p_expansion jsonb)
  returns integer
  language plpgsql
  stable
as $$
declare
  v_last integer := (select max(s.step_no) from tasker.workflow_steps as s where s.task_uuid = p_map.task_uuid);
begin
  if v_last + (p_expansion ->> 'expanded')::integer > 65535 then
    raise exception using
      errcode = 'TK422',
      message = format(
        'the %s elements of map "%s" and the %s steps of the new task are more than the 65535 steps that a task may have',
        p_expansion ->> 'expanded', p_map.name, v_last
      ),
      hint    = 'Fork from the map or a step above it.';
  end if;
  return v_last;
end;
$$;

comment on function tasker.last_before_instances is
$$Returns the number of the last step of a map's task. After this step, a fork inserts the instances that the map has in
the old task. Raises TK422 if there would be too many steps.$$;
-- <<<

-- >>> db/schema/functions/operate/fork/private/copy_instances.sql
create or replace function tasker.copy_instances(p_old tasker.workflow_steps, p_new tasker.workflow_steps, p_last integer)
  returns void
  language plpgsql
as $$
declare
  v_expansion jsonb := tasker.new_expansion(p_new);
  v_key       jsonpath;
  v_context   jsonb;
begin
  if p_new.limit_no is not null then
    select k.limit_key, t.context
      into v_key, v_context
      from tasker.tasks as t
      join tasker.named_tasks_named_steps as k
        on k.named_task_uuid = t.named_task_uuid
       and k.step_no = p_new.step_no
     where t.task_uuid = p_new.task_uuid;
  end if;
  update tasker.workflow_steps as s
     set join_mode = 'settled',
         expansion = v_expansion || jsonb_build_object(
           'elements', p_old.expansion -> 'elements', 'expanded', p_old.expansion -> 'expanded'
         )
   where s.task_uuid = p_new.task_uuid
     and s.step_no = p_new.step_no;

  insert into tasker.workflow_steps (
    task_uuid, step_no, workflow_step_uuid, named_step_uuid, name, join_mode, max_attempts, retryable, priority,
    timeout_seconds, backoff_base_seconds, backoff_multiplier, max_backoff_seconds, inputs, await, map_no, limit_no,
    limit_key, compensate_uuid, effects
  )
  select
    p_new.task_uuid, p_last + i.place, tasker.step_uuid(p_new.task_uuid, p_last + i.place), p_new.named_step_uuid, i.name,
    'settled', p_new.max_attempts, p_new.retryable, p_new.priority, p_new.timeout_seconds, p_new.backoff_base_seconds,
    p_new.backoff_multiplier, p_new.max_backoff_seconds, i.inputs, p_new.await, p_new.step_no, p_new.limit_no,
    -- The key of the limit may be in the element.
    case when v_key is null then p_new.limit_key else tasker.limit_key_of(v_key, v_context, i.inputs) end,
    p_new.compensate_uuid, p_new.effects
  from (
    select
      i.name,
      p_new.inputs || jsonb_build_object('element', i.inputs -> 'element', 'index', i.inputs -> 'index') as inputs,
      (row_number() over (order by i.step_no))::integer as place
    from tasker.map_instances(p_old.task_uuid, p_old.step_no) as i
  ) as i;

  insert into tasker.added_step_edges (task_uuid, from_step_no, to_step_no, condition)
  select p_new.task_uuid, e.from_step_no, i.step_no, e.condition
    from tasker.workflow_steps as i
   cross join lateral (
     select e.from_step_no, e.condition
       from tasker.workflow_step_edges as e
      where e.task_uuid = p_new.task_uuid
        and e.to_step_no = p_new.step_no
        and e.from_step_no <= p_last
     offset 0
   ) as e
   where i.task_uuid = p_new.task_uuid
     and i.step_no > p_last
  union all
  select p_new.task_uuid, i.step_no, p_new.step_no, null
    from tasker.workflow_steps as i
   where i.task_uuid = p_new.task_uuid
     and i.step_no > p_last;
end;
$$;

comment on function tasker.copy_instances is
$$Copies the instances of the map p_old, with their edges, to the map p_new, as pending steps with numbers above p_last.
Marks the map p_new as begun. The caller updates the counters of the instances' parents.$$;
-- <<<

-- >>> db/schema/functions/operate/fork/private/take_over_maps.sql
create or replace function tasker.take_over_maps(
  p_old    tasker.tasks,
  p_new    uuid,
  p_same   integer[],
  p_below  integer[],
  p_owns   boolean,
  p_actor  text
)
  returns void
  language plpgsql
as $$
declare
  v_map     record;
  v_last    integer;
  v_old_nos integer[] := '{}';
  v_new_nos integer[] := '{}';
  v_ended   integer[] := '{}';
  v_sources integer[] := '{}';
  v_noted   integer[] := '{}';
begin
  for v_map in
    select n as new, o as old
      from tasker.workflow_steps as n
     cross join lateral (
       select o
         from tasker.workflow_steps as o
        where o.task_uuid = p_old.task_uuid
          and o.step_no = p_same[n.step_no]
       offset 0
     ) as o
     where n.task_uuid = p_new
       and n.for_each is not null
       and p_below[n.step_no] < 0
       and (o).for_each is not null
     order by n.step_no
  loop
    if tasker.is_taken_over(v_map.old) then
      v_ended := v_ended || (v_map.new).step_no;
      v_sources := v_sources || (v_map.old).step_no;
      continue when (v_map.old).expansion is null;
    else
      -- Copy only a map that has begun. It runs over the same array if the source of the array is taken over.
      continue when (v_map.old).expansion is null
                 or (v_map.old).for_each <> (v_map.new).for_each
                 or not tasker.parents_taken_over(p_new, (v_map.new).step_no, v_ended);
    end if;
    v_last := tasker.last_before_instances(v_map.new, (v_map.old).expansion);
    v_old_nos := v_old_nos || array(
      select i.step_no
        from tasker.map_instances(p_old.task_uuid, (v_map.old).step_no) as i
       order by i.step_no
    );
    perform tasker.copy_instances(v_map.old, v_map.new, v_last);
    v_new_nos := v_new_nos || array(
      select i.step_no
        from tasker.workflow_steps as i
       where i.task_uuid = p_new
         and i.step_no > v_last
       order by i.step_no
    );
    if ((v_map.old).expansion ->> 'expanded')::integer < ((v_map.old).expansion ->> 'elements')::integer then
      v_noted := v_noted || (v_map.new).step_no;
    end if;
  end loop;
  if v_new_nos = '{}' and v_ended = '{}' then
    return;
  end if;

  select coalesce(array_agg(u.old_no order by u.new_no), '{}'), coalesce(array_agg(u.new_no order by u.new_no), '{}')
    into v_old_nos, v_new_nos
    from unnest(v_old_nos, v_new_nos) as u (old_no, new_no)
   cross join lateral (
     select
       from tasker.workflow_steps as o
      where o.task_uuid = p_old.task_uuid
        and o.step_no = u.old_no
        and tasker.is_taken_over(o)
     offset 0
   ) as o;
  perform tasker.take_over_results(p_old.task_uuid, v_old_nos, p_new, v_new_nos, p_owns, p_actor);
  perform tasker.take_over_results(p_old.task_uuid, v_sources, p_new, v_ended, p_owns, p_actor);
  perform tasker.count_parents(p_new, 0);
  if v_noted <> '{}' then
    perform tasker.note_maps(array_fill(p_new, array[cardinality(v_noted)]), v_noted);
  end if;
end;
$$;

comment on function tasker.take_over_maps is
$$Copies the instances of maps of another task to the same maps of a new task, for each map for which p_below has -1.
Finished instances keep their results, and all other instances are pending. A finished map stays finished. A map that
has begun continues, unless a step that it depends on runs again. The caller holds the lock of the old task.$$;
-- <<<

-- >>> db/schema/functions/operate/fork/private/take_over_steps.sql
create or replace function tasker.take_over_steps(
  p_old              tasker.tasks,
  p_new              uuid,
  p_named_task_uuid  uuid,
  p_from             integer,
  p_owns             boolean,
  p_actor            text
)
  returns void
  language plpgsql
as $$
declare
  v_same    integer[] := tasker.same_step_nos(p_old.named_task_uuid, p_named_task_uuid);
  v_below   integer[] := tasker.fork_distances(p_old, p_named_task_uuid, v_same, p_from);
  v_old_nos integer[];
  v_new_nos integer[];
begin
  -- Take over only settled steps. Here, a step that was cancelled with its task does not count as settled.
  select array_agg(o.step_no order by n.step_no), array_agg(n.step_no order by n.step_no)
    into v_old_nos, v_new_nos
    from tasker.workflow_steps as n
   cross join lateral (
     select o.step_no
       from tasker.workflow_steps as o
      where o.task_uuid = p_old.task_uuid
        and o.step_no = v_same[n.step_no]
        and o.for_each is null
        and tasker.is_taken_over(o)
     offset 0
   ) as o
   where n.task_uuid = p_new
     and n.for_each is null
     and v_below[n.step_no] < 0;
  perform tasker.take_over_results(p_old.task_uuid, v_old_nos, p_new, v_new_nos, p_owns, p_actor);
  perform tasker.count_parents(p_new, 0);
  perform tasker.take_over_maps(p_old, p_new, v_same, v_below, p_owns, p_actor);

  update tasker.tasks as t
     set (total_steps, open_steps) = (
       select count(*), count(*) filter (where s.state not in ('complete', 'cancelled', 'resolved_manually'))
         from tasker.workflow_steps as s
        where s.task_uuid = p_new
     )
   where t.task_uuid = p_new;
end;
$$;

comment on function tasker.take_over_steps is
$$Settles pending steps of a new task with the results of another task's settled steps, unless these steps run again
(tasker.fork_distances). Updates the counters of the task and of the steps' children. With p_owns, the new task also
gets the effects that the other task would undo. The caller holds the lock of the old task. No other transaction sees
the new task.$$;
-- <<<

-- >>> db/schema/functions/operate/fork/fork_task.sql
create or replace function tasker.fork_task(
  p_task_uuid  uuid,
  p_from_step  text,
  p_version    text     default null,
  p_reason     text     default null,
  p_actor      text     default null,
  p_cancel     boolean  default false,
  p_key        text     default null
)
  returns uuid
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
  v_old       tasker.tasks;
  v_kind      tasker.named_tasks;
  v_namespace text;
  v_template  tasker.creation_templates;
  v_from      integer;
  v_task      tasker.tasks;
  v_hash      bytea;
  v_new       uuid[];
begin
  perform tasker.check_bound(p_task_uuid);
  perform tasker.check_isolation();
  perform tasker.check_given_name('actor', p_actor, 200);
  perform tasker.check_text_size('reason', p_reason, 900);
  perform tasker.check_text_size('version', p_version, 1000);
  perform tasker.check_text_size('key', p_key, 1000);
  v_old := tasker.lock_task(p_task_uuid);
  if v_old.erased_at is not null then
    perform tasker.raise_erased(p_task_uuid);
  end if;
  if p_key is not null then
    v_hash := sha256(convert_to(jsonb_build_array('fork', p_task_uuid, p_key)::text, 'UTF8'));
    v_new := array[tasker.find_fork(v_old, v_hash, p_from_step, p_version, p_cancel)];
    if v_new[1] is not null then
      return v_new[1];
    end if;
  end if;
  if tasker.is_undone(v_old.undo) then
    raise exception using
      errcode = 'TK409',
      message = format('task %s is being undone', p_task_uuid),
      hint    = 'Fork it when that is done: what was undone runs again.';
  end if;
  select k.* into strict v_kind from tasker.named_tasks as k where k.named_task_uuid = v_old.named_task_uuid;
  v_namespace := tasker.namespace_of_task(p_task_uuid);
  v_template := tasker.find_template(v_namespace, v_kind.name, coalesce(p_version, v_kind.version));
  v_from := tasker.fork_step_no(v_template.named_task_uuid, p_from_step);

  -- The old task keeps its identity. The hash of p_key serves as an identity that no request can have.
  v_template.identity_strategy := 'always_unique';
  perform tasker.check_task_requests(v_template, v_namespace || '/' || v_kind.name, array[v_old.context], null, null);
  v_task := tasker.task_prototype(
    v_template, false, v_old.priority, null, v_old.initiator, 'fork',
    format('fork of %s from step "%s"', p_task_uuid, p_from_step) || coalesce(': ' || p_reason, ''),
    v_old.correlation_id, v_old.parent_correlation_id, v_old.headers, null,
    case when v_old.deadline > tasker.clock() then v_old.deadline end
  );
  v_task.tags := v_old.tags;
  v_new := tasker.mint_task_uuids(1, v_template.range_ends_at);
  if v_hash is not null then
    -- This waits for no other transaction, because a fork with the same key needs the old task's lock.
    perform tasker.claim_identities(array[v_hash], v_new, null, false);
  end if;
  v_new := tasker.insert_tasks(v_task, v_new, array[v_old.context], array[v_hash], false);
  perform tasker.insert_steps(v_task.named_task_uuid, v_new, v_namespace, v_task.requested_at, v_task.priority, false);
  perform tasker.take_over_steps(
    v_old, v_new[1], v_template.named_task_uuid, v_from, p_cancel and not v_old.complete, tasker.actor_name(p_actor)
  );
  if v_task.deadline is not null then
    insert into tasker.timers (task_uuid, kind, due_at, namespace)
    values (v_new[1], 'task_deadline', v_task.deadline, v_namespace);
  end if;
  perform tasker.notify_new_tasks(v_namespace, v_template.notify, 'pending', v_new, false);
  perform tasker.start_new_tasks(v_template, v_new);
  perform tasker.results_taken(v_new[1]);

  if p_cancel and not v_old.complete then
    -- Now the new task undoes the effects of the old task.
    update tasker.tasks as t set undo = null where t.task_uuid = p_task_uuid and t.undo is not null;
    perform tasker.move_task(
      v_old, 'Cancel', 'cancelled', null,
      jsonb_build_object('reason', format('task %s goes on', v_new[1]) || coalesce(': ' || p_reason, ''), 'forked_to', v_new[1]),
      tasker.actor_name(p_actor)
    );
  end if;
  return v_new[1];
exception
  when lock_not_available then
    perform tasker.raise_task_locked(p_task_uuid);
end;
$$;

comment on function tasker.fork_task is
$$Creates a task that repeats this task from the step p_from_step on, and returns the UUID of the new task. The new task
takes over the results of all steps except this step and the steps that depend on it, directly or not, in the old or the
new graph. The new task runs the version p_version of the template, by default the same version. With p_cancel the same
transaction cancels the old task if it is open.

Takes over steps that are complete, resolved or skipped, by their names. The log of each such step has one row, with the
reason "fork of" and the UUID of the old step, its worker and its execution time. All other steps run: steps that run,
wait or have failed in the old task, undone steps with all steps that depend on them, and steps that are new in the
version. The finished elements of a map are taken over even if the map is not finished. If a step has started a task,
the result of that task is taken over, and the task is not repeated. Signals that no step has taken, and steps that were
added while the task ran, stay with the old task. The new task has the context, priority, tags, headers, initiator,
correlation and deadline of the old task, but not its identity, and no parent.

Only one of the two tasks undoes the effect of a step that was taken over. With p_cancel this is the new task, if the
old task was open and would have undone the effect. Otherwise it is the old task. A task that was cancelled by a fork
undoes nothing. A compensation gets the UUID of the step that had the effect.

If a call with the same p_key (at most 1,000 characters) is repeated, it returns the fork that the first call made. A
key belongs to the old task, and is kept while the fork is kept.

p_reason and p_actor go into the logs. Without p_actor, the logs have the caller's role. The cost is linear in the
number of the task's steps. Locks the old task, and with p_cancel its steps. Raises TK404 if there is no such task,
version or step. Raises TK410 if the version is retired, and TK413 if an argument or the context is too large. Raises
TK422 without a step, or if more than 65,535 steps would be needed. Raises TK409 if the task was erased or is being
undone, if the key was used for another step, version or p_cancel, or if the isolation level is above READ COMMITTED.
Raises TK403 if the caller is bound to other namespaces. Raises TK409 if another session keeps the task locked for 5
seconds.$$;

grant execute on function tasker.fork_task to tasker_orchestrator, tasker_operator;
-- <<<

-- >>> db/schema/functions/kernel/template/pause_namespace.sql
create or replace function tasker.pause_namespace(
  p_namespace  text,
  p_actor      text  default null,
  p_reason     text  default null
)
  returns boolean
  language plpgsql
  security definer
  set search_path = pg_catalog, pg_temp
as $$
begin
  perform tasker.check_bound_namespaces(array[p_namespace]);
  perform tasker.administer(p_actor, p_reason);
  perform tasker.check_namespace_exists(p_namespace);
  update tasker.task_namespaces as n
     set paused_at    = tasker.clock(),
         paused_by    = tasker.actor_name(p_actor),
         paused_login = session_user,
         paused_role  = tasker.set_role(),
         updated_at   = tasker.clock()
   where n.name = p_namespace
     and n.paused_at is null;
  return found;
end;
$$;

comment on function tasker.pause_namespace is
$$Stops claims of a namespace's steps. Running steps finish, and their tasks continue as far as they can without a claim. Returns true if this call paused the namespace, false if the namespace was already paused.

A null p_actor means the caller's role. The login role is also recorded. Locks the namespace's row, then its rows of tasker.creation_plans. Raises TK404 if there is no such namespace, TK403 if the caller is bound to other namespaces.$$;

grant execute on function tasker.pause_namespace to tasker_orchestrator, tasker_operator;
-- <<<

-- >>> db/schema/functions/kernel/template/private/find_handler.sql
create or replace function tasker.find_handler(p_handler text)
  returns tasker.named_steps
  language plpgsql
  stable
as $$
declare
  v_handler tasker.named_steps;
  v_nearest text;
begin
  select h.* into v_handler from tasker.named_steps as h where h.name = p_handler;
  if not found then
    -- Handlers have no namespace, and a bound caller must not learn the names of handlers of other namespaces.
    if tasker.bound_namespaces() is null then
      v_nearest := tasker.nearest_name(left(coalesce(p_handler, ''), 240), array(select h.name from tasker.named_steps as h order by h.name limit 1000));
    end if;
    raise exception using
      errcode = 'TK404',
      message = format('no template has a handler "%s"', left(p_handler, 240)),
      hint    = coalesce(format('Did you mean "%s"?', v_nearest), 'tasker.list_task_templates() lists the templates, and each names its handlers.');
  end if;
  return v_handler;
end;
$$;

comment on function tasker.find_handler is
$$Returns the handler of this name. Raises TK404, with the most similar name, if no template has it.$$;
-- <<<

-- >>> db/schema/functions/kernel/template/pause_handler.sql
create or replace function tasker.pause_handler(
  p_namespace  text,
  p_handler    text,
  p_until      timestamptz  default null,
  p_actor      text         default null,
  p_reason     text         default null
)
  returns boolean
  language plpgsql
  security definer
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_handler tasker.named_steps;
begin
  perform tasker.check_bound_namespaces(array[p_namespace]);
  perform tasker.administer(p_actor, p_reason);
  perform tasker.check_namespace_exists(p_namespace);
  perform tasker.check_instant('end of the pause', p_until);
  v_handler := tasker.find_handler(p_handler);
  if p_until <= tasker.clock() then
    raise exception using
      errcode = 'TK422',
      message = format('the pause would end at %s, which has passed', p_until),
      hint    = 'Name a time to come, or none.';
  end if;

  insert into tasker.handler_pauses as p (namespace, named_step_uuid, handler, until, reason, paused_by, paused_login, paused_role)
  values (
    p_namespace, v_handler.named_step_uuid, v_handler.name, p_until, p_reason, tasker.actor_name(p_actor), session_user, tasker.set_role()
  )
  on conflict (namespace, named_step_uuid) do update
     set until        = excluded.until,
         reason       = excluded.reason,
         paused_by    = excluded.paused_by,
         paused_login = excluded.paused_login,
         paused_role  = excluded.paused_role
   where (p.until, p.reason, p.paused_by) is distinct from (excluded.until, excluded.reason, excluded.paused_by);
  return found;
end;
$$;

comment on function tasker.pause_handler is
$$Stops claims of a handler's steps in a namespace. Running steps finish, and steps of other handlers are still claimed. Returns true if this call paused the handler or changed the end, the reason or the actor of its pause, false if the handler was already paused in the same way.

The pause lasts until tasker.resume_handler ends it. A pause whose p_until has passed is an incident. A null p_actor means the caller's role. The login role is also recorded. Locks the pause's row, then the row of tasker.settings_now. Raises TK404 if there is no such namespace or handler, TK422 if p_until has passed, TK413 if the actor's name or the reason is too long, TK403 if the caller is bound to other namespaces.$$;

grant execute on function tasker.pause_handler to tasker_orchestrator, tasker_operator;
-- <<<

-- >>> db/schema/functions/kernel/template/resume_handler.sql
create or replace function tasker.resume_handler(
  p_namespace  text,
  p_handler    text,
  p_actor      text  default null,
  p_reason     text  default null
)
  returns boolean
  language plpgsql
  security definer
  set search_path = pg_catalog, pg_temp
as $$
begin
  perform tasker.check_bound_namespaces(array[p_namespace]);
  perform tasker.administer(p_actor, p_reason);
  perform tasker.check_namespace_exists(p_namespace);
  delete from tasker.handler_pauses as p
   where p.namespace = p_namespace
     and p.named_step_uuid = (tasker.find_handler(p_handler)).named_step_uuid;
  if not found then
    return false;
  end if;

  perform tasker.notify_steps_ready(p_namespace);
  return true;
end;
$$;

comment on function tasker.resume_handler is
$$Allows claims of a paused handler's steps in a namespace again, and wakes its workers. Returns true if this call resumed the handler, false if the handler was not paused.

Locks the pause's row, then the row of tasker.settings_now. Raises TK404 if there is no such namespace or handler, TK413 if the actor's name or the reason is too long, TK403 if the caller is bound to other namespaces.$$;

grant execute on function tasker.resume_handler to tasker_orchestrator, tasker_operator;
-- <<<

-- >>> db/schema/functions/kernel/template/list_handler_pauses.sql
create or replace function tasker.list_handler_pauses(p_namespace text default null)
  returns setof tasker.handler_pauses
  language plpgsql
  stable
  security definer
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_bound text[] := tasker.bound_namespaces();
begin
  perform tasker.check_bound_namespaces(array[p_namespace]);
  return query
  select p.*
    from tasker.handler_pauses as p
   where (p_namespace is null or p.namespace = p_namespace)
     and (v_bound is null or p.namespace = any (v_bound))
   order by p.namespace, p.handler;
end;
$$;

comment on function tasker.list_handler_pauses is
$$Returns the paused handlers of a namespace, or of all namespaces, with the beginning, end, actor and reason of each
pause. A bound caller sees the pauses of its namespaces. Raises TK403 if the caller is bound to other namespaces.$$;

grant execute on function tasker.list_handler_pauses to tasker_worker, tasker_orchestrator, tasker_operator, tasker_reader;
-- <<<

-- >>> db/schema/functions/kernel/template/private/handlers_of_template.sql
create or replace function tasker.handlers_of_template(p_namespace text, p_name text)
  returns setof tasker.named_steps
  language sql
  stable
begin atomic
  select h.*
    from tasker.task_namespaces as n
    join tasker.named_tasks as k
      on k.task_namespace_uuid = n.task_namespace_uuid
    join tasker.named_tasks_named_steps as s
      on s.named_task_uuid = k.named_task_uuid
    join tasker.named_steps as h
      on h.named_step_uuid in (s.named_step_uuid, s.compensate_uuid)
   where n.name = p_namespace
     and k.name = p_name
     and not starts_with(h.name, 'tasker.')
   group by h.named_step_uuid
   order by h.name;
end;

comment on function tasker.handlers_of_template is
$$Returns the handlers of the steps and the compensations of all versions of a template. Omits the built-in handlers, which no worker runs.$$;
-- <<<

-- >>> db/schema/functions/kernel/template/pause_template.sql
create or replace function tasker.pause_template(
  p_namespace  text,
  p_name       text,
  p_until      timestamptz  default null,
  p_shared     boolean      default null,
  p_actor      text         default null,
  p_reason     text         default null
)
  returns text[]
  language plpgsql
  security definer
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_handlers tasker.named_steps[];
  v_others   text;
begin
  perform tasker.check_bound_namespaces(array[p_namespace]);
  perform tasker.administer(p_actor, p_reason);
  perform tasker.check_namespace_exists(p_namespace);
  perform tasker.check_instant('end of the pause', p_until);
  if not exists (select from tasker.creation_plans as p where p.namespace = p_namespace and p.name = p_name) then
    perform tasker.raise_template_not_found(p_namespace, p_name, null);
  end if;
  if p_until <= tasker.clock() then
    raise exception using
      errcode = 'TK422',
      message = format('the pause would end at %s, which has passed', p_until),
      hint    = 'Name a time to come, or none.';
  end if;
  v_handlers := array(select h from tasker.handlers_of_template(p_namespace, p_name) as h);
  if v_handlers = '{}' then
    raise exception using
      errcode = 'TK422',
      message = format('template "%s" of namespace "%s" has no handler that could be paused', p_name, p_namespace),
      hint    = 'A pause of the namespace stops it: tasker.pause_namespace().';
  end if;
  select string_agg(distinct format('%s (%s)', o.name, h.name), ', ')
    into v_others
    from unnest(v_handlers) as h
   cross join (select distinct p.name from tasker.creation_plans as p where p.namespace = p_namespace and p.name <> p_name) as o
   where exists (select from tasker.handlers_of_template(p_namespace, o.name) as x where x.named_step_uuid = h.named_step_uuid);
  if v_others is not null and p_shared is not true then
    raise exception using
      errcode = 'TK409',
      message = format('template "%s" of namespace "%s" shares handlers with other templates, whose steps would stand still, too', p_name, p_namespace),
      detail  = left(v_others, 1000),
      hint    = 'Pass p_shared => true to pause these handlers for all templates of the namespace, or pause single handlers with tasker.pause_handler().';
  end if;

  -- A handler that was paused with tasker.pause_handler keeps that pause, which stays when the pause of the template
  -- ends.
  insert into tasker.handler_pauses as p (namespace, named_step_uuid, handler, until, reason, paused_by, paused_login, paused_role, template)
  select
    p_namespace, h.named_step_uuid, h.name, p_until, p_reason, tasker.actor_name(p_actor), session_user, tasker.set_role(), p_name
  from unnest(v_handlers) as h
  order by h.named_step_uuid
  on conflict (namespace, named_step_uuid) do update
     set until        = excluded.until,
         reason       = excluded.reason,
         paused_by    = excluded.paused_by,
         paused_login = excluded.paused_login,
         paused_role  = excluded.paused_role
   where p.template = excluded.template
     and (p.until, p.reason, p.paused_by) is distinct from (excluded.until, excluded.reason, excluded.paused_by);
  return array(
    select p.handler from tasker.handler_pauses as p where p.namespace = p_namespace and p.template = p_name order by p.handler
  );
end;
$$;

comment on function tasker.pause_template is
$$Stops claims of the steps of a template: pauses each handler of its steps and compensations, of all versions, in its namespace. Returns the handlers that are paused for the template. Running steps finish, and tasks of the template can still be created. A handler that was already paused with tasker.pause_handler keeps that pause.

The pause lasts until tasker.resume_template ends it. A pause whose p_until has passed is an incident. Handlers of versions that are registered later are not paused. Idempotent. A null p_actor means the caller's role. Locks the pauses' rows, then the row of tasker.settings_now. Raises TK404 if there is no such namespace or template, TK409 if other templates of the namespace use one of the handlers and p_shared is not true, TK422 if p_until has passed or the template has no handler, TK413 if the actor's name or the reason is too long, TK403 if the caller is bound to other namespaces.$$;

grant execute on function tasker.pause_template to tasker_orchestrator, tasker_operator;
-- <<<

-- >>> db/schema/functions/kernel/template/resume_template.sql
create or replace function tasker.resume_template(
  p_namespace  text,
  p_name       text,
  p_actor      text  default null,
  p_reason     text  default null
)
  returns text[]
  language plpgsql
  security definer
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_resumed text[];
begin
  perform tasker.check_bound_namespaces(array[p_namespace]);
  perform tasker.administer(p_actor, p_reason);
  perform tasker.check_namespace_exists(p_namespace);
  if not exists (select from tasker.creation_plans as p where p.namespace = p_namespace and p.name = p_name) then
    perform tasker.raise_template_not_found(p_namespace, p_name, null);
  end if;
  with locked as (
    select p.named_step_uuid
      from tasker.handler_pauses as p
     where p.namespace = p_namespace
       and p.template = p_name
     order by p.named_step_uuid
       for update
  ),
  gone as (
    delete from tasker.handler_pauses as p
     using locked as l
     where p.namespace = p_namespace
       and p.named_step_uuid = l.named_step_uuid
    returning p.handler
  )
  select coalesce(array_agg(g.handler order by g.handler), '{}') into v_resumed from gone as g;
  if v_resumed <> '{}' then
    perform tasker.notify_steps_ready(p_namespace);
  end if;
  return v_resumed;
end;
$$;

comment on function tasker.resume_template is
$$Ends the pauses that tasker.pause_template began, and wakes the workers of the namespace. Returns the handlers whose steps can be claimed again. This list is empty if the template was not paused. A handler that was paused with tasker.pause_handler stays paused.

Locks the pauses' rows, then the row of tasker.settings_now. Raises TK404 if there is no such namespace or template, TK413 if the actor's name or the reason is too long, TK403 if the caller is bound to other namespaces.$$;

grant execute on function tasker.resume_template to tasker_orchestrator, tasker_operator;
-- <<<

-- >>> db/schema/functions/kernel/template/resume_namespace.sql
create or replace function tasker.resume_namespace(
  p_namespace  text,
  p_actor      text  default null,
  p_reason     text  default null
)
  returns boolean
  language plpgsql
  security definer
  set search_path = pg_catalog, pg_temp
as $$
begin
  perform tasker.check_bound_namespaces(array[p_namespace]);
  perform tasker.administer(p_actor, p_reason);
  perform tasker.check_namespace_exists(p_namespace);
  update tasker.task_namespaces as n
     set paused_at    = null,
         paused_by    = null,
         paused_login = null,
         paused_role  = null,
         updated_at   = tasker.clock()
   where n.name = p_namespace
     and n.paused_at is not null;
  if not found then
    return false;
  end if;

  perform tasker.notify_steps_ready(p_namespace);
  return true;
end;
$$;

comment on function tasker.resume_namespace is
$$Allows claims of a paused namespace's steps again, and wakes its workers. Returns true if this call resumed the namespace, false if the namespace was not paused.

Locks the namespace's row, then its rows of tasker.creation_plans. Raises TK404 if there is no such namespace, TK403 if the caller is bound to other namespaces.$$;

grant execute on function tasker.resume_namespace to tasker_orchestrator, tasker_operator;
-- <<<

-- >>> db/schema/functions/operate/tokens/bind_role.sql
create or replace function tasker.bind_role(
  p_role_name   text,
  p_namespaces  text[],
  p_actor       text    default null,
  p_reason      text    default null
)
  returns integer
  language plpgsql
  security definer
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_role  oid := to_regrole(quote_ident(left(p_role_name, 64)));
  v_bound integer;
begin
  perform tasker.check_unbound();
  perform tasker.administer(p_actor, p_reason);
  if v_role is null or length(p_role_name) > 63 then
    raise exception using
      errcode = 'TK404',
      message = format('role %s does not exist', coalesce('"' || left(p_role_name, 100) || '"', 'null')),
      hint    = 'Create it and grant it tasker_worker, or another group that it needs.';
  end if;
  perform tasker.check_array_size('namespaces', cardinality(p_namespaces), 1000);
  perform tasker.check_namespace_exists(u.namespace)
     from unnest(p_namespaces) as u (namespace);

  -- If two operators bind a role at the same time, the second call replaces the binding of the first.
  perform tasker.take_turn('role_bindings');
  delete from tasker.role_bindings as b
   where b.role = v_role;
  insert into tasker.role_bindings (role, namespace)
  select distinct v_role, u.namespace
    from unnest(p_namespaces) as u (namespace);
  get diagnostics v_bound = row_count;
  return v_bound;
end;
$$;

comment on function tasker.bind_role is
$$Binds a database role, or the members of a group, to these namespaces. Then the role can read, create, claim and
change only objects of these namespaces. Lists show only these namespaces, and calls that concern all namespaces are
refused. Null or an empty array removes the binding. Returns the number of namespaces to which the role is now bound.

Replaces an earlier binding of the role. tasker.bound_namespaces says to which roles a binding applies. Locks the row
"role_bindings" of tasker.turns, so that calls run one at a time. Raises TK404 if there is no such role or namespace,
TK403 if the caller itself is bound to namespaces, and TK409 if another call does not end in time.$$;

grant execute on function tasker.bind_role to tasker_operator;
-- <<<

-- >>> db/schema/functions/kernel/move/advance_task.sql
create or replace function tasker.advance_task(p_task_uuid uuid, p_processor_uuid uuid default null)
  returns tasker.task_state
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
  perform tasker.lock_task(p_task_uuid);
  perform tasker.advance_tasks(array[p_task_uuid], p_processor_uuid);
  return (select t.state from tasker.tasks as t where t.task_uuid = p_task_uuid);
exception
  when lock_not_available then
    perform tasker.raise_task_locked(p_task_uuid);
end;
$$;

comment on function tasker.advance_task is
$$Starts a task, or advances it after direct calls: enqueues or skips its ready steps, then computes the state of the task. Returns the state of the task afterwards. tasker.orchestrate does this for every task that waits for an orchestrator.

p_processor_uuid names the processor in the log. Idempotent: tasks that have ended, have nothing to do or start later do not change. The cost is linear in the number of the task's steps. Locks the task, then the steps that become ready. Raises TK404 if there is no such task, TK409 above READ COMMITTED, TK403 if the caller is bound to other namespaces, TK409 if another session keeps the task locked for 5 seconds.$$;

grant execute on function tasker.advance_task to tasker_orchestrator, tasker_operator;
-- <<<

-- >>> db/schema/functions/compat/orchestrator/private/is_finalized_by_another.sql
create or replace function tasker.is_finalized_by_another(p_task tasker.tasks, p_processor uuid)
  returns boolean
  language plpgsql
  stable
  set search_path = pg_catalog, pg_temp
as $$
begin
  return exists (
    select
      from tasker.finalization_claims as c
     where c.task_uuid = p_task.task_uuid
       and c.transition_count = p_task.transition_count
       and c.claimed_until > tasker.clock()
       and c.processor_uuid is distinct from p_processor
  );
end;
$$;

comment on function tasker.is_finalized_by_another is
$$Returns true if another processor has claimed the finalisation of a task, its claim has not ended, and the task has not changed its state since the claim. The caller holds the task's lock.$$;
-- <<<

-- >>> db/schema/functions/compat/orchestrator/claim_task_for_finalization.sql
create or replace function tasker.claim_task_for_finalization(
  p_task_uuid       uuid,
  p_processor_uuid  uuid,
  p_lease_seconds   integer  default null
)
  returns boolean
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
  v_task  tasker.tasks;
  v_lease interval := make_interval(secs => coalesce(p_lease_seconds, tasker.setting_integer('finalization_lease_seconds')));
begin
  perform tasker.check_bound(p_task_uuid);
  perform tasker.check_claim(p_processor_uuid, 1, p_lease_seconds);
  v_task := tasker.lock_task(p_task_uuid);
  if v_task.complete
     or v_task.open_steps > 0
     or v_task.failed_steps > 0
     or tasker.is_finalized_by_another(v_task, p_processor_uuid) then
    return false;
  end if;

  delete from tasker.finalization_claims as c
   where c.task_uuid in (
     select o.task_uuid
       from tasker.finalization_claims as o
      where o.claimed_until < tasker.clock() - interval '1 day'
      order by o.claimed_until
      limit 10
        for update skip locked
   );
  insert into tasker.finalization_claims (task_uuid, transition_count, claimed_at, claimed_until, processor_uuid)
  values (p_task_uuid, v_task.transition_count, tasker.clock(), tasker.clock() + v_lease, p_processor_uuid)
  on conflict (task_uuid) do update
    set transition_count = excluded.transition_count,
        claimed_at       = excluded.claimed_at,
        claimed_until    = excluded.claimed_until,
        processor_uuid   = excluded.processor_uuid;
  return true;
exception
  when lock_not_available then
    perform tasker.raise_task_locked(p_task_uuid);
end;
$$;

comment on function tasker.claim_task_for_finalization is
$$Claims the finalisation of a task whose steps are all done, and returns true. Returns false if another processor has claimed it, if a step is not done, or if the task has ended. The engine finalises tasks by itself. This function is for several orchestrators of which one does work of its own when a task is finalised.

The claim ends after p_lease_seconds (if null, the setting finalization_lease_seconds applies), so that an orchestrator that crashes does not block other orchestrators. Locks the task. Raises TK404 if the task does not exist, TK422 if the processor is null or the lease is out of range, TK409 above READ COMMITTED, TK403 if the caller is bound to other namespaces, TK409 if another session keeps the task locked for 5 seconds.$$;

grant execute on function tasker.claim_task_for_finalization to tasker_orchestrator, tasker_operator;
-- <<<

-- >>> db/schema/functions/compat/orchestrator/finalize_task_completion.sql
create or replace function tasker.finalize_task_completion(p_task_uuid uuid, p_processor_uuid uuid default null)
  returns boolean
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
  v_task tasker.tasks;
begin
  perform tasker.check_bound(p_task_uuid);
  perform tasker.check_isolation();
  v_task := tasker.lock_task(p_task_uuid);
  if v_task.complete
     or v_task.open_steps > 0
     or v_task.failed_steps > 0
     or tasker.is_finalized_by_another(v_task, p_processor_uuid) then
    return false;
  end if;

  perform tasker.advance_tasks(array[p_task_uuid], p_processor_uuid);
  return tasker.get_current_task_state(p_task_uuid) = 'complete';
exception
  when lock_not_available then
    perform tasker.raise_task_locked(p_task_uuid);
end;
$$;

comment on function tasker.finalize_task_completion is
$$Completes a task whose steps are all done. Returns true if this call completed the task. Returns false if a step is not done, if the task has ended, or if another processor has claimed its finalisation.

Idempotent. Locks the task, then steps that become ready. Raises TK404 if the task does not exist, TK409 above READ COMMITTED, TK403 if the caller is bound to other namespaces, TK409 if another session keeps the task locked for 5 seconds.$$;

grant execute on function tasker.finalize_task_completion to tasker_orchestrator, tasker_operator;
-- <<<

-- >>> db/schema/rows/operate/audit/step_audits.sql
create or replace view tasker.step_audits as
select
  '00000000-0000-0000-0000-000000000000'::uuid as task_uuid,
  '00000000-0000-0000-0000-000000000000'::uuid as step_uuid,
  0::integer as step_no,
  0::integer as sort_key,
  '00000000-0000-0000-0000-000000000000'::uuid as transition_uuid,
  '-infinity'::timestamptz as recorded_at,
  ''::text as namespace,
  ''::text as task_name,
  ''::text as step_name,
  ''::text as handler,
  ''::text as event,
  'pending'::tasker.step_state as from_state,
  'pending'::tasker.step_state as to_state,
  false::boolean as success,
  null::bigint as execution_time_ms,
  0::integer as claim_no,
  null::uuid as worker_uuid,
  null::text as worker_name,
  null::uuid as correlation_id,
  null::text as actor,
  null::text as login,
  null::text as role,
  null::text as reason,
  null::text as error,
  null::jsonb as results,
  null::timestamptz as replaced_at,
  null::text as replaced_by,
  null::text as replaced_reason
where false;

comment on view tasker.step_audits is
  'Row type: a recorded result, with the transition that recorded it, the actor and the reason.';
comment on column tasker.step_audits.login is
  'The login role, and the role set in "role" if it differs. Unlike the login, the actor and the worker are names that callers choose.';
comment on column tasker.step_audits.results is
  'The results that the success recorded: the step has them now, or had them until it ran again. Null if a later success has overwritten them.';
comment on column tasker.step_audits.replaced_at is
  'The time when the step lost this result because it was to run again (tasker.rerun_step). Null if the step did not lose it.';
comment on column tasker.step_audits.replaced_by is
  'The actor who let the step run again.';
comment on column tasker.step_audits.replaced_reason is
  'The reason that the call gave. If the call named another step, the reason also names that step.';
-- <<<

-- >>> db/schema/functions/operate/audit/private/describe_audits.sql
create or replace function tasker.describe_audits(p_audits tasker.workflow_step_result_audit[])
  returns setof tasker.step_audits
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
  select
    a.task_uuid, tasker.step_uuid(a.task_uuid, a.step_no), a.step_no, a.sort_key,
    tasker.transition_uuid(a.task_uuid, a.step_no, a.sort_key), a.recorded_at,
    n.name, k.name, s.name, h.name, a.event, a.from_state, a.to_state, a.success, a.execution_time_ms,
    l.claim_no, a.worker_uuid, w.name::text, a.correlation_id, l.actor, c.caller[1], c.caller[2], l.reason,
    l.metadata ->> 'error',
    -- Return only the results of this success, not the results of a later success.
    case
      when not a.success then null
      when r.sort_key is not null then r.metadata -> 'replaced'
      when l.result_digest is null or l.result_digest = tasker.result_digest(s.results) then s.results
    end,
    r.created_at, r.actor, r.reason
  from unnest(p_audits) with ordinality as a
  cross join lateral (
    select l.*
      from tasker.step_log as l
     where l.task_uuid = a.task_uuid
       and l.step_no = a.step_no
       and l.sort_key = a.row_key
    offset 0
  ) as l
  left join lateral (
    -- The transition with which the step lost this result, if no other result was recorded before it.
    select r.sort_key, r.path, r.metadata, r.created_at, r.actor, r.reason
      from tasker.step_log as r
     where a.success
       and r.task_uuid = a.task_uuid
       and r.step_no = a.step_no
       and r.sort_key > a.row_key
       and (r.path in (select u.path from tasker.step_log_paths as u where u.event = 'Rerun') or r.result_digest is not null)
     order by r.sort_key
     limit 1
  ) as r
    on r.path in (select u.path from tasker.step_log_paths as u where u.event = 'Rerun')
  cross join lateral (select tasker.step_caller(a.task_uuid, a.step_no, a.row_key) as caller) as c
  cross join lateral (
    select s.name, s.named_step_uuid, s.results
      from tasker.workflow_steps as s
     where s.task_uuid = a.task_uuid
       and s.step_no = a.step_no
    offset 0
  ) as s
  cross join lateral (
    select t.named_task_uuid
      from tasker.tasks as t
     where t.task_uuid = a.task_uuid
    offset 0
  ) as t
  join tasker.named_tasks as k
    on k.named_task_uuid = t.named_task_uuid
  join tasker.task_namespaces as n
    on n.task_namespace_uuid = k.task_namespace_uuid
  join tasker.named_steps as h
    on h.named_step_uuid = s.named_step_uuid
  left join tasker.workers as w
    on w.worker_uuid = a.worker_uuid
  order by a.ordinality;
end;
$$;

comment on function tasker.describe_audits is
$$Returns audit rows in the given order with the data that they refer to. If a result was replaced later, its row says
who replaced it and why.$$;
-- <<<

-- >>> db/schema/functions/operate/audit/get_step_audit_history.sql
create or replace function tasker.get_step_audit_history(
  p_step_uuid        uuid,
  p_limit            integer  default null,
  p_before_sort_key  integer  default null
)
  returns setof tasker.step_audits
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
  perform tasker.check_limit(coalesce(p_limit, 1), 100000);
  perform tasker.check_step_exists(p_step_uuid);

  return query
  select d.*
    from tasker.describe_audits(array(
      select a
        from tasker.workflow_step_result_audit as a
       where a.task_uuid = tasker.task_uuid_of(p_step_uuid)
         and a.step_no = tasker.step_no_of(p_step_uuid)
         and (p_before_sort_key is null or a.sort_key < p_before_sort_key)
         and (p_before_sort_key is null or a.row_key <= p_before_sort_key)
       order by a.row_key desc, a.sort_key desc
       limit p_limit
    )) as d;
end;
$$;

comment on function tasker.get_step_audit_history is
$$Returns every recorded result of a step, newest first, with its worker, claim, success, execution time, error and
value. A successful result appears as soon as it is recorded, even while it waits for an orchestrator. A null p_limit
means all results. For the next page, pass the last sort_key of this page as p_before_sort_key. Raises TK404 if there is
no such step, TK422 for a limit out of range, and TK403 if the caller is bound to other namespaces.$$;

grant execute on function tasker.get_step_audit_history to tasker_orchestrator, tasker_operator, tasker_reader;
-- <<<

-- >>> db/schema/functions/operate/audit/get_task_audit_history.sql
create or replace function tasker.get_task_audit_history(
  p_task_uuid       uuid,
  p_limit           integer  default 1000,
  p_after_step_no   integer  default null,
  p_after_sort_key  integer  default null
)
  returns setof tasker.step_audits
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
  v_at timestamptz := '-infinity';
begin
  p_limit := coalesce(p_limit, 1000);
  perform tasker.check_bound(p_task_uuid);
  perform tasker.check_limit(p_limit, 100000);
  perform tasker.check_task_exists(p_task_uuid);

  if p_after_step_no is not null or p_after_sort_key is not null then
    v_at := (
      select a.recorded_at
        from tasker.workflow_step_result_audit as a
       where a.task_uuid = p_task_uuid
         and a.step_no = p_after_step_no
         and a.sort_key = p_after_sort_key
         and a.row_key between p_after_sort_key and p_after_sort_key::bigint + 1
    );
  end if;
  if v_at is null then
    raise exception using
      errcode = 'TK422',
      message = 'the audit has no such result to begin after',
      detail  = format('step %s, sort key %s', coalesce(p_after_step_no::text, 'none'), coalesce(p_after_sort_key::text, 'none')),
      hint    = 'Pass step_no and sort_key of the last result of the page before, or neither.';
  end if;

  return query
  select d.*
    from tasker.describe_audits(array(
      select a
        from tasker.workflow_step_result_audit as a
       where a.task_uuid = p_task_uuid
         and a.recorded_at >= v_at
         and (a.recorded_at, a.step_no, a.sort_key) > (v_at, coalesce(p_after_step_no, 0), coalesce(p_after_sort_key, 0))
       order by a.recorded_at, a.step_no, a.sort_key
       limit p_limit
    )) as d;
end;
$$;

comment on function tasker.get_task_audit_history is
$$Returns every recorded result of a task's steps, in order of time. For the next page, pass the step number and the
sort_key of the last result of this page as p_after_step_no and p_after_sort_key. Raises TK404 if there is no such task,
TK422 for a limit out of range, or if the audit has no result with this step number and sort_key, and TK403 if the
caller is bound to other namespaces.$$;

grant execute on function tasker.get_task_audit_history to tasker_orchestrator, tasker_operator, tasker_reader;
-- <<<

-- >>> db/schema/functions/operate/audit/get_audit_by_worker.sql
create or replace function tasker.get_audit_by_worker(p_worker_uuid uuid, p_limit integer default 100)
  returns setof tasker.step_audits
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
  v_audits tasker.workflow_step_result_audit[] := '{}';
  v_first  timestamptz;
  v_since  timestamptz := tasker.clock() - interval '1 hour';
  v_until  timestamptz := 'infinity';
begin
  p_limit := coalesce(p_limit, 100);
  perform tasker.check_limit(p_limit, 100000);
  -- A task whose UUID a caller made may be a little older than its range.
  select coalesce(min(r.starts_at), tasker.clock()) - interval '1 day' into v_first from tasker.partition_ranges as r;

  -- Search back in time, twice as far with each query, until there are enough rows. The index on recorded_at leads to
  -- the pages of a period. An index on worker_uuid would have to be written with every result.
  loop
    v_audits := v_audits || array(
      select a.audit
        from (
          select l.task_uuid, l.step_no, l.row_key, l.recorded_at
            from tasker.step_result_log as l
           where l.recorded_at >= v_since
             and l.recorded_at < v_until
             and l.worker_uuid = p_worker_uuid
             and (v_bound is null or tasker.may_see_task(l.task_uuid))
           order by l.recorded_at desc, l.task_uuid, l.step_no, l.row_key
           limit p_limit - cardinality(v_audits)
        ) as r
       cross join lateral (
         select a as audit
           from tasker.workflow_step_result_audit as a
          where a.task_uuid = r.task_uuid
            and a.step_no = r.step_no
            and a.row_key = r.row_key
         offset 0
       ) as a
       order by r.recorded_at desc, r.task_uuid, r.step_no, r.row_key
    );
    exit when p_worker_uuid is null or v_until <= v_first or cardinality(v_audits) >= p_limit;
    v_until := v_since;
    v_since := greatest(v_since - 2 * (tasker.clock() - v_since), v_first);
  end loop;

  return query select d.* from tasker.describe_audits(v_audits) as d;
end;
$$;

comment on function tasker.get_audit_by_worker is
$$Returns the results that a worker recorded, newest first. Returns no row for a worker that recorded no result. A bound
caller sees only its own namespaces.

Reads back in time through the index on recorded_at until it has p_limit rows, so recent results cost little. Raises
TK422 for a limit out of range.$$;

grant execute on function tasker.get_audit_by_worker to tasker_orchestrator, tasker_operator, tasker_reader;
-- <<<

-- >>> db/schema/functions/operate/audit/get_audit_by_correlation_id.sql
create or replace function tasker.get_audit_by_correlation_id(p_correlation_id uuid, p_limit integer default 1000)
  returns setof tasker.step_audits
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
  p_limit := coalesce(p_limit, 1000);
  perform tasker.check_limit(p_limit, 100000);

  return query
  select d.*
    from tasker.describe_audits(array(
      select f.audit
        from (
          select a.audit
            from tasker.tasks as t
           cross join lateral (
             select r as audit
               from tasker.workflow_step_result_audit as r
              where r.task_uuid = t.task_uuid
                and r.correlation_id = p_correlation_id
             offset 0
           ) as a
           where t.correlation_id = p_correlation_id
             and (v_bound is null or tasker.may_see_task(t.task_uuid))
           union all
          -- Results of other tasks, if the metadata of the result name this correlation id.
          select a.audit
            from tasker.step_log as l
           cross join lateral (
             select
               from tasker.tasks as t
              where t.task_uuid = l.task_uuid
                and t.correlation_id <> p_correlation_id
             offset 0
           ) as t
           cross join lateral (
             select r as audit
               from tasker.workflow_step_result_audit as r
              where r.task_uuid = l.task_uuid
                and r.step_no = l.step_no
                and r.row_key = l.sort_key
             offset 0
           ) as a
           where lower(l.metadata ->> 'correlation_id') = p_correlation_id::text
             and (v_bound is null or tasker.may_see_task(l.task_uuid))
        ) as f
       order by (f.audit).recorded_at, (f.audit).task_uuid, (f.audit).step_no, (f.audit).sort_key
       limit p_limit
    )) as d;
end;
$$;

comment on function tasker.get_audit_by_correlation_id is
$$Returns the recorded results of all tasks of one correlation id, in order of time. The rows are the history of a
request that went through several tasks. If the metadata of a result's transition name a correlation id, the row shows
that id, otherwise the id of the task. Returns no row if there is no such result. Raises TK422 for a limit out of range.
A bound caller sees only its own namespaces.$$;

grant execute on function tasker.get_audit_by_correlation_id to tasker_orchestrator, tasker_operator, tasker_reader;
-- <<<

-- >>> db/schema/rows/operate/inspect/task_events.sql
create or replace view tasker.task_events as
select
  '-infinity'::timestamptz as occurred_at,
  null::integer as step_no,
  null::text as step_name,
  ''::text as event,
  ''::text as from_state,
  ''::text as to_state,
  null::integer as claim_no,
  null::uuid as worker_uuid,
  null::text as worker_name,
  null::uuid as processor_uuid,
  null::text as actor,
  null::text as login,
  null::text as role,
  null::text as reason,
  null::bigint as execution_time_ms,
  null::text as error,
  null::jsonb as metadata,
  ''::text as description,
  0::integer as sort_key
where false;

comment on view tasker.task_events is
  'Row type: one event in the history of a task. It concerns the task itself or one of its steps.';
comment on column tasker.task_events.login is
  'The role that was logged in, with the role that it had set in "role" if that is another. Actor and worker are the names that the caller gives.';
comment on column tasker.task_events.description is
  'The event as a sentence for people.';
comment on column tasker.task_events.sort_key is
  'The number of the event among the transitions of its task or step. The next page of a history begins after the sort_key and step_no of the last event.';
-- <<<

-- >>> db/schema/functions/operate/inspect/private/event_sentence.sql
create or replace function tasker.event_sentence(
  p_step_name          text,
  p_event              text,
  p_from_state         text,
  p_to_state           text,
  p_worker             text,
  p_actor              text,
  p_why                text,
  p_execution_time_ms  bigint
)
  returns text
  language plpgsql
  immutable
  set search_path = pg_catalog, pg_temp
as $$
begin
  return case when p_step_name is null then 'task ' else format('step "%s" ', p_step_name) end
    || case
      when p_step_name is not null and p_event = 'Enqueue' then 'became ready'
      when p_event = 'Start' and p_step_name is not null then 'was claimed' || coalesce(' by ' || p_worker, '')
      when p_event = 'Start' then 'started'
      when p_event = 'Suspend' then 'began to wait'
      when p_event = 'Resume' then 'goes on'
      when p_event = 'EnqueueForOrchestration' and p_from_state = 'suspended'
           and p_to_state = 'enqueued_for_orchestration' then 'ended its wait'
      when p_event = 'EnqueueForOrchestration' and p_from_state = 'suspended' then 'waited in vain'
      when p_event = 'EnqueueForOrchestration' and p_to_state = 'enqueued_for_orchestration' then 'returned a result'
      when p_event = 'EnqueueForOrchestration' then 'reported a failure'
      when p_event in ('Complete', 'AllStepsSuccessful', 'NoStepsFound') then 'completed'
      when p_event = 'CompleteManually' then 'was completed by hand'
      when p_event = 'WaitForRetry' then 'waits for another attempt'
      when p_event = 'Retry' then 'is to be tried again'
      when p_event = 'Fail' then 'failed for good'
      when p_event = 'Skip' then 'was skipped'
      when p_event = 'Tolerate' and p_why is not null then 'failed, and the task goes on'
      when p_event = 'Tolerate' then 'failed, which its map allows'
      when p_event = 'Cancel' then 'was cancelled'
      when p_event = 'Release' then 'was handed back'
      when p_event = 'LeaseExpired' then 'lost its worker' || coalesce(' ' || p_worker, '')
      when p_event = 'Reset' then 'was reset'
      when p_event = 'Rerun' and p_step_name is null then 'was opened again'
      when p_event = 'Rerun' then 'is to run again'
      when p_event in ('ResolveManually', 'ManualResolution') then 'was resolved by hand'
      when p_event = 'GiveUp' then 'was given up'
      when p_event = 'Timeout' then 'ran out of time'
      else format('went from %s to %s', replace(p_from_state, '_', ' '), replace(p_to_state, '_', ' '))
    end
    || coalesce(' after ' || p_execution_time_ms || ' ms', '')
    || case when p_actor is not null then ' by ' || p_actor else '' end
    || coalesce(': ' || p_why, '');
end;
$$;

comment on function tasker.event_sentence is
$$Describes an event of a task, or of one of its steps, in a sentence.$$;
-- <<<

-- >>> db/schema/functions/operate/inspect/private/history_turn.sql
create or replace function tasker.history_turn(p_event text)
  returns integer
  language sql
  immutable
  parallel safe
begin atomic
  select case when p_event in ('Start', 'Reset', 'Rerun', 'RetryReady') then 0 else 2 end;
end;

comment on function tasker.history_turn is
$$Returns the position of a task's transition among events of the same instant. A task starts before its steps, which
have the position 1, and is evaluated after them.$$;
-- <<<

-- >>> db/schema/functions/operate/inspect/private/raise_no_such_event.sql
create or replace function tasker.raise_no_such_event(p_step_no integer, p_sort_key integer)
  returns void
  language plpgsql
  stable
  set search_path = pg_catalog, pg_temp
as $$
begin
  raise exception using
    errcode = 'TK422',
    message = 'the history has no such event to begin after',
    detail  = format('step %s, sort key %s', coalesce(p_step_no::text, 'none'), p_sort_key),
    hint    = 'Pass step_no and sort_key of the last event of the page before, or neither.';
end;
$$;

comment on function tasker.raise_no_such_event is
$$Raises TK422 because a page of history cannot begin after an event that the history does not have.$$;
-- <<<

-- >>> db/schema/functions/operate/inspect/get_task_history.sql
create or replace function tasker.get_task_history(
  p_task_uuid       uuid,
  p_limit           integer  default 1000,
  p_after_step_no   integer  default null,
  p_after_sort_key  integer  default null
)
  returns setof tasker.task_events
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
  v_at   timestamptz := '-infinity';
  v_turn integer     := 0;
begin
  p_limit := coalesce(p_limit, 1000);
  perform tasker.check_bound(p_task_uuid);
  perform tasker.check_limit(p_limit, 100000);
  perform tasker.check_task_exists(p_task_uuid);
  if p_after_sort_key is not null and p_after_step_no is null then
    select l.created_at, tasker.history_turn(l.event)
      into v_at, v_turn
      from tasker.task_transition_log as l
     where (l.task_uuid, l.sort_key) = (p_task_uuid, p_after_sort_key)
       and l.row_key between p_after_sort_key and p_after_sort_key::bigint + 4;
  elsif p_after_sort_key is not null then
    select l.created_at, 1
      into v_at, v_turn
      from tasker.workflow_step_transition_log as l
     where (l.task_uuid, l.step_no, l.sort_key) = (p_task_uuid, p_after_step_no, p_after_sort_key)
       and l.row_key between p_after_sort_key and p_after_sort_key::bigint + 1;
  end if;
  if v_at is null then
    perform tasker.raise_no_such_event(p_after_step_no, p_after_sort_key);
  end if;

  return query
  -- Read the logs once. Read the objects that rows refer to only for rows that are returned.
  with shown as materialized (
    select r.*
      from (
        select
          l.created_at as occurred_at, tasker.history_turn(l.event) as turn, null::integer as step_no, l.sort_key, l.row_key,
          l.event, l.from_state::text, l.to_state::text, null::integer as claim_no, null::uuid as worker_uuid,
          l.processor_uuid, l.actor, l.reason, null::bigint as execution_time_ms, l.metadata
        from tasker.task_transition_log as l
        where l.task_uuid = p_task_uuid
          and l.created_at >= v_at
        union all
        select
          l.created_at, 1, l.step_no, l.sort_key, l.row_key,
          l.event, l.from_state::text, l.to_state::text, l.claim_no, l.worker_uuid,
          null, l.actor, l.reason, l.execution_time_ms, l.metadata
        from tasker.workflow_step_transition_log as l
        where l.task_uuid = p_task_uuid
          and l.created_at >= v_at
      ) as r
     where (r.occurred_at, r.turn, coalesce(r.step_no, 0), r.sort_key)
             > (v_at, v_turn, coalesce(p_after_step_no, 0), coalesce(p_after_sort_key, 0))
     order by r.occurred_at, r.turn, r.step_no, r.sort_key
     limit p_limit
  )
  select
    h.occurred_at, h.step_no, d.step_name, h.event, h.from_state, h.to_state, h.claim_no, h.worker_uuid, w.name::text,
    h.processor_uuid, h.actor, d.caller[1], d.caller[2], h.reason, h.execution_time_ms, h.metadata ->> 'error', h.metadata,
    tasker.event_sentence(
      d.step_name, h.event, h.from_state, h.to_state, coalesce(w.name, h.worker_uuid::text), h.actor,
      -- A step that failed for good has a row of its own with the error.
      coalesce(case when h.event <> 'PermanentFailure' then h.metadata ->> 'error' end, h.reason), h.execution_time_ms
    ),
    h.sort_key
  from shown as h
  cross join lateral (
    select null::text as step_name, tasker.task_caller(p_task_uuid, h.row_key) as caller
    where h.step_no is null
    union all
    select s.name, tasker.step_caller(p_task_uuid, h.step_no, h.row_key)
    from tasker.workflow_steps as s
    where s.task_uuid = p_task_uuid
      and s.step_no = h.step_no
  ) as d
  left join tasker.workers as w
    on w.worker_uuid = h.worker_uuid
  order by h.occurred_at, h.turn, h.step_no, h.sort_key;
end;
$$;

comment on function tasker.get_task_history is
$$Returns the history of a task: every transition of the task and of its steps in order of time, each with a sentence
that describes it. For the next page, pass the step number and the sort_key of the last event of this page as
p_after_step_no and p_after_sort_key.

Raises TK404 if there is no such task, TK422 for a limit out of range or if the history has no event with this step
number and sort_key, and TK403 if the caller is bound to other namespaces.$$;

grant execute on function tasker.get_task_history
  to tasker_submitter, tasker_worker, tasker_orchestrator, tasker_operator, tasker_reader;
-- <<<

-- >>> db/schema/functions/operate/inspect/get_step_history.sql
create or replace function tasker.get_step_history(p_step_uuid uuid, p_limit integer default 1000, p_after_sort_key integer default null)
  returns setof tasker.task_events
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
  v_name text;
begin
  p_limit := coalesce(p_limit, 1000);
  perform tasker.check_bound(p_step_uuid);
  perform tasker.check_limit(p_limit, 100000);
  perform tasker.check_step_exists(p_step_uuid);
  select s.name
    into v_name
    from tasker.workflow_steps as s
   where s.task_uuid = tasker.task_uuid_of(p_step_uuid)
     and s.step_no = tasker.step_no_of(p_step_uuid);

  return query
  select
    l.created_at, l.step_no, v_name, l.event, l.from_state::text, l.to_state::text, l.claim_no, l.worker_uuid, w.name::text,
    null::uuid, l.actor, c.caller[1], c.caller[2], l.reason, l.execution_time_ms, l.metadata ->> 'error', l.metadata,
    tasker.event_sentence(
      v_name, l.event, l.from_state::text, l.to_state::text, coalesce(w.name, l.worker_uuid::text), l.actor,
      coalesce(l.metadata ->> 'error', l.reason), l.execution_time_ms
    ),
    l.sort_key
  from tasker.workflow_step_transition_log as l
  cross join lateral (
    select tasker.step_caller(l.task_uuid, l.step_no, l.row_key) as caller
  ) as c
  left join tasker.workers as w
    on w.worker_uuid = l.worker_uuid
  where l.task_uuid = tasker.task_uuid_of(p_step_uuid)
    and l.step_no = tasker.step_no_of(p_step_uuid)
    and l.sort_key > coalesce(p_after_sort_key, -1)
    and l.row_key > coalesce(p_after_sort_key, -1)
  order by l.row_key, l.sort_key
  limit p_limit;
end;
$$;

comment on function tasker.get_step_history is
$$Returns the history of one step: its transitions in order, each with a sentence that describes it, as get_task_history
does. For the next page, pass the sort_key of the last event of this page as p_after_sort_key.

Raises TK404 if there is no such step, TK422 for a limit out of range, and TK403 if the caller is bound to other
namespaces.$$;

grant execute on function tasker.get_step_history
  to tasker_submitter, tasker_worker, tasker_orchestrator, tasker_operator, tasker_reader;
-- <<<

-- >>> db/schema/functions/operate/inspect/get_current_task_transition.sql
create or replace function tasker.get_current_task_transition(p_task_uuid uuid)
  returns setof tasker.task_events
  language plpgsql
  stable
  rows 1
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
  perform tasker.check_task_exists(p_task_uuid);
  return query
  select
    l.created_at, null::integer, null::text, l.event, l.from_state::text, l.to_state::text, null::integer, null::uuid,
    null::text, l.processor_uuid, l.actor, c.caller[1], c.caller[2], l.reason, null::bigint, l.metadata ->> 'error', l.metadata,
    tasker.event_sentence(null, l.event, l.from_state::text, l.to_state::text, null, l.actor, l.reason, null),
    l.sort_key
  from tasker.tasks as t
  cross join lateral (
    select l.*
      from tasker.task_transition_log as l
     where l.task_uuid = t.task_uuid
       and l.row_key = t.transition_count
       and l.sort_key = t.transition_count
    offset 0
  ) as l
  cross join lateral (select tasker.task_caller(l.task_uuid, l.row_key) as caller) as c
  where t.task_uuid = p_task_uuid;
end;
$$;

comment on function tasker.get_current_task_transition is
$$Returns the transition that brought a task to its present state, as get_task_history returns it. Returns no row if the
task has made no transition since its creation. Reads one row, even of a long history.

Raises TK404 if there is no such task, and TK403 if the caller is bound to other namespaces.$$;

grant execute on function tasker.get_current_task_transition
  to tasker_submitter, tasker_worker, tasker_orchestrator, tasker_operator, tasker_reader;
-- <<<

-- >>> db/schema/functions/operate/inspect/get_current_step_transition.sql
create or replace function tasker.get_current_step_transition(p_step_uuid uuid)
  returns setof tasker.task_events
  language plpgsql
  stable
  rows 1
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
    l.created_at, l.step_no, s.name, l.event, l.from_state::text, l.to_state::text, l.claim_no, l.worker_uuid, w.name::text,
    null::uuid, l.actor, c.caller[1], c.caller[2], l.reason, l.execution_time_ms, l.metadata ->> 'error', l.metadata,
    tasker.event_sentence(
      s.name, l.event, l.from_state::text, l.to_state::text, coalesce(w.name, l.worker_uuid::text), l.actor,
      coalesce(l.metadata ->> 'error', l.reason), l.execution_time_ms
    ),
    l.sort_key
  from tasker.workflow_steps as s
  cross join lateral (
    select l.*
      from tasker.workflow_step_transition_log as l
     where l.task_uuid = s.task_uuid
       and l.step_no = s.step_no
       and l.row_key = s.transition_count
       and l.sort_key = s.transition_count
    offset 0
  ) as l
  cross join lateral (
    select tasker.step_caller(l.task_uuid, l.step_no, l.row_key) as caller
  ) as c
  left join tasker.workers as w
    on w.worker_uuid = l.worker_uuid
  where s.task_uuid = tasker.task_uuid_of(p_step_uuid)
    and s.step_no = tasker.step_no_of(p_step_uuid);
end;
$$;

comment on function tasker.get_current_step_transition is
$$Returns the transition that brought a step to its present state, as get_step_history returns it. Returns no row if the
step has made no transition since its creation. Reads one row, even of a long history.

Raises TK404 if there is no such step, and TK403 if the caller is bound to other namespaces.$$;

grant execute on function tasker.get_current_step_transition
  to tasker_submitter, tasker_worker, tasker_orchestrator, tasker_operator, tasker_reader;
-- <<<

insert into tasker.schema_builds (version, files) values ('20261121001210', 'functions/compat/orchestrator/claim_task_for_finalization 04e63fe5638a673a
functions/compat/orchestrator/finalize_task_completion 4066140758edc3eb
functions/compat/orchestrator/private/is_finalized_by_another 2ba04f39177e89b6
functions/kernel/create/private/check_identity_regained 829512924df5b6c3
functions/kernel/create/private/lock_identity 1941d08576569822
functions/kernel/create/private/regain_identity 52f6c8e75481d428
functions/kernel/lock/private/lock_task 6780d6fc20eb522a
functions/kernel/move/advance_task 607ab7f55c796324
functions/kernel/move/private/rerun_moves 390c7d073099307d
functions/kernel/move/private/rerun_steps a9fd99ae6775d25d
functions/kernel/move/private/reset_locked_task 113d5a73188aa707
functions/kernel/template/list_handler_pauses 7e9211e90db95723
functions/kernel/template/pause_handler af2dba6a359a6256
functions/kernel/template/pause_namespace 16d1da7b12a8f038
functions/kernel/template/pause_template f652902e90e88e7f
functions/kernel/template/private/find_handler b4df26ed5ca1ed67
functions/kernel/template/private/handlers_of_template 45a0eeb924641484
functions/kernel/template/resume_handler 5c9604f73073bd48
functions/kernel/template/resume_namespace 2b1a749eb3bdf204
functions/kernel/template/resume_template 30d06e6b3e6d0c2c
functions/operate/audit/get_audit_by_correlation_id e90dbd8f251d2560
functions/operate/audit/get_audit_by_worker a839bc06fd70d636
functions/operate/audit/get_step_audit_history e2722294ce1251d1
functions/operate/audit/get_task_audit_history b77ded9d3225a835
functions/operate/audit/private/describe_audits 6cb7c07ee6214d99
functions/operate/fork/fork_task 918dcf0a288aa870
functions/operate/fork/private/copy_instances c2df193d4450b138
functions/operate/fork/private/find_fork fa6bb2dc095df0f2
functions/operate/fork/private/fork_distances b2c817ab788f7633
functions/operate/fork/private/fork_step_no 19bdae4deeace275
functions/operate/fork/private/is_taken_over 76b3af6a42304dcd
functions/operate/fork/private/last_before_instances 6be65f739c95d005
functions/operate/fork/private/parents_taken_over 6126d29c5833c457
functions/operate/fork/private/same_step_nos b57568ea089a2e8f
functions/operate/fork/private/skip_guard 1c39ff7893593d4d
functions/operate/fork/private/take_over_maps ffb7326f279a6474
functions/operate/fork/private/take_over_results 72b407a6ace6eb1d
functions/operate/fork/private/take_over_steps c8b220a5835ae2db
functions/operate/inspect/get_current_step_transition 66083e726e14e9f2
functions/operate/inspect/get_current_task_transition a62de5b27fc6df14
functions/operate/inspect/get_step_history 765413780a4e5fe5
functions/operate/inspect/get_task_history 6bcefca189f3bd3d
functions/operate/inspect/private/event_sentence d738d98d97df88cf
functions/operate/inspect/private/history_turn e00166d02e04fc43
functions/operate/inspect/private/raise_no_such_event 5128f55d17c59768
functions/operate/operators/cancel_task 50bd7fa4578f6b4c
functions/operate/operators/change_task 4f981bb4878785ad
functions/operate/operators/complete_step_by_name 9dda0411e7e019cb
functions/operate/operators/complete_step_manually 27de47090c97c044
functions/operate/operators/give_up_task 32252f1bd515ca94
functions/operate/operators/pause_task b57dba1f3aba4723
functions/operate/operators/private/change_priority db72cd1032d58a6a
functions/operate/operators/private/change_start 273082b648949902
functions/operate/operators/private/check_bulk 96d0cb24d664bb3b
functions/operate/operators/private/check_changed_context 7c530ca535b3a706
functions/operate/operators/private/check_reset_tasks 6fd1dc28e71dbe1b
functions/operate/operators/private/check_task_change fc24c847f8859ee6
functions/operate/operators/private/described_terms 5b4697ff59e78e58
functions/operate/operators/private/find_tasks_to_reset b05d40aaab6e277d
functions/operate/operators/private/note_task_change a5448704281013db
functions/operate/operators/private/operate_on_step d02e0a702e942d28
functions/operate/operators/private/operate_on_task 2d5e6181d7787e42
functions/operate/operators/private/replace_context 6e0aa323df0fa571
functions/operate/operators/reset_task 911be86999a1c5c1
functions/operate/operators/reset_tasks 3a03ff8a20178209
functions/operate/operators/resolve_step_manually 1b182107ca37c603
functions/operate/operators/resolve_task_manually 95c18b06b176936d
functions/operate/operators/resume_task 3831f3d1c0dbbc84
functions/operate/operators/retry_step 39c835627f803cba
functions/operate/rerun/preview_rerun 2a6e3a74b58aa0c0
functions/operate/rerun/private/check_rerun cf18043e1fd32cf6
functions/operate/rerun/private/find_reruns 7aa3876a50b9d3a2
functions/operate/rerun/rerun_step 8e81ded190482019
functions/operate/tokens/bind_role a5e4ec228e084701
rows/operate/audit/step_audits ad21c3063223a787
rows/operate/inspect/task_events 6681541ab294e3d4
rows/operate/operators/task_resets 2d2cd71ec036e633
rows/operate/rerun/step_reruns 87d19359505b9a65
');

reset role;

-- migrate:down
set local citus.enable_ddl_propagation = off; -- Citus would repeat this on its worker nodes
set local role tasker_owner;

delete from tasker.schema_builds where version = '20261121001210';

drop function tasker.get_current_step_transition;
drop function tasker.get_current_task_transition;
drop function tasker.get_step_history;
drop function tasker.get_task_history;
drop function tasker.raise_no_such_event;
drop function tasker.history_turn;
drop function tasker.event_sentence;
drop view tasker.task_events;
drop function tasker.get_audit_by_correlation_id;
drop function tasker.get_audit_by_worker;
drop function tasker.get_task_audit_history;
drop function tasker.get_step_audit_history;
drop function tasker.describe_audits;
drop view tasker.step_audits;
drop function tasker.finalize_task_completion;
drop function tasker.claim_task_for_finalization;
drop function tasker.is_finalized_by_another;
drop function tasker.advance_task;
drop function tasker.bind_role;
drop function tasker.resume_namespace;
drop function tasker.resume_template;
drop function tasker.pause_template;
drop function tasker.handlers_of_template;
drop function tasker.list_handler_pauses;
drop function tasker.resume_handler;
drop function tasker.pause_handler;
drop function tasker.find_handler;
drop function tasker.pause_namespace;
drop function tasker.fork_task;
drop function tasker.take_over_steps;
drop function tasker.take_over_maps;
drop function tasker.copy_instances;
drop function tasker.last_before_instances;
drop function tasker.parents_taken_over;
drop function tasker.take_over_results;
drop function tasker.skip_guard;
drop function tasker.is_taken_over;
drop function tasker.fork_distances;
drop function tasker.same_step_nos;
drop function tasker.fork_step_no;
drop function tasker.find_fork;
drop function tasker.rerun_step;
drop function tasker.preview_rerun;
drop function tasker.check_rerun;
drop function tasker.find_reruns;
drop view tasker.step_reruns;
drop function tasker.resume_task;
drop function tasker.pause_task;
drop function tasker.change_task;
drop function tasker.complete_step_by_name;
drop function tasker.complete_step_manually;
drop function tasker.resolve_step_manually;
drop function tasker.retry_step;
drop function tasker.reset_tasks;
drop function tasker.replace_context;
drop function tasker.note_task_change;
drop function tasker.described_terms;
drop function tasker.check_task_change;
drop function tasker.check_changed_context;
drop function tasker.change_start;
drop function tasker.change_priority;
drop function tasker.find_tasks_to_reset;
drop view tasker.task_resets;
drop function tasker.reset_task;
drop function tasker.rerun_steps;
drop function tasker.rerun_moves;
drop function tasker.reset_locked_task;
drop function tasker.check_identity_regained;
drop function tasker.regain_identity;
drop function tasker.lock_identity;
drop function tasker.check_reset_tasks;
drop function tasker.check_bulk;
drop function tasker.resolve_task_manually;
drop function tasker.give_up_task;
drop function tasker.cancel_task;
drop function tasker.operate_on_step;
drop function tasker.operate_on_task;
drop function tasker.lock_task;

reset role;
