begin isolation level repeatable read;
select plan(1);

select throws_ok(
  $$ select tasker.claim_task_for_finalization(null, '00000000-0000-0000-0000-00000000000a') $$, 'TK409',
  'this function does not run in a transaction of isolation level repeatable read', 'REPEATABLE READ is refused'
);

select * from finish();
rollback;
