begin;
select plan(7);

select tasker_test.freeze();
select tasker_test.register('wide', 'a', 'b', 'c');
select tasker_test.launch('wide');
select from tasker_test.claim();
select tasker.checkpoint_step(tasker_test.the_step('a'), 1, '1');
select tasker_test.pass('10 seconds');
select results_eq(
  $$ select r.step_uuid, r.claim_no, r.answer::text, r.next_retry_at from tasker.release_steps(array[tasker_test.the_step('b'), tasker_test.the_step('a')], '{1,1}') as r $$,
  $$ values (tasker_test.the_step('b'), 1, 'released', null::timestamptz), (tasker_test.the_step('a'), 1, 'released', null) $$, 'each step is answered'
);
select is(tasker_test.the_steps(), 'a enqueued, b enqueued, c in_progress', 'the steps are in the queue again');
select is_empty('select tasker_test.violations()', 'every invariant holds');
select results_eq(
  $$ select s.attempts, s.claim_no, s.lost_count, s.checkpoint from tasker.workflow_steps as s where s.workflow_step_uuid = tasker_test.the_step('a') $$,
  $$ values (0, 1, 0, '1'::jsonb) $$, 'a release counts neither an attempt nor a loss, and keeps the checkpoint'
);
select results_eq(
  $$ select l.event, l.claim_no, l.worker_uuid from tasker.workflow_step_transition_log as l where l.task_uuid = tasker_test.the_task() and l.step_no = 1 order by l.sort_key desc limit 1 $$,
  $$ values ('Release', 1, tasker_test.worker()) $$, 'the log names the worker that released the step'
);
select tasker_test.launch('wide');
select set_eq(
  'select c.name, c.claim_no, c.attempt from generate_series(1, 2) as n cross join lateral tasker_test.claim(1 + 0 * n) as c',
  $$ values ('a', 2, 1), ('b', 2, 1) $$, 'released steps come before newer ones'
);
select is(tasker_test.the_state(), 'steps_in_process', 'the task continues');

select * from finish();
rollback;
