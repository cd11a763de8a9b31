begin isolation level repeatable read;
select plan(7);

select throws_ok(
  $$ select tasker.complete_steps('{}', '{}') $$,
  'TK409', 'this function does not run in a transaction of isolation level repeatable read', 'results'
);
select throws_ok(
  $$ select tasker.fail_steps('{}', '{}', '{}') $$,
  'TK409', 'this function does not run in a transaction of isolation level repeatable read', 'failures'
);
select throws_ok(
  $$ select tasker.exchange_steps(gen_random_uuid()) $$,
  'TK409', 'this function does not run in a transaction of isolation level repeatable read', 'exchanges'
);
select throws_ok(
  $$ select tasker.extend_leases('{}', '{}') $$,
  'TK409', 'this function does not run in a transaction of isolation level repeatable read', 'renewals'
);
select throws_ok(
  $$ select tasker.checkpoint_step(gen_random_uuid(), 1, '{}') $$,
  'TK409', 'this function does not run in a transaction of isolation level repeatable read', 'checkpoints'
);
select throws_ok(
  $$ select tasker.release_steps('{}', '{}') $$,
  'TK409', 'this function does not run in a transaction of isolation level repeatable read', 'releases'
);
select throws_ok(
  $$ select tasker.process_step_results() $$,
  'TK409', 'this function does not run in a transaction of isolation level repeatable read', 'and what an orchestrator does with them'
);

select * from finish();
rollback;
