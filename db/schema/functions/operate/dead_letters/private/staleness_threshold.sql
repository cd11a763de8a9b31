create or replace function tasker.staleness_threshold(
  p_state                     tasker.task_state,
  p_waiting_for_dependencies  integer,
  p_waiting_for_retry         integer,
  p_steps_in_process          integer,
  p_other                     integer
)
  returns integer
  language sql
  stable
  parallel safe
begin atomic
  select case p_state
    when 'waiting_for_dependencies'
      then coalesce(p_waiting_for_dependencies, tasker.setting_integer('stale_waiting_for_dependencies_minutes'))
    when 'waiting_for_retry'
      then coalesce(p_waiting_for_retry, tasker.setting_integer('stale_waiting_for_retry_minutes'))
    when 'steps_in_process'
      then coalesce(p_steps_in_process, tasker.setting_integer('stale_steps_in_process_minutes'))
    when 'complete' then null
    when 'error' then null
    when 'cancelled' then null
    when 'resolved_manually' then null
    else coalesce(p_other, tasker.setting_integer('stale_other_minutes'))
  end;
end;

comment on function tasker.staleness_threshold is
$$Returns after how many minutes without progress a task in this state is stale. The argument for the state decides,
otherwise the setting. Returns null for a task that has ended.$$;
