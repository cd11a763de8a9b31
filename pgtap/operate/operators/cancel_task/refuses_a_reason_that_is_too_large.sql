begin;
select plan(2);

select tasker_test.take_turn();
select tasker.set_setting('result_bytes', '2000');
select tasker_test.create_task();

select tasker_test.remember_rows();
select throws_ok(
  $$ select tasker.cancel_task(tasker_test.the_task(), repeat('x', 3000)) $$,
  'TK413', 'the reason is longer than 1000 characters', 'a reason that is too long is refused'
);
select is_empty('select tasker_test.changed_tables()', 'no table is changed');

select * from finish();
rollback;
