begin isolation level repeatable read;
select plan(1);

select throws_ok(
  'select from tasker.orchestrate()', 'TK409',
  'this function does not run in a transaction of isolation level repeatable read', 'repeatable read is refused, because the call would not see what is due'
);

select * from finish();
rollback;
