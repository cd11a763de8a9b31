begin isolation level serializable;
select plan(2);

select throws_ok(
  $$ select tasker.complete_steps('{}', '{}') $$,
  'TK409', 'this function does not run in a transaction of isolation level serializable', 'complete_steps refuses serializable'
);
select throws_ok(
  $$ select tasker.claim_steps(null, gen_random_uuid()) $$,
  'TK409', 'this function does not run in a transaction of isolation level serializable', 'claim_steps refuses serializable'
);

select * from finish();
rollback;
