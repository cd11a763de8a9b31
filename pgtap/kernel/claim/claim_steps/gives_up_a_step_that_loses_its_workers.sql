begin;
select plan(9);

select tasker_test.freeze();
select tasker.set_setting('max_lost', '2');
select tasker_test.register('pair', 'poison', 'innocent', 'after poison');
select tasker_test.launch('pair');
select from tasker_test.claim();
select tasker_test.complete('innocent');
select tasker_test.pass('1 minute');
select results_eq('select c.claim_no, c.attempt, c.lost_count from tasker_test.claim() as c', $$ values (2, 1, 1) $$, 'the step is claimed again after its first loss');
select tasker_test.pass('1 minute');
select results_eq('select c.claim_no, c.attempt, c.lost_count from tasker_test.claim() as c', $$ values (3, 1, 2) $$, 'the step is claimed again after its second loss');
select tasker_test.pass('1 minute');
select is_empty('select from tasker_test.claim()', 'the step is not claimed again after its third loss');
select is(tasker_test.the_steps(), 'poison error, innocent complete, after pending', 'the step has failed for good');
select is(tasker_test.the_state(), 'blocked_by_failures', 'the task is blocked');
select is((select s.last_error from tasker.workflow_steps as s where s.workflow_step_uuid = tasker_test.the_step('poison')), 'its worker was lost 3 times', 'the error of the step says how often its worker was lost');
select results_eq(
  $$ select l.event, l.worker_uuid from tasker.workflow_step_transition_log as l where l.task_uuid = tasker_test.the_task() and l.step_no = 1 order by l.sort_key desc limit 2 $$,
  $$ values ('Fail', null), ('EnqueueForOrchestration', tasker_test.worker()) $$, 'the log names the last worker'
);
select is(tasker_test.complete('poison'), 'stale', 'a late result is stale');
select is_empty('select tasker_test.violations()', 'every invariant holds');

select * from finish();
rollback;
