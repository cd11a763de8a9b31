begin;
select plan(2);

select tasker_test.take_turn();
select tasker.set_setting('result_bytes', '2000');
select tasker_test.create_task();

select tasker_test.remember_rows();
select throws_ok(
  $$ select tasker.complete_step_manually(tasker_test.the_step('top'), to_jsonb(repeat('x', 3000))) $$,
  'TK413', 'results and metadata of 3015 bytes are too large', 'a result that is too large is refused'
);
select is_empty('select tasker_test.changed_tables()', 'no table is changed');

select * from finish();
rollback;
