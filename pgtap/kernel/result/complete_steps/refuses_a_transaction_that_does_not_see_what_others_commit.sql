begin isolation level repeatable read;
select plan(7);

select throws_ok(
  $$ select tasker.complete_steps('{}', '{}') $$,
  'TK409', 'this function does not run in a transaction of isolation level repeatable read', 'complete_steps refuses repeatable read'
);
select throws_ok(
  $$ select tasker.fail_steps('{}', '{}', '{}') $$,
  'TK409', 'this function does not run in a transaction of isolation level repeatable read', 'fail_steps refuses repeatable read'
);
select throws_ok(
  $$ select tasker.exchange_steps(gen_random_uuid()) $$,
  'TK409', 'this function does not run in a transaction of isolation level repeatable read', 'exchange_steps refuses repeatable read'
);
select throws_ok(
  $$ select tasker.extend_leases('{}', '{}') $$,
  'TK409', 'this function does not run in a transaction of isolation level repeatable read', 'extend_leases refuses repeatable read'
);
select throws_ok(
  $$ select tasker.checkpoint_step(gen_random_uuid(), 1, '{}') $$,
  'TK409', 'this function does not run in a transaction of isolation level repeatable read', 'checkpoint_step refuses repeatable read'
);
select throws_ok(
  $$ select tasker.release_steps('{}', '{}') $$,
  'TK409', 'this function does not run in a transaction of isolation level repeatable read', 'release_steps refuses repeatable read'
);
select throws_ok(
  $$ select tasker.process_step_results() $$,
  'TK409', 'this function does not run in a transaction of isolation level repeatable read', 'process_step_results refuses repeatable read'
);

select * from finish();
rollback;
