begin;
select plan(4);

select tasker_test.freeze();
select tasker_test.launch();
select tasker_test.remember_rows();
select throws_ok($$ select tasker.claim_delivered_steps('{}', null) $$, 'TK422', 'a claim names no worker', 'a null worker is refused');
select throws_ok($$ select tasker.claim_delivered_steps('{}', gen_random_uuid(), 0) $$, 'TK422', 'a lease cannot last 0 seconds', 'a lease of zero seconds is refused');
select throws_ok(
  $$ select tasker.claim_delivered_steps(array(select gen_random_uuid() from generate_series(1, 1001)), gen_random_uuid()) $$,
  'TK413', '1001 steps are too many for one call', 'too many steps are refused'
);
select is_empty('select tasker_test.changed_tables()', 'no table is changed');

select * from finish();
rollback;
