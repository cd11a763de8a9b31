-- Every transition of a task names the processor that made it: a worker with its result, an orchestrator with its call.
begin;
select plan(3);

select tasker_test.freeze();
select tasker_test.register('pair', 'a', 'b a');
select tasker_test.launch('pair');
select from tasker_test.claim(1, 1);
select tasker_test.complete('a');
select set_eq(
  $$ select l.processor_uuid from tasker.task_transition_log as l where l.task_uuid = tasker_test.the_task() and l.event in ('StepCompleted', 'AllStepsCompleted') $$,
  $$ values (tasker_test.worker(1)) $$, 'the log names the worker of a result'
);

select from tasker_test.claim(1, 2);
select tasker_test.fail('b');
select tasker_test.pass('1 hour');
select from tasker.orchestrate(10, '00000000-0000-0000-0000-0000000000e1');
select is(
  (select l.processor_uuid from tasker.task_transition_log as l where l.task_uuid = tasker_test.the_task() order by l.sort_key desc limit 1),
  '00000000-0000-0000-0000-0000000000e1'::uuid, 'the log names the orchestrator that fired a timer'
);
select is_empty('select tasker_test.violations()', 'every invariant holds');

select * from finish();
rollback;
