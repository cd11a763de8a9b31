begin isolation level repeatable read;
select plan(1);

select throws_ok(
  'select tasker.fire_due_timers()', 'TK409',
  'this function does not run in a transaction of isolation level repeatable read', 'repeatable read is refused, because the call would not see what has become due'
);

select * from finish();
rollback;
