begin;
select plan(3);

select tasker_test.take_turn();

select tasker.register_task_template('{"namespace": "test", "name": "nothing", "steps": []}');
create temporary table made as
  select * from tasker.create_task('test', 'nothing', p_deadline => tasker.clock() + interval '1 hour');

select is(
  (select t.state from made as m cross join lateral tasker.get_task(m.task_uuid) as t), 'complete', 'a task without steps is complete at once'
);
select results_eq(
  $$ select l.event from made as m join tasker.task_transition_log as l on l.task_uuid = m.task_uuid order by l.sort_key $$,
  $$ values ('Start'), ('NoStepsFound') $$, 'the log shows its states'
);
select is_empty($$ select v from made as m cross join lateral tasker_test.violations(m.task_uuid) as v $$, 'every invariant holds');

select * from finish();
rollback;
