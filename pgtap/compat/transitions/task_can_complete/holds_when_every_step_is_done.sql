begin;
select plan(7);

select tasker_test.make_task_in('complete');
select ok(tasker.task_can_complete(tasker_test.the_task()), 'a task whose steps are all complete can complete');

select tasker_test.register('empty', variadic '{}');
select tasker_test.make_task('empty');
select ok(tasker.task_can_complete(tasker_test.the_task()), 'a task without steps can complete');

select tasker_test.start_task();
select ok(not tasker.task_can_complete(tasker_test.the_task()), 'a task with an enqueued step cannot complete');
select tasker_test.complete_step(tasker_test.the_step('top'));
select tasker_test.move_step(tasker_test.the_step('left'), 'resolved_manually');
select tasker_test.move_step(tasker_test.the_step('right'), 'cancelled');
select ok(not tasker.task_can_complete(tasker_test.the_task()), 'a task with a pending step cannot complete');
select tasker_test.move_step(tasker_test.the_step('bottom'), 'cancelled');
select ok(tasker.task_can_complete(tasker_test.the_task()), 'a task with resolved and cancelled steps can complete');

select tasker_test.start_task();
select tasker_test.move_step(tasker_test.the_step(s.name), 'cancelled')
  from (values ('left'), ('right'), ('bottom')) as s (name);
select tasker_test.fail_step(tasker_test.the_step('top'));
select ok(not tasker.task_can_complete(tasker_test.the_task()), 'a task with an unprocessed failure cannot complete');
select tasker_test.move_step(tasker_test.the_step('top'), 'error');
select ok(not tasker.task_can_complete(tasker_test.the_task()), 'a task with a failed step cannot complete');

select * from finish();
rollback;
