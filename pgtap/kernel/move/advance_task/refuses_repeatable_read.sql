begin isolation level repeatable read;
select plan(1);

select throws_ok(
  'select tasker.advance_task(null)', 'TK409',
  'this function does not run in a transaction of isolation level repeatable read', 'REPEATABLE READ is refused'
);

select * from finish();
rollback;
