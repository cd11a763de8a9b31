begin;
select plan(3);

select results_eq(
  'select name from tasker.check_installation()',
  $$
  values ('server'), ('durability'), ('isolation'), ('roles'), ('timeouts'), ('partitions'), ('pgmq'), ('pg_cron'), ('pg_partman'),
         ('snapshots'), ('autovacuum'), ('locks'), ('wakeups'), ('schedules'), ('settings')
  $$,
  'one row for each thing, always in this order'
);
select is_empty(
  $$
  select name
    from tasker.check_installation()
   where status not in ('ok', 'warn', 'fail')
      or message is null
      or (status = 'ok') <> (hint is null)
  $$,
  'each has a status and a message, and a hint unless it is ok'
);
select is(
  (select message from tasker.check_installation() where name = 'pgmq'),
  case tasker.pgmq_kind()
    when 'own' then 'pgtasker''s own schema pgmq is in use'
    else format('the extension pgmq %s is in use', (select e.extversion from pg_extension as e where e.extname = 'pgmq'))
  end,
  'what serves as pgmq is told'
);

select * from finish();
rollback;
