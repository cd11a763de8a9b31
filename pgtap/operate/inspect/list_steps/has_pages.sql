begin;
select plan(6);

select tasker_test.take_turn();
select tasker_test.make_task() as task \gset
select results_eq(
  format($$ select s.step_no from tasker.list_steps(%L, p_limit => 2) as s $$, :'task'), '{1,2}'::integer[], 'p_limit limits the first page'
);
select results_eq(
  format($$ select s.step_no from tasker.list_steps(%L, 2, 2) as s $$, :'task'), '{3,4}'::integer[], 'the next page begins after the last step of the first'
);
select is_empty(format($$ select from tasker.list_steps(%L, 4, 2) $$, :'task'), 'a page after the last step is empty');
select results_eq(
  format($$ select s.step_no from tasker.list_steps(%L, 3) as s $$, :'task'), '{4}'::integer[], 'a page without a limit has the remaining steps'
);
select throws_ok(format($$ select tasker.list_steps(%L, 0, 0) $$, :'task'), 'TK422', 'the limit is 0; it must be between 1 and 10,000', 'a limit of 0 is refused');
select throws_ok(format($$ select tasker.list_steps(%L, 0, 10001) $$, :'task'), 'TK422', 'the limit is 10001; it must be between 1 and 10,000', 'a limit of 10,001 is refused');

select * from finish();
rollback;
