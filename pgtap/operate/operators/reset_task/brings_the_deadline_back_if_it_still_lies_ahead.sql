begin;
select plan(8);

select tasker_test.freeze();
select tasker_test.create_task(p_deadline => tasker.clock() + interval '1 day');
select tasker_test.claim('top');
select tasker_test.fail_for_good('top');
select tasker.give_up_task(tasker_test.the_task());
select is_empty('select from tasker.timers where task_uuid = tasker_test.the_task()', 'a failed task has no deadline timer');

select tasker.reset_task(tasker_test.the_task());
select results_eq(
  $$ select m.kind::text, m.due_at from tasker.timers as m where m.task_uuid = tasker_test.the_task() $$,
  $$ select 'task_deadline', tasker.clock() + interval '1 day' $$,
  'a reset task has its deadline timer again'
);
select tasker_test.pass('25 hours');
select is(tasker_test.orchestrate(), '0 requests, 1 timers, 0 tasks, 0 lost, 0 results', 'the deadline fires');
select is(tasker_test.states(), 'error: top=error left=pending right=pending bottom=pending', 'the task has failed at its deadline');

select ok(tasker.reset_task(tasker_test.the_task()), 'reset_task accepts the task again');
select is_empty('select from tasker.timers where task_uuid = tasker_test.the_task()', 'a deadline that has passed has no timer after a reset');
select tasker_test.run('top', 'left', 'right', 'bottom');
select is((select t.state::text from tasker.get_task(tasker_test.the_task()) as t), 'complete', 'the task completes');
select is_empty('select tasker_test.violations()', 'every invariant holds');

select * from finish();
rollback;
