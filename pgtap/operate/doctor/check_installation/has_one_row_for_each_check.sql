begin;
select plan(3);

select results_eq(
  'select name from tasker.check_installation()',
  $$
  values ('server'), ('durability'), ('isolation'), ('roles'), ('timeouts'), ('partitions'), ('pgmq'), ('pg_cron'), ('pg_partman'),
         ('snapshots'), ('autovacuum'), ('locks'), ('wakeups'), ('duties'), ('schedules'), ('types'), ('sql steps'), ('timers'), ('tokens'), ('objects'), ('queues'), ('settings')
  $$,
  'there is one row for each check, always in this order'
);
select is_empty(
  $$
  select name
    from tasker.check_installation()
   where (status in ('ok', 'warn', 'fail')) is not true
      or message is null
      or (status = 'ok') is distinct from (hint is null)
  $$,
  'each row has a status and a message, and a hint unless it is ok'
);
select is(
  (select message from tasker.check_installation() where name = 'pgmq'),
  case tasker.pgmq_kind()
    when 'own' then 'pgtasker''s own schema pgmq is in use'
    else format('the extension pgmq %s is in use', (select e.extversion from pg_extension as e where e.extname = 'pgmq'))
  end,
  'the finding pgmq names the implementation in use'
);

select * from finish();
rollback;
