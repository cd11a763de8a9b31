begin;
select plan(5);

select tasker_test.family('{"task": {"name": "child", "abandon": true}}');
select tasker.fire_due_timers();
select tasker.cancel_task(tasker_test.parent());
select tasker.fire_due_timers();
select is(tasker_test.family_states(), 'cancelled cancelled: steps_in_process enqueued pending', 'it is not cancelled');
select is_empty($$ select * from tasker_test.family_violations() $$, 'nothing is noted');
select tasker_test.child();
select tasker_test.run('a', 'b');
select is(tasker.fire_due_timers(), 1, 'its end is noted');
select is(tasker_test.family_states(), 'cancelled cancelled: complete complete complete', 'and changes nothing');
select is_empty($$ select * from tasker_test.family_violations() $$, 'every invariant holds');

select * from finish();
rollback;
