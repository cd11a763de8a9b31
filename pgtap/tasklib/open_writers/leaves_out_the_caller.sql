begin;
select plan(4);

select ok(
  not pg_current_xact_id()::text::bigint = any (tasklib.open_writers()),
  'the caller''s own transaction is left out'
);
select is(tasklib.open_writers('{}'), '{}', 'an empty list returns an empty list');
select is(tasklib.open_writers(array[3, null]), '{}', 'transactions that have ended and nulls are left out');
select is(
  tasklib.open_writers(array[pg_current_xact_id()::text::bigint + 1000000]), array[pg_current_xact_id()::text::bigint + 1000000],
  'a transaction that has not begun counts as open'
);

select * from finish();
rollback;
