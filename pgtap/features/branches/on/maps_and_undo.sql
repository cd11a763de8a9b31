begin;
select plan(9);
select tasker_test.create_waiting(
  'mapped', '[{"name": "each", "for_each": "$.lines", "allow_failures": 0}, {"name": "alert", "dependencies": [{"step": "each", "on": "failed"}]}]',
  '{}', '{"lines": [1, 2]}'
);
select tasker_test.expand();
select is(tasker_test.play('each[0]!'), 'steps_in_process: each cancelled, alert enqueued, each[0] error, each[1] cancelled', 'a map that fails settles, and its branch runs') ;
select is_empty('select tasker_test.violations()', 'every invariant holds');
select is_empty($$ select from tasker.check_integrity() as p where p.task_uuid = tasker_test.the_task() $$, 'the check of integrity finds nothing');

select tasker_test.create_waiting(
  'undone', '[{"name": "a", "compensate": "undo"}, {"name": "b", "dependencies": ["a"], "compensate": "undo"}, {"name": "alert", "compensate": "undo", "dependencies": [{"step": "b", "on": "failed"}]}]',
  '{"on_failure": "fail"}'
);
select is(tasker_test.play('a', 'b!', 'alert'), 'waiting_for_dependencies: a complete, b cancelled, alert complete', 'with on_failure: fail the branch runs before anything is undone') ;
select is_empty('select tasker_test.violations()', 'every invariant holds');
select is_empty($$ select from tasker.check_integrity() as p where p.task_uuid = tasker_test.the_task() $$, 'the check of integrity finds nothing');

select tasker_test.create_waiting('cancelled', '[{"name": "a"}, {"name": "alert", "dependencies": [{"step": "a", "on": "failed"}]}]');
select tasker_test.claim('a');
select tasker.cancel_task(tasker_test.the_task(), 'enough');
select is(tasker_test.all_states(), 'cancelled: a cancelled, alert cancelled', 'a cancelled task begins no failure branch');
select is((select count(*) from tasker.step_queue as q where q.task_uuid = tasker_test.the_task()), 0::bigint, 'nothing is queued');
select is_empty('select tasker_test.violations()', 'every invariant holds');
select * from finish();
rollback;
