begin;
select plan(1);

select throws_ok(
  'select tasker.setup_cron()', 'TK404', 'pg_cron is not installed in this database', 'which is not in this database'
);

select * from finish();
rollback;
