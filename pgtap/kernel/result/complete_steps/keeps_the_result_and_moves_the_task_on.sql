begin;
select plan(13);

select tasker_test.freeze();
select tasker_test.launch();
select from tasker_test.claim();
select results_eq(
  $$ select a.step_uuid, a.claim_no, a.answer::text, a.next_retry_at from tasker.complete_steps(array[tasker_test.the_step('top')], '{1}', array['{"n": 1}']::jsonb[], '{250}') as a $$,
  $$ values (tasker_test.the_step('top'), 1, 'completed', null::timestamptz) $$, 'the result is accepted'
);
select is(tasker_test.the_steps(), 'top complete, left enqueued, right enqueued, bottom pending', 'the children are enqueued');
select results_eq(
  $$ select s.results, s.processed_at = tasker.clock(), s.lease_until from tasker.workflow_steps as s where s.workflow_step_uuid = tasker_test.the_step('top') $$,
  $$ values ('{"n": 1}'::jsonb, true, null::timestamptz) $$, 'the result is stored'
);
select is(tasker_test.the_state(), 'steps_in_process', 'the task continues');
select from tasker_test.claim();
select is(tasker_test.complete('left'), 'completed', 'the result of the first parent is accepted');
select is(tasker_test.the_steps(), 'top complete, left complete, right in_progress, bottom pending', 'a join waits for both parents');
select is(tasker_test.complete('right'), 'completed', 'the result of the second parent is accepted');
select is(tasker_test.the_steps(), 'top complete, left complete, right complete, bottom enqueued', 'the join is enqueued');
select from tasker_test.claim();
select is(tasker_test.complete('bottom'), 'completed', 'the last result is accepted');
select is(tasker_test.the_state(), 'complete', 'the task completes');
select is((select t.completed_at = tasker.clock() from tasker.tasks as t where t.task_uuid = tasker_test.the_task()), true, 'completed_at is the time of the call');
select is_empty($$ select from tasker.step_queue as q where q.task_uuid = tasker_test.the_task() $$, 'the queue is empty');
select is_empty('select tasker_test.violations()', 'every invariant holds');

select * from finish();
rollback;
