begin;
select plan(1);

select tasker_test.take_turn();

select tasker_test.register_diamond();
create temporary table made as select * from tasker.create_task('test', 'diamond');
select is(
  (select t.correlation_id from made as m cross join lateral tasker.get_task(m.task_uuid) as t),
  (select m.task_uuid from made as m), 'the task begins its own trace'
);

select * from finish();
rollback;
