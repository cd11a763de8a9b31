begin;
select plan(7);

select tasker_test.take_turn();

select tasker_test.register_diamond();
create temporary table made as select * from tasker.create_task('test', 'diamond', '{"order": 7}');

select is((select m.created from made as m), true, 'the task is new');
select is(
  (select t.state from made as m join tasker.tasks as t on t.task_uuid = m.task_uuid),
  'steps_in_process', 'the task is in process'
);
select results_eq(
  $$ select s.name, s.state::text, s.pending_parents from made as m join tasker.workflow_steps as s on s.task_uuid = m.task_uuid order by s.step_no $$,
  $$ values ('top', 'enqueued', 0), ('left', 'pending', 1), ('right', 'pending', 1), ('bottom', 'pending', 2) $$,
  'the root is enqueued, and the other steps wait for their parents'
);
select results_eq(
  $$ select q.step_no, q.namespace, q.lane::text from made as m join tasker.step_queue as q on q.task_uuid = m.task_uuid $$,
  $$ values (1, 'test', 'normal') $$,
  'only the root has a queue row'
);
select results_eq(
  $$ select l.event, l.to_state::text from made as m join tasker.task_transition_log as l on l.task_uuid = m.task_uuid order by l.sort_key $$,
  $$ values ('Start', 'initializing'), ('ReadyStepsFound', 'enqueuing_steps'), ('StepsEnqueued', 'steps_in_process') $$,
  'the log has every state'
);
select is(
  (select t.context from made as m cross join lateral tasker.get_task(m.task_uuid) as t), '{"order": 7}',
  'the context is stored'
);
select is_empty($$ select v from made as m cross join lateral tasker_test.violations(m.task_uuid) as v $$, 'every invariant holds');

select * from finish();
rollback;
