begin isolation level repeatable read;
select plan(2);

select throws_ok(
  $$ select tasker.claim_steps(null, gen_random_uuid()) $$,
  'TK409', 'this function does not run in a transaction of isolation level repeatable read', 'claim_steps refuses repeatable read'
);
select throws_ok(
  $$ select tasker.claim_step(gen_random_uuid(), gen_random_uuid()) $$,
  'TK409', 'this function does not run in a transaction of isolation level repeatable read', 'claim_step refuses repeatable read'
);

select * from finish();
rollback;
