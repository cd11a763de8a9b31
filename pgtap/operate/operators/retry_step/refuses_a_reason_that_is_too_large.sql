begin;
select plan(2);

select tasker_test.take_turn();
select tasker.set_setting('result_bytes', '2000');
select tasker_test.make_task_in('blocked_by_failures');

select tasker_test.remember_rows();
select throws_ok(
  $$ select tasker.retry_step(tasker_test.the_step('top'), repeat('x', 3000)) $$,
  'TK413', 'the reason is longer than 1000 characters', 'a reason that is too long is refused'
);
select is_empty('select tasker_test.changed_tables()', 'no table is changed');

select * from finish();
rollback;
