begin;
select plan(2);

select tasker_test.take_turn();
select from tasker.register_task_template('{"namespace": "test", "name": "order", "identity_strategy": "always_unique",
  "steps": [{"name": "reserve"}, {"name": "check"}, {"name": "ship", "dependencies": ["check"]}]}');
select set_config('tasker_test.task', (select c.task_uuid::text from tasker.create_task('test', 'order') as c), true);
select tasker.add_step_edge(a.workflow_step_uuid, s.workflow_step_uuid)
  from tasker.add_steps(tasker_test.the_task(), '[{"name": "pack", "dependencies": ["reserve"]}]') as a
 cross join tasker.list_steps(tasker_test.the_task()) as s
 where s.name = 'ship';
select tasker_test.run('reserve', 'check');
select tasker_test.run('pack', 'ship');
select set_config('tasker_test.task', tasker.fork_task(tasker_test.the_task(), 'reserve')::text, true);
select is(
  tasker_test.states(), 'steps_in_process: reserve=enqueued check=complete ship=enqueued',
  'a step below the given one by way of an added step runs again'
);
select is_empty('select tasker_test.violations()', 'every invariant holds');

select * from finish();
rollback;
