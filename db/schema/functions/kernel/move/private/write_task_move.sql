create or replace function tasker.write_task_move(
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
  v_now timestamptz := greatest(tasker.write_clock(), p_task.updated_at);
begin
  insert into tasker.task_log (
    task_uuid, sort_key, path, processor_uuid, actor, login, role, reason, metadata, created_at
  )
  values (
    p_task.task_uuid, p_task.transition_count + 1, tasker.task_path(p_task.task_uuid, p_task.state, p_event, p_to_state),
    p_processor_uuid, p_actor, session_user, tasker.set_role(), p_metadata ->> 'reason',
    nullif(p_metadata - '{event,reason}'::text[], '{}'), v_now
  );
  perform tasker.settle_task(
    p_task, p_task.transition_count + 1, p_event, p_to_state,
    (select case when s.requires_ownership then p_processor_uuid end from tasker.task_states as s where s.state = p_to_state),
    v_now
  );
  perform tasker.schedule_task(p_task.task_uuid, p_event);
  if p_task.keyed and p_event in ('Reset', 'Rerun') then
    perform tasker.task_reopened(p_task.task_uuid);
  end if;
end;
$$;

comment on function tasker.write_task_move is
$$Writes one transition of a task whose steps have been moved: its log, its row with the counters of p_task, its timers. If the task is still open, an orchestrator evaluates it. The caller holds the task's lock, and has checked that the move is allowed.$$;
