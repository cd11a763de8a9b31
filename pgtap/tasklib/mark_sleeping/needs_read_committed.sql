begin isolation level repeatable read;
select plan(2);

select throws_ok(
  $$ select tasklib.mark_sleeping('w1', '{tap.one}') $$,
  'TK409', 'this function does not run in a transaction of isolation level repeatable read', 'mark_sleeping is refused at repeatable read'
);
select throws_ok(
  $$ select tasklib.open_writers() $$,
  'TK409', 'this function does not run in a transaction of isolation level repeatable read', 'open_writers is refused at repeatable read'
);

select * from finish();
rollback;
