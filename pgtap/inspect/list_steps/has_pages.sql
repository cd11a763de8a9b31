begin;
select plan(6);

select tasker_test.take_turn();
select tasker_test.make_task() as task \gset
select results_eq(
  format($$ select s.step_no from tasker.list_steps(%L, p_limit => 2) as s $$, :'task'), '{1,2}'::integer[], 'the first page'
);
select results_eq(
  format($$ select s.step_no from tasker.list_steps(%L, 2, 2) as s $$, :'task'), '{3,4}'::integer[], 'the next begins after its last step'
);
select is_empty(format($$ select from tasker.list_steps(%L, 4, 2) $$, :'task'), 'nothing is after the last');
select results_eq(
  format($$ select s.step_no from tasker.list_steps(%L, 3) as s $$, :'task'), '{4}'::integer[], 'the rest, without a limit'
);
select throws_ok(format($$ select tasker.list_steps(%L, 0, 0) $$, :'task'), 'TK422', 'the limit is 0; it must be between 1 and 10,000', 'no rows are no page');
select throws_ok(format($$ select tasker.list_steps(%L, 0, 10001) $$, :'task'), 'TK422', 'the limit is 10001; it must be between 1 and 10,000', 'nor are too many');

select * from finish();
rollback;
