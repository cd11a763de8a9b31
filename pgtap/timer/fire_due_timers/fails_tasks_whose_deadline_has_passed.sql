begin;
select plan(9);

select tasker_test.freeze();
select tasker_test.create_task(p_deadline => tasker.clock() + interval '1 hour');
select tasker_test.run('top');
select tasker_test.claim('left');

select tasker_test.pass('59 minutes');
select is(tasker.fire_due_timers(), 0, 'before its deadline a task is left');
select tasker_test.pass('1 minute');
select is(tasker.fire_due_timers(), 1, 'then its time is up');
select is(tasker_test.states(), 'error: top=complete left=error right=error bottom=pending', 'it has failed');
select is(tasker_test.last_entry(), 'Timeout by - for its deadline has passed', 'the log says why, and that nobody did it');
select is(tasker_test.last_entry('left'), 'Fail by - for -', 'once, not again for each step');
select is(
  (select s.last_error from tasker.workflow_steps as s where s.name = 'left' and s.task_uuid = tasker_test.the_task()),
  'its deadline has passed', 'though each step knows it'
);
select is(tasker_test.finish('left'), 'stale', 'a late result is refused');
select is(tasker.fire_due_timers(), 0, 'the same call again fires nothing');
select is_empty('select tasker_test.violations()', 'and every invariant holds');

select * from finish();
rollback;
