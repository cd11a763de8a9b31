begin;
select plan(5);

select tasker_test.family('{"task": {"name": "child", "abandon": true}}');
select tasker.fire_due_timers();
select tasker.cancel_task(tasker_test.parent());
select tasker.fire_due_timers();
select is(tasker_test.family_states(), 'cancelled cancelled: steps_in_process enqueued pending', 'an abandoned child is not cancelled with its parent');
select is_empty($$ select * from tasker_test.family_violations() $$, 'no note is left');
select tasker_test.child();
select tasker_test.run('a', 'b');
select is(tasker.fire_due_timers(), 1, 'the end of the child is noted');
select is(tasker_test.family_states(), 'cancelled cancelled: complete complete complete', 'the end of the child changes nothing in the parent');
select is_empty($$ select * from tasker_test.family_violations() $$, 'every invariant holds');

select * from finish();
rollback;
