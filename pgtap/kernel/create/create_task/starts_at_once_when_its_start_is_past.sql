begin;
select plan(1);

select tasker_test.take_turn();

select tasker_test.register_diamond();
create temporary table made as
  select * from tasker.create_task('test', 'diamond', p_start_at => tasker.clock() - interval '1 day');
select is(
  (select t.state from made as m cross join lateral tasker.get_task(m.task_uuid) as t),
  'steps_in_process', 'a task whose start is in the past starts at once'
);

select * from finish();
rollback;
