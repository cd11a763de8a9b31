create or replace function tasker.step_lane(p_state tasker.step_state, p_priority integer)
  returns tasker.queue_lane
  language sql
  immutable
  parallel safe
begin atomic
  -- Cast each branch, because a cast of the whole expression would prevent inlining.
  select case
    when p_state in ('enqueued_for_orchestration', 'enqueued_as_error_for_orchestration') then 'results'::tasker.queue_lane
    when p_state = 'in_progress' then 'running'::tasker.queue_lane
    when p_priority > 0 then 'high'::tasker.queue_lane
    when p_priority < 0 then 'low'::tasker.queue_lane
    else 'normal'::tasker.queue_lane
  end;
end;

comment on function tasker.step_lane is
$$Returns the lane of the queue for a step in the pipeline.$$;
