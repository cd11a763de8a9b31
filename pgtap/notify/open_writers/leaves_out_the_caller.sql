begin;
select plan(4);

select ok(
  not pg_current_xact_id()::text::bigint = any (tasker.open_writers()),
  'nobody waits for himself'
);
select is(tasker.open_writers('{}'), '{}', 'of none none is open');
select is(tasker.open_writers(array[3, null]), '{}', 'what ended long ago is not open');
select is(
  tasker.open_writers(array[pg_current_xact_id()::text::bigint + 1000000]), array[pg_current_xact_id()::text::bigint + 1000000],
  'what has not begun has not ended'
);

select * from finish();
rollback;
