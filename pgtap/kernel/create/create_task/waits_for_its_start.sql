begin;
select plan(4);

select tasker_test.freeze();

select tasker_test.register_diamond();
create temporary table made as
  select * from tasker.create_task('test', 'diamond', p_start_at => tasker.clock() + interval '1 day');

select is((select t.state from made as m cross join lateral tasker.get_task(m.task_uuid) as t), 'pending', 'the task has not started');
select results_eq(
  $$ select r.kind::text, r.due_at from made as m join tasker.timers as r on r.task_uuid = m.task_uuid $$,
  $$ values ('start_task', tasker.clock() + interval '1 day') $$, 'a timer is due at its start'
);
select is_empty(
  $$ select from made as m join tasker.step_queue as q on q.task_uuid = m.task_uuid $$, 'the queue is empty'
);
select is_empty($$ select v from made as m cross join lateral tasker_test.violations(m.task_uuid) as v $$, 'every invariant holds');

select * from finish();
rollback;
