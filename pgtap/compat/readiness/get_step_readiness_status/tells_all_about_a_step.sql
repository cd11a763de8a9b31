begin;
select plan(2);

select tasker_test.freeze(date_trunc('hour', now()));
select tasker.set_setting('backoff_jitter', '0');
select tasker_test.start_task();
select tasker_test.complete_step(tasker_test.the_step('top'));
select tasker_test.pass('1 minute');
select tasker_test.move_step(tasker_test.the_step('left'), 'enqueued', 'in_progress');
select tasker_test.pass('1 minute');
select tasker_test.fail_step(tasker_test.the_step('left'), '{"error": "no"}');
select tasker_test.move_step(tasker_test.the_step('left'), 'waiting_for_retry');

select results_eq(
  format('select r.* from tasker.get_step_readiness_status(tasker_test.the_task(), array[%L::uuid]) as r', tasker_test.the_step('left')),
  $$
  select tasker_test.the_step('left'), tasker_test.the_task(), s.named_step_uuid, 'left', 'waiting_for_retry'::tasker.step_state,
         true, true, false, date_trunc('hour', now()) + interval '120 seconds', date_trunc('hour', now()) + interval '122 seconds', 1, 1, 1, 3,
         null::integer, date_trunc('hour', now()) + interval '60 seconds', 2::numeric, 'backoff_not_expired'
    from tasker.workflow_steps as s
   where s.task_uuid = tasker_test.the_task() and s.name = 'left'
  $$,
  'every column'
);
select results_eq(
  $$ select r.name from tasker.get_step_readiness_status(tasker_test.the_task()) as r $$,
  $$ values ('top'), ('left'), ('right'), ('bottom') $$,
  'by step number'
);

select * from finish();
rollback;
