begin;
select plan(5);

select tasker_test.freeze();
select tasker_test.create_task();
select tasker_test.run('top');
select tasker_test.claim('left');

select ok(tasker.cancel_task(tasker_test.the_task()), 'cancel_task returns true');
select is(
  tasker_test.states(), 'cancelled: top=complete left=cancelled right=cancelled bottom=cancelled',
  'complete steps stay complete, and all other steps are cancelled'
);
select is_empty('select from tasker.step_queue where task_uuid = tasker_test.the_task()', 'the queue is empty');
select results_eq(
  $$ select completed_at from tasker.get_task(tasker_test.the_task()) $$, 'select tasker.clock()',
  'completed_at is the time of the call'
);
select is_empty('select tasker_test.violations()', 'every invariant holds');

select * from finish();
rollback;
