create or replace function tasker.write_task(
  p_task       tasker.task_facts,
  p_open       integer,
  p_active     integer,
  p_retrying   integer,
  p_suspended  integer,
  p_failed     integer,
  p_enqueued   integer[],
  p_moved      integer[],
  p_error      text,
  p_processor  uuid
)
  returns boolean
  language plpgsql
as $$
declare
  v_now     timestamptz := greatest(tasker.write_clock(), p_task.updated_at);
  v_outcome text;
  v_path    record;
begin
  p_task.open_steps := p_task.open_steps + p_open;
  p_task.active_steps := p_task.active_steps + p_active;
  p_task.retrying_steps := p_task.retrying_steps + p_retrying;
  p_task.suspended_steps := p_task.suspended_steps + p_suspended;
  p_task.failed_steps := p_task.failed_steps + p_failed;
  v_outcome := tasker.task_outcome(
    p_task.open_steps, p_task.active_steps, p_task.retrying_steps, p_task.suspended_steps,
    p_task.failed_steps - coalesce((p_task.undo ->> 'failed')::integer, 0), p_enqueued <> '{}', p_task.on_failure
  );
  -- There are two conditions, because a condition with a query would cost every call a statement.
  if v_outcome in ('blocked', 'failed') and p_task.has_added_edges then
    if exists (
      select
        from tasker.timers as m
       where m.task_uuid = p_task.task_uuid
         and m.kind in ('expand_map', 'end_race')
    ) then
      v_outcome := 'waiting'; -- the next instances of a map, or the end of a race, are still to come
    end if;
  elsif v_outcome = 'complete' and p_task.has_added_edges and p_task.on_failure in ('fail', 'fail_undo') then
    if tasker.fails_at_end(p_task.task_uuid) then
      v_outcome := case p_task.on_failure when 'fail' then 'failed' else 'blocked' end;
    end if;
  end if;
  if p_task.undo is not null
     and (v_outcome = 'undo' or v_outcome = 'blocked' and p_task.on_failure = 'fail_undo') then
    perform tasker.tasks_moved(null, array[p_task.task_uuid], null);
    v_outcome := case when v_outcome = 'undo' then 'waiting' else v_outcome end;
  end if;
  if tasker.task_stays(v_outcome, p_task.state) then
    update tasker.tasks as t
       set open_steps      = p_task.open_steps,
           active_steps    = p_task.active_steps,
           retrying_steps  = p_task.retrying_steps,
           suspended_steps = p_task.suspended_steps,
           failed_steps    = p_task.failed_steps,
           updated_at      = v_now
     where t.task_uuid = p_task.task_uuid;
    return false;
  end if;

  -- The most frequent path is found without a query. A test compares this path with the table.
  if v_outcome = 'complete' and p_task.state = 'steps_in_process' then
    insert into tasker.task_log (task_uuid, sort_key, path, processor_uuid, login, role, created_at)
    values (p_task.task_uuid, p_task.transition_count + 2, 20, p_processor, session_user, tasker.set_role(), v_now);
    return tasker.settle_task(p_task, p_task.transition_count + 2, 'AllStepsSuccessful', 'complete', null, v_now);
  end if;

  select p.position, p.event, p.to_state, p.path, p.metadata_event, p.outcome_event
    into v_path
    from tasker.task_paths as p
   where p.outcome = v_outcome
     and p.start_state = p_task.state
     and p.last;
  insert into tasker.task_log (
    task_uuid, sort_key, path, processor_uuid, login, role, metadata, outcome, created_at
  )
  values (
    p_task.task_uuid, p_task.transition_count + v_path.position, v_path.path, p_processor, session_user, tasker.set_role(),
    tasker.task_move_metadata(
      least(v_path.position, 2), p_task.state, v_path.metadata_event, p_moved, p_enqueued, p_task.failed_steps, p_error
    ),
    tasker.task_move_metadata(
      2, p_task.state, v_path.outcome_event, p_moved, p_enqueued, p_task.failed_steps, p_error
    ), v_now
  );

  return tasker.settle_task(p_task, p_task.transition_count + v_path.position, v_path.event, v_path.to_state, null, v_now);
end;
$$;

comment on function tasker.write_task is
$$Writes the consequences of step moves for one task, by its key: updates its counters, and moves it along its path (tasker.task_outcome, tasker.task_paths) with row, log, timers and notification. The integer arguments are added to the counters. p_enqueued has the steps that were enqueued, p_moved the steps that ended, and p_error the failure of a step. Returns whether the task has ended.

tasker.write_tasks does the same for many tasks. The caller holds the task's lock.$$;
