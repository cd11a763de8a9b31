begin;
select plan(7);

select tasker_test.freeze();
select tasker_test.launch();
select from tasker_test.claim(10, 1);
select tasker_test.pass('59 seconds');
select is_empty('select from tasker_test.claim(10, 2)', 'the step is not recovered before its lease has ended');
select tasker_test.pass('1 second');
select results_eq(
  'select c.name, c.claim_no, c.attempt, c.lost_count from tasker_test.claim(10, 2) as c', $$ values ('top', 2, 1, 1) $$, 'another worker gets it after that'
);
select results_eq(
  $$ select l.event, l.claim_no, l.worker_uuid from tasker.workflow_step_transition_log as l where l.task_uuid = tasker_test.the_task() order by l.sort_key $$,
  $$ values ('Enqueue', 0, null), ('Start', 1, tasker_test.worker(1)), ('LeaseExpired', 1, tasker_test.worker(1)), ('Start', 2, tasker_test.worker(2)) $$,
  'the log names the lost worker'
);
select is((select a.answer::text from tasker.complete_steps(array[tasker_test.the_step('top')], '{1}') as a), 'stale', 'a late result is stale');
select is(tasker_test.complete('top'), 'completed', 'the result of the new worker is accepted');
select is(tasker_test.the_state(), 'steps_in_process', 'the task continues');
select is_empty('select tasker_test.violations()', 'every invariant holds');

select * from finish();
rollback;
