begin;
select plan(5);

select tasker_test.create_task();
select throws_ok(
  $$ select tasker.complete_step_by_name(tasker_test.the_task(), 'buttom', '{}') $$,
  'TK404', format('task %s has no step "buttom"', tasker_test.the_task()), 'an unknown name is refused'
);
select throws_ok(
  $$ select tasker.complete_step_by_name(tasker_test.the_task(), null, '{}') $$,
  'TK404', format('task %s has no step ""', tasker_test.the_task()), 'a null name is refused'
);
select throws_ok(
  $$ select tasker.complete_step_by_name('01980000-0000-7000-8000-000000000000', 'top', '{}') $$,
  'TK404', 'task 01980000-0000-7000-8000-000000000000 does not exist', 'an unknown task is refused'
);
select tasker.cancel_task(tasker_test.the_task());
select throws_ok(
  $$ select tasker.complete_step_by_name(tasker_test.the_task(), 'top', '{}') $$,
  'TK409', format('step %s is cancelled, its task cancelled: event CompleteManually does not apply', tasker_test.the_step('top')), 'a task that has ended is refused'
);
select throws_ok(
  $$ select tasker_test.call_as('tasker_worker', 'select tasker.complete_step_by_name(tasker_test.the_task(), ''top'', ''{}'')') $$,
  '42501', 'permission denied for function complete_step_by_name', 'a worker may not call it'
);

select * from finish();
rollback;
