begin isolation level repeatable read;
select plan(2);

select throws_ok(
  $$ select tasker.mark_sleeping(gen_random_uuid(), '{tasker_task_events}') $$,
  'TK409', 'this function does not run in a transaction of isolation level repeatable read', 'mark_sleeping refuses REPEATABLE READ'
);
select throws_ok(
  $$ select tasker.open_writers() $$,
  'TK409', 'this function does not run in a transaction of isolation level repeatable read', 'open_writers refuses REPEATABLE READ'
);

select * from finish();
rollback;
