begin;
select plan(4);

select tasker_test.freeze('2026-11-22 12:00:00+00');
select tasker_test.create_task(p_deadline => '2026-11-22 13:00:00+00');
select tasker_test.run('top', 'left', 'right', 'bottom');
select ok(tasker.rerun_step(tasker_test.the_step('bottom'), 'wrong'), 'a step runs again before the deadline');
select is(
  (select m.due_at from tasker.timers as m where m.task_uuid = tasker_test.the_task() and m.kind = 'task_deadline'),
  '2026-11-22 13:00:00+00', 'the deadline is set again'
);
select tasker_test.run('bottom');
select tasker_test.pass('2 hours');
select ok(tasker.rerun_step(tasker_test.the_step('bottom'), 'wrong'), 'a step runs again after the deadline');
select is_empty(
  $$ select from tasker.timers as m where m.task_uuid = tasker_test.the_task() and m.kind = 'task_deadline' $$,
  'a deadline that has passed no longer counts'
);

select * from finish();
rollback;
