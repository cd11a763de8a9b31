begin;
select plan(17);

-- Starts from a valid row of the state; each change breaks the rule that it is listed with.
create function pg_temp.broken(p_state text, p_change jsonb)
  returns text
  language plpgsql
as $$
declare
  v_row  tasker.tasks;
  v_rule text;
begin
  v_row := jsonb_populate_record(null::tasker.tasks, jsonb_build_object(
    'task_uuid', '01a202eb-e363-7706-b37c-6ca1d9440000', 'state', p_state,
    'complete', p_state in ('complete', 'error', 'cancelled', 'resolved_manually'),
    'total_steps', 4, 'open_steps', 0, 'active_steps', 0, 'retrying_steps', 0, 'suspended_steps', 0,
    'failed_steps', 0,
    'completed_at', case when p_state in ('complete', 'error', 'cancelled', 'resolved_manually') then '2026-01-01' end,
    'headers', '{}'::jsonb, 'context', '{}'::jsonb
  ) || p_change);
  perform tasker.check_task_row(
    v_row.task_uuid, v_row.state, v_row.complete, v_row.total_steps, v_row.open_steps, v_row.active_steps,
    v_row.retrying_steps, v_row.suspended_steps, v_row.failed_steps, v_row.completed_at,
    v_row.headers, v_row.context
  );
  return null;
exception when check_violation then
  get stacked diagnostics v_rule = constraint_name;
  return v_rule;
end;
$$;

select is_empty(
  $$
  select s.state
    from unnest(enum_range(null::tasker.task_state)) as s (state)
   where pg_temp.broken(s.state::text, '{}') is not null
  $$,
  'a valid row of each state breaks no rule'
);
select is(pg_temp.broken(c.state, c.change::jsonb), 'tasks_' || c.rule || '_check', format('a row that is %s breaks its rule with %s', c.state, c.change))
  from (values
    ('pending',          '{"task_uuid": "01a202eb-e363-7706-b37c-6ca1d9440001"}', 'task_uuid'),
    ('pending',          '{"task_uuid": "01a202eb-e363-4706-b37c-6ca1d9440000"}', 'task_uuid'),
    ('steps_in_process', '{"open_steps": 5}',                              'counters'),
    ('steps_in_process', '{"active_steps": 1}',                            'counters'),
    ('steps_in_process', '{"failed_steps": -1}',                           'counters'),
    ('steps_in_process', '{"total_steps": 65536}',                         'counters'),
    ('complete',         '{"open_steps": 1}',                              'complete_has_no_open_steps'),
    ('complete',         '{"failed_steps": 1}',                            'complete_has_no_open_steps'),
    ('error',            '{"open_steps": 1, "active_steps": 1}',           'ended_has_no_active_steps'),
    ('cancelled',        '{"open_steps": 1, "retrying_steps": 1}',         'ended_has_no_active_steps'),
    ('cancelled',        '{"open_steps": 1, "suspended_steps": 1}',        'ended_has_no_active_steps'),
    ('steps_in_process', '{"open_steps": 1, "active_steps": 1, "suspended_steps": 1}', 'counters'),
    ('complete',         '{"completed_at": null}',                         'completed_at'),
    ('pending',          '{"completed_at": "2026-01-01"}',                 'completed_at'),
    ('pending',          '{"headers": []}',                                'headers'),
    ('pending',          '{"context": 1}',                                 'context')
  ) as c (state, change, rule);

select * from finish();
rollback;
