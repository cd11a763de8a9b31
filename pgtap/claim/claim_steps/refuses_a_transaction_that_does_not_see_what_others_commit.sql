begin isolation level repeatable read;
select plan(2);

select throws_ok(
  $$ select tasker.claim_steps(null, gen_random_uuid()) $$,
  'TK409', 'this function does not run in a transaction of isolation level repeatable read', 'a claim judges what is there now'
);
select throws_ok(
  $$ select tasker.claim_step(gen_random_uuid(), gen_random_uuid()) $$,
  'TK409', 'this function does not run in a transaction of isolation level repeatable read', 'so does a claim by name'
);

select * from finish();
rollback;
