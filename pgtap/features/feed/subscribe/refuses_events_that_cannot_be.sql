begin;
select plan(13);

select tasker_test.freeze();

create function pg_temp.refusal(p_filter jsonb) returns text language plpgsql as $$
declare
  v_hint text;
begin
  perform from tasker.subscribe('a', p_filter);
  return 'accepted';
exception when others then
  get stacked diagnostics v_hint = pg_exception_hint;
  return concat_ws(' ', sqlstate, sqlerrm, v_hint);
end;
$$;

select matches(pg_temp.refusal(f.filter::jsonb), '^TK422 ' || f.refusal, 'this filter is refused: ' || f.filter)
  from (values
    ('{"events": ["Complet"]}', 'no event is called "Complet" Did you mean "Complete"\?'),
    ('{"events": ["Create", "complete"]}', 'no event is called "complete" Did you mean "Complete"\?'),
    ('{"events": ["zzzz"]}', 'no event is called "zzzz" docs/states.md'),
    ('{"kinds": ["task"], "events": ["AllStepSuccessful"]}', 'no event is called "AllStepSuccessful" Did you mean "AllStepsSuccessful"\?'),
    ('{"kinds": ["task"], "events": ["Create", "Complete"]}', 'a task has no event "Complete" .*"to_states": \["complete", "error"'),
    ('{"kinds": ["step"], "events": ["Create"]}', 'a step has no event "Create"'),
    ('{"to_states": ["completed"]}', 'no state is called "completed" Did you mean "complete"\?'),
    ('{"kinds": ["task"], "to_states": ["complete", "in_progress"]}', 'a task has no state "in_progress"'),
    ('{"kinds": ["task"], "events": ["Create"], "to_states": ["complete"]}', 'event "Create" leads to none of the states of the filter'),
    ('{"kinds": ["task"], "events": ["Create"], "to_states": ["pending", "complete"]}', 'no event of the filter leads to state "complete"')
  ) as f (filter, refusal);
select is(pg_temp.refusal('{"events": ["Create", "Complete"]}'), 'accepted', 'an event of tasks and one of steps are accepted for both kinds');
select is(
  pg_temp.refusal(jsonb_build_object('kinds', '["task"]'::jsonb, 'events', (
    select jsonb_agg(e.event) from (select 'Create' union select m.event from tasker.task_state_machine as m) as e (event)
  ))), 'accepted', 'every event of a task is accepted'
);
select is(
  pg_temp.refusal(jsonb_build_object('kinds', '["step"]'::jsonb, 'events', (select jsonb_agg(distinct m.event) from tasker.step_state_machine as m))),
  'accepted', 'every event of a step is accepted'
);

select * from finish();
rollback;
