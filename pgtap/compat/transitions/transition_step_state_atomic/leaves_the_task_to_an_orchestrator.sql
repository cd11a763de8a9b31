-- A direct call moves one step. What follows from it, an orchestrator decides: the task waits for one.
begin;
select plan(3);

select tasker_test.freeze('2050-01-20 12:00:00+00');
select tasker.ensure_partitions();
select tasker_test.start_task();
delete from tasker.timers where task_uuid = tasker_test.the_task();

prepare waiting as
  select m.due_at from tasker.timers as m where m.task_uuid = tasker_test.the_task() and m.kind = 'advance_task';

select tasker_test.complete_step(tasker_test.the_step('top'));
select results_eq(
  'waiting',
  $$ values (timestamptz '2050-01-20 12:00:00+00') $$, 'the task waits for an orchestrator since the first change'
);

select tasker_test.pass('1 minute');
select tasker_test.complete_step(tasker_test.the_step('left'));
select results_eq(
  'waiting',
  $$ values (timestamptz '2050-01-20 12:00:00+00') $$, 'a further change keeps its place'
);
select is_empty('select tasker_test.violations()', 'every invariant holds');

select * from finish();
rollback;
