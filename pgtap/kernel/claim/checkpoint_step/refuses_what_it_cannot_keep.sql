begin;
select plan(7);

select tasker_test.freeze();
select tasker_test.launch();
select from tasker_test.claim();
select tasker.set_setting('result_bytes', '10');
select tasker_test.remember_rows();
select throws_ok($$ select tasker.checkpoint_step(tasker_test.the_step('top'), 1, '"123456789"') $$, 'TK413', 'a checkpoint of 11 bytes is too large', 'a checkpoint that is a byte too large is refused');
select throws_ok($$ select tasker.checkpoint_step(tasker_test.the_step('top'), null, '{}') $$, 'TK422', 'steps and claim numbers do not match', 'a null claim number is refused');
select throws_ok($$ select tasker.checkpoint_step(null, 1, '{}') $$, 'TK422', 'steps and claim numbers do not match', 'a null step is refused');
select throws_ok($$ select tasker.checkpoint_step(tasker_test.the_step('top'), 1, '{}', 0) $$, 'TK422', 'a lease cannot last 0 seconds', 'a lease of zero seconds is refused');
select throws_ok(
  $$ select tasker.checkpoint_step('01980000-0000-7000-8000-000000000001', 1, '{}') $$,
  'TK404', 'step 01980000-0000-7000-8000-000000000001 does not exist', 'an unknown step is refused'
);
select is_empty('select tasker_test.changed_tables()', 'no table is changed');
select is(tasker.checkpoint_step(tasker_test.the_step('top'), 1, '"12345678"'), 'saved', 'a checkpoint of the largest size is saved');

select * from finish();
rollback;
