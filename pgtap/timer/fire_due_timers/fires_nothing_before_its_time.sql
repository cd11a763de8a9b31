begin;
select plan(3);

select tasker_test.freeze();
select tasker_test.create_task();
select tasker_test.run('top');
select tasker_test.claim('left');
select tasker_test.fail_for_good('left', false);
select tasker_test.freeze(m.due_at - interval '1 millisecond') from tasker.timers as m where m.task_uuid = tasker_test.the_task() and m.kind = 'retry_step';
select is(tasker.fire_due_timers(), 0, 'a retry is not fired a millisecond before it is due');
select tasker_test.pass('1 millisecond');
select is(tasker.fire_due_timers(), 1, 'it is fired when it is due');
select is_empty('select tasker_test.violations()', 'every invariant holds');

select * from finish();
rollback;
