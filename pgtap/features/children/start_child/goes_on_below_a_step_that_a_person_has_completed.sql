begin;
select plan(4);

select tasker_test.freeze();
select tasker_test.family('{}', '{"on_failure": "fail", "steps": [{"name": "a", "retry": {"max_attempts": 1}}, {"name": "grandkid", "dependencies": ["a"], "task": {"name": "leaf"}}]}');
select tasker_test.register('leaf', 'l');
select tasker_test.fire_notes();
select tasker_test.child();
select tasker_test.claim('a');
select tasker_test.fail_for_good('a');
select tasker_test.parent();
select ok(tasker.resolve_step_manually(tasker_test.the_step('kid')), 'a person completes the step whose task has failed');
select tasker_test.fire_notes();

select ok(tasker.reset_task(tasker_test.child()), 'a person resets the failed task');
select tasker_test.run('a');
select tasker_test.fire_notes();
select is((select count(*) from tasker.tasks as t where t.depth = 2), 1::bigint, 'the task starts its own');
select is_empty($$ select * from tasker.check_integrity() $$, 'every invariant holds');

select * from finish();
rollback;
