begin;
select plan(1);

select throws_ok(
  'select tasker.setup_cron()', 'TK404', 'pg_cron is not installed in this database', 'a database without pg_cron is refused'
);

select * from finish();
rollback;
