begin;
select plan(4);

select ok(
  not pg_current_xact_id()::text::bigint = any (tasker.open_writers()),
  'it leaves out the caller''s own transaction'
);
select is(tasker.open_writers('{}'), '{}', 'it returns no transaction for an empty list');
select is(tasker.open_writers(array[3, null]), '{}', 'it leaves out null and transactions that have ended');
select is(
  tasker.open_writers(array[pg_current_xact_id()::text::bigint + 1000000]), array[pg_current_xact_id()::text::bigint + 1000000],
  'it returns a transaction that has not begun'
);

select * from finish();
rollback;
