begin;
select plan(3);

select is(tasker.clock(), statement_timestamp(), 'it returns the time at which the statement began');
select is(
  (select count(distinct tasker.clock()) from (select pg_sleep(0.01) from generate_series(1, 3)) as s),
  1::bigint,
  'it returns one time during a whole statement'
);
select ok(tasker.clock() > now(), 'it advances within a transaction');

select * from finish();
rollback;
