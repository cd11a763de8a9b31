begin;
select plan(4);

select tasker_test.take_turn();
select tasker_test.open_shop();
select tasker_test.create_sql('gone', '[{"name": "a", "sql": "test_shop.note"}, {"name": "b", "sql": "test_shop.fail"}]') as task \gset
select results_eq(
  $$ select f.function, f.role, f.templates, f.problem from tasker.list_sql_functions('test') as f $$,
  $$ values ('test_shop.fail', 'test_shop_steps', 1::bigint, null), ('test_shop.note', 'test_shop_steps', 1, null) $$, 'functions without a problem'
);
select is((select d.status from tasker.check_installation() as d where d.name = 'sql steps'), 'ok', 'the doctor has nothing to say');
drop function test_shop.note;
revoke execute on function test_shop.fail from public;
select results_eq(
  $$ select f.problem from tasker.list_sql_functions('test') as f $$,
  $$ values ('role "test_shop_steps", which the SQL steps of namespace "test" run as, may not execute test_shop.fail(jsonb)'), ('function test_shop.note(jsonb) does not exist') $$,
  'a function that was dropped, and one whose right is gone'
);
select is((select d.status from tasker.check_installation() as d where d.name = 'sql steps'), 'warn', 'the doctor says so');

select * from finish();
rollback;
