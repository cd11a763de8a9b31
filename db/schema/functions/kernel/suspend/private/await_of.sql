create or replace function tasker.await_of(p_step jsonb)
  returns jsonb
  language sql
  immutable
  parallel safe
begin atomic
  select case when p_step ? 'await' then jsonb_strip_nulls(jsonb_build_object(
    'any', p_step -> 'await',
    'timeout', p_step -> 'timeout',
    'on_timeout', coalesce(p_step ->> 'on_timeout', 'fail'),
    'assignee', p_step -> 'assignee'
  ))
  when p_step ? 'task' then jsonb_strip_nulls(jsonb_build_object(
    'any', '[]'::jsonb,
    'timeout', p_step -> 'timeout',
    'on_timeout', p_step -> 'on_timeout'
  )) || jsonb_build_object('task', p_step -> 'task') end;
end;

comment on function tasker.await_of is
$$Returns the wait of a step in normal form, as the step's row keeps it. Returns null for a step with a handler.$$;
