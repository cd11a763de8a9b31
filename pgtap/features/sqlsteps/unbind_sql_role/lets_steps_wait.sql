begin;
select plan(5);

select tasker_test.take_turn();
select tasker_test.open_shop();
select tasker_test.create_sql('waits', '[{"name": "a", "sql": "test_shop.note"}]') as task \gset
select is(tasker.unbind_sql_role('test'), true, 'a role was bound');
select is(tasker.unbind_sql_role('test'), false, 'none is left');
select is((select r.more from tasker.run_sql_steps(10) as r), false, 'its steps wait');
select ok((select e.summary like '%It cannot: no role is bound for the SQL steps of namespace "test".%' from tasker.explain_step(tasker_test.step(:'task', 'a')) as e), 'explain_step says why');
select tasker.bind_sql_role('test', 'test_shop_steps');
select is((select r.completed from tasker.run_sql_steps(10) as r), 1, 'they run when a role is bound again');

select * from finish();
rollback;
