begin;
select plan(3);

select tasker_test.take_turn();

select tasker.register_task_template('{"namespace": "test", "name": "nothing", "steps": []}');
create temporary table made as select * from tasker.create_task('test', 'nothing');
select is_empty(
  $$ select s.name from made as m cross join lateral tasker.list_steps(m.task_uuid) as s $$,
  'it returns no row for a task without steps'
);
select throws_ok(
  $$ select tasker.list_steps('01900000-0000-7000-8000-000000000000') $$,
  'TK404', 'task 01900000-0000-7000-8000-000000000000 does not exist', 'an unknown task is refused'
);
select throws_ok($$ select tasker.list_steps(null) $$, 'TK404', 'task null does not exist', 'a null task is refused');

select * from finish();
rollback;
