begin;
select plan(6);

select tasker_test.take_turn();
select tasker_test.open_shop();
select tasker_test.create_sql('timed', '[{"name": "a", "sql": "test_shop.note", "timeout_seconds": 30}]') as task \gset
select is(tasker.begin_sql_step(), false, 'no step is alone yet');
select is((select r.put_off from tasker.run_sql_steps(10) as r), 1, 'a step with a time-out is put off');
select is((select r.completed from tasker.run_sql_steps(10) as r), 0, 'and does not run without its time-out');
select is(tasker.begin_sql_step(), true, 'it is chosen');
select is(current_setting('statement_timeout'), '30s', 'its time-out is that of the next statement');
select is((select r.completed from tasker.run_sql_steps(10) as r), 1, 'which runs it');

select * from finish();
rollback;
