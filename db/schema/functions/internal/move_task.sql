create or replace function tasker.move_task(
  p_task            tasker.tasks,
  p_event           text,
  p_to_state        tasker.task_state,
  p_processor_uuid  uuid,
  p_metadata        jsonb,
  p_actor           text
)
  returns void
  language plpgsql
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_reason text := coalesce(p_metadata ->> 'reason', p_metadata ->> 'error');
begin
  if p_to_state in ('cancelled', 'resolved_manually') then
    perform tasker.sweep_steps(p_task.task_uuid, 'cancel', v_reason, p_actor);
  elsif p_to_state in ('error', 'complete') then
    perform tasker.sweep_steps(p_task.task_uuid, 'fail', v_reason, p_actor);
  elsif p_event = 'Reset' then
    perform tasker.sweep_steps(p_task.task_uuid, 'reset', v_reason, p_actor);
  end if;

  perform tasker.write_task_transition(p_task, p_event, p_to_state, p_processor_uuid, p_metadata, p_actor);
  perform tasker.schedule_task(p_task.task_uuid, p_event);
end;
$$;

comment on function tasker.move_task(tasker.tasks, text, tasker.task_state, uuid, jsonb, text) is
$$Moves a task to a state, with all that belongs to it: its steps are cancelled, failed or reset with it, its row and log are written, its timers set, and if it is still open an orchestrator looks at it. The caller holds the task's lock and has checked the guards.$$;

revoke all on function tasker.move_task(tasker.tasks, text, tasker.task_state, uuid, jsonb, text) from public;
