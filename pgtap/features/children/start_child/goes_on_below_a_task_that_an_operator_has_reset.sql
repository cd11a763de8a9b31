begin;
select plan(7);

select tasker_test.freeze();
select tasker_test.family('{}', '{"on_failure": "fail", "steps": [{"name": "a", "retry": {"max_attempts": 1}}, {"name": "grandkid", "dependencies": ["a"], "task": {"name": "leaf"}}]}');
select tasker_test.register('leaf', 'l');
select tasker_test.fire_notes();
select tasker_test.child();
select tasker_test.claim('a');
select tasker_test.fail_for_good('a');
select tasker_test.fire_notes();
select is(tasker_test.family_states(), 'blocked_by_failures error: error error pending', 'the child has failed, and the parent is blocked by it');

select ok(tasker.reset_task(tasker_test.child()), 'an operator resets the child, not the parent');
select tasker_test.run('a');
select tasker_test.fire_notes();
select is((select count(*) from tasker.tasks as t where t.depth = 2), 1::bigint, 'the child starts its own task');
select set_config('tasker_test.task', t.task_uuid::text, true) from tasker.tasks as t where t.depth = 2;
select tasker_test.run('l');
select tasker_test.fire_notes();
select is(tasker_test.family_states(), 'blocked_by_failures error: complete complete complete', 'the child completes');
select is_empty($$ select * from tasker.check_integrity() $$, 'every invariant holds');

select ok(tasker.reset_task(tasker_test.parent()), 'the parent is reset');
select tasker_test.fire_notes();
select matches(tasker_test.family_states(), 'complete: complete complete', 'the parent takes the child''s result');

select * from finish();
rollback;
