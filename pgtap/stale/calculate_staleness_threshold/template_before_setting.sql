begin;
select plan(8);

select is(tasker.calculate_staleness_threshold('waiting_for_dependencies'), 60, 'an hour for dependencies');
select is(tasker.calculate_staleness_threshold('waiting_for_retry'), 30, 'half an hour for a retry');
select is(tasker.calculate_staleness_threshold('steps_in_process'), 30, 'half an hour in process');
select set_eq(
  $$ select tasker.calculate_staleness_threshold(s.state::text)
       from tasker.task_states as s
      where not s.terminal and s.state not in ('waiting_for_dependencies', 'waiting_for_retry', 'steps_in_process') $$,
  array[1440], 'a day in every other open state'
);
select set_eq(
  $$ select tasker.calculate_staleness_threshold(s.state::text) from tasker.task_states as s where s.terminal $$,
  array[null::integer], 'none in one that has ended'
);
select is(
  tasker.calculate_staleness_threshold('steps_in_process', '{"max_steps_in_process_minutes": 5}'), 5, 'the template goes first'
);
select is(
  tasker.calculate_staleness_threshold('waiting_for_retry', '{"max_steps_in_process_minutes": 5}'), 30, 'where it says something'
);
select tasker_test.take_turn();
select tasker.set_setting('stale_steps_in_process_minutes', '7');
select is(tasker.calculate_staleness_threshold('steps_in_process', '{}'), 7, 'then the setting');

select * from finish();
rollback;
