begin;
select plan(8);

select is(tasker.calculate_staleness_threshold('waiting_for_dependencies'), 60, 'waiting_for_dependencies has an hour');
select is(tasker.calculate_staleness_threshold('waiting_for_retry'), 30, 'waiting_for_retry has half an hour');
select is(tasker.calculate_staleness_threshold('steps_in_process'), 30, 'steps_in_process has half an hour');
select set_eq(
  $$ select tasker.calculate_staleness_threshold(s.state::text)
       from tasker.task_states as s
      where not s.terminal and s.state not in ('waiting_for_dependencies', 'waiting_for_retry', 'steps_in_process') $$,
  array[1440], 'every other open state has a day'
);
select set_eq(
  $$ select tasker.calculate_staleness_threshold(s.state::text) from tasker.task_states as s where s.terminal $$,
  array[null::integer], 'a final state has no threshold'
);
select is(
  tasker.calculate_staleness_threshold('steps_in_process', '{"max_steps_in_process_minutes": 5}'), 5, 'the template''s lifecycle takes precedence'
);
select is(
  tasker.calculate_staleness_threshold('waiting_for_retry', '{"max_steps_in_process_minutes": 5}'), 30, 'a state that the lifecycle does not name has the setting'
);
select tasker_test.take_turn();
select tasker.set_setting('stale_steps_in_process_minutes', '7');
select is(tasker.calculate_staleness_threshold('steps_in_process', '{}'), 7, 'a changed setting applies');

select * from finish();
rollback;
