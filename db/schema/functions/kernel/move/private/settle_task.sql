create or replace function tasker.settle_task(
  p_task      tasker.task_facts,
  p_sort_key  integer,
  p_event     text,
  p_to_state  tasker.task_state,
  p_owner     uuid,
  p_now       timestamptz
)
  returns boolean
  language plpgsql
as $$
declare
  v_ended boolean := p_to_state in ('complete', 'error', 'cancelled', 'resolved_manually');
  v_moved tasker.task_transition_log;
  v_timed boolean;
  v_waits boolean;
  v_told  boolean;
  v_word  text; -- an assignment, unlike PERFORM, starts no executor
begin
  update tasker.tasks as t
     set open_steps       = p_task.open_steps,
         active_steps     = p_task.active_steps,
         retrying_steps   = p_task.retrying_steps,
         suspended_steps  = p_task.suspended_steps,
         failed_steps     = p_task.failed_steps,
         state            = p_to_state,
         complete         = v_ended,
         transition_count = p_sort_key,
         processor_uuid   = p_owner,
         started_at       = case
           when p_task.state = 'pending' and (v_ended and p_to_state <> 'complete') then t.started_at
           else coalesce(t.started_at, p_now)
         end,
         completed_at     = case when v_ended then p_now end,
         updated_at       = p_now
   where t.task_uuid = p_task.task_uuid;

  -- One query at the end, in a snapshot after the writes.
  if v_ended then
    select
      exists (select from tasker.timers as m where m.task_uuid = p_task.task_uuid and m.kind not in ('child_ended', 'cancel_child')),
      exists (select from tasker.waiting_tasks as w where w.task_uuid = p_task.task_uuid),
      e.wanted
      into v_timed, v_waits, v_told
      from tasker.task_events_wanted() as e (wanted);
    if v_timed or v_waits then
      perform tasker.clear_ended_tasks(array[p_task.task_uuid]);
    end if;
    if p_task.parent_step_uuid is not null or p_task.keyed then
      perform tasker.tasks_moved(
        case when p_task.parent_step_uuid is not null then array[p_task.task_uuid] end, null,
        case when p_task.keyed then array[p_task.task_uuid] end
      );
    end if;
  end if;
  if p_to_state <> p_task.state and v_told is not false then
    v_moved.task_uuid := p_task.task_uuid;
    v_moved.sort_key := p_sort_key;
    v_moved.event := p_event;
    v_moved.from_state := p_task.state;
    v_moved.to_state := p_to_state;
    v_moved.created_at := p_now;
    v_word := tasker.notify_task_events(array[v_moved]);
  end if;
  return v_ended;
end;
$$;

comment on function tasker.settle_task is
$$Writes the row of a moved task after its log: counters, state and owner. If the task has ended, deletes its timers and its waiting row, and writes notes for the step that waits for the task and for the next task of the same key. Notifies listeners. Returns whether it has ended. The caller holds the task's lock.$$;
