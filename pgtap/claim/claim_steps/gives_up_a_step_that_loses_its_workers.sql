begin;
select plan(9);

select tasker_test.freeze();
select tasker.set_setting('max_lost', '2');
select tasker_test.register('pair', 'poison', 'innocent', 'after poison');
select tasker_test.launch('pair');
select from tasker_test.claim();
select tasker_test.complete('innocent');
select tasker_test.pass('1 minute');
select results_eq('select c.claim_no, c.attempt, c.lost_count from tasker_test.claim() as c', $$ values (2, 1, 1) $$, 'lost once');
select tasker_test.pass('1 minute');
select results_eq('select c.claim_no, c.attempt, c.lost_count from tasker_test.claim() as c', $$ values (3, 1, 2) $$, 'twice');
select tasker_test.pass('1 minute');
select is_empty('select from tasker_test.claim()', 'and no more');
select is(tasker_test.the_steps(), 'poison error, innocent complete, after pending', 'it has failed for good');
select is(tasker_test.the_state(), 'blocked_by_failures', 'and its task waits for an operator');
select is((select s.last_error from tasker.workflow_steps as s where s.workflow_step_uuid = tasker_test.the_step('poison')), 'its worker was lost 3 times', 'who reads why');
select results_eq(
  $$ select l.event, l.worker_uuid from tasker.workflow_step_transition_log as l where l.task_uuid = tasker_test.the_task() and l.step_no = 1 order by l.sort_key desc limit 2 $$,
  $$ values ('Fail', null), ('EnqueueForOrchestration', tasker_test.worker()) $$, 'the log names the last worker'
);
select is(tasker_test.complete('poison'), 'stale', 'a late result is refused');
select is_empty('select tasker_test.violations()', 'and every invariant holds');

select * from finish();
rollback;
