begin;
select plan(5);

select tasker_test.freeze();
select tasker_test.make_task_in(s::text) from unnest(enum_range(null::tasker.task_state)) as s;
select tasker_test.pass('23 hours');
select set_eq(
  'select s.current_state::text from tasker.get_stale_tasks_for_dlq() as s',
  array['waiting_for_dependencies', 'waiting_for_retry', 'steps_in_process'], 'states with a short threshold are found after two hours'
);
select tasker_test.pass('1 hour');
select set_eq(
  'select s.current_state from tasker.get_stale_tasks_for_dlq() as s',
  'select s.state from tasker.task_states as s where not s.terminal', 'all open states are found after a day'
);
select is((select count(*) from tasker.get_stale_tasks_for_dlq(2)), 2::bigint, 'p_limit limits the tasks');
select is_empty('select from tasker.get_stale_tasks_for_dlq(null, 10000, 10000, 10000, 10000)', 'thresholds can be given');
select throws_ok(
  'select tasker.get_stale_tasks_for_dlq(null, 0)', 'TK422', 'a threshold is less than a minute', 'a threshold of zero is refused'
);

select * from finish();
rollback;
