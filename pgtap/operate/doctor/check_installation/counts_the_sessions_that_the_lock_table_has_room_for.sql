begin;
select plan(3);

select tasker_test.take_turn();
prepare expected as
  select format(
    'room for %s sessions at once, each with %s locks, or for %s that have just connected: the first call of each holds %s',
    p.pool / n.each, n.each, p.pool / n.first, n.first
  )
  from (
    select current_setting('max_locks_per_transaction')::integer * (
      current_setting('max_connections')::integer + current_setting('max_prepared_transactions')::integer
    ) as pool
  ) as p
 cross join (
   select 29 + 10 * count(*) as each, 46 + 30 * count(*) as first
     from tasker.partition_ranges
 ) as n;

select results_eq(
  $$ select message from tasker.check_installation() where name = 'locks' $$, 'expected',
  'the finding counts the sessions from the number of partitions'
);

insert into tasker.partition_ranges (starts_at, ends_at, suffix)
select make_timestamptz(2100, 1, 1, 0, 0, 0, 'UTC') + make_interval(days => n),
       make_timestamptz(2100, 1, 2, 0, 0, 0, 'UTC') + make_interval(days => n),
       'p' || 21000101 + n
  from generate_series(0, 999) as g (n);
select results_eq(
  $$ select message from tasker.check_installation() where name = 'locks' $$, 'expected',
  'the finding counts the sessions with a thousand more partitions'
);
select matches(
  (select hint from tasker.check_installation() where name = 'locks'),
  '^Raise max_locks_per_transaction from [0-9]+ to [0-9]+ ',
  'the hint says how large the setting has to be'
);

select * from finish();
rollback;
