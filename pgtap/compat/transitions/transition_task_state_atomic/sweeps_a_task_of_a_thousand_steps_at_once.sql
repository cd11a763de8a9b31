begin;
select plan(3);

select tasker_test.create_waiting('wide', (select jsonb_agg(jsonb_build_object('name', 's' || n)) from generate_series(1, 1000) as n)) is not null as made;

select ok(tasker.transition_task_state_atomic(tasker_test.the_task(), 'steps_in_process', 'error'), 'the failure returns true');
select is(
  (select count(*) from tasker.workflow_steps as s where s.task_uuid = tasker_test.the_task() and s.state = 'error'),
  1000::bigint,
  'all thousand steps have failed'
);
select is_empty('select tasker_test.violations()', 'every invariant holds');

select * from finish();
rollback;
