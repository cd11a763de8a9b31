begin;
select plan(7);

select tasker_test.make_task_in('complete');
select ok(tasker.task_can_complete(tasker_test.the_task()), 'when all are complete');

select tasker_test.register('empty', variadic '{}');
select tasker_test.make_task('empty');
select ok(tasker.task_can_complete(tasker_test.the_task()), 'when there are none');

select tasker_test.start_task();
select ok(not tasker.task_can_complete(tasker_test.the_task()), 'not while one is enqueued');
select tasker_test.complete_step(tasker_test.the_step('top'));
select tasker_test.move_step(tasker_test.the_step('left'), 'resolved_manually');
select tasker_test.move_step(tasker_test.the_step('right'), 'cancelled');
select ok(not tasker.task_can_complete(tasker_test.the_task()), 'not while one is pending');
select tasker_test.move_step(tasker_test.the_step('bottom'), 'cancelled');
select ok(tasker.task_can_complete(tasker_test.the_task()), 'when some were resolved or cancelled');

select tasker_test.start_task();
select tasker_test.move_step(tasker_test.the_step(s.name), 'cancelled')
  from (values ('left'), ('right'), ('bottom')) as s (name);
select tasker_test.fail_step(tasker_test.the_step('top'));
select ok(not tasker.task_can_complete(tasker_test.the_task()), 'not while a failure is to be processed');
select tasker_test.move_step(tasker_test.the_step('top'), 'error');
select ok(not tasker.task_can_complete(tasker_test.the_task()), 'and not when one has failed for good');

select * from finish();
rollback;
