begin;
select plan(3);

select tasker_test.take_turn();

select tasker_test.register_diamond();
create temporary table made as select * from tasker.create_task('test', 'diamond', p_deferred => true, p_priority => 5);

select is((select t.state from made as m cross join lateral tasker.get_task(m.task_uuid) as t), 'pending', 'the task has not started');
select is(
  (select w.priority from made as m join tasker.waiting_tasks as w on w.task_uuid = m.task_uuid), 5,
  'waiting_tasks has the task with its priority'
);
select is_empty($$ select v from made as m cross join lateral tasker_test.violations(m.task_uuid) as v $$, 'every invariant holds');

select * from finish();
rollback;
