begin;
select plan(3);

select tasker_test.take_turn();
select tasker_test.remember_rows();
select is_empty('select tasker.apply_retention()', 'no range is returned');
select is_empty('select tasker_test.changed_tables()', 'no table is changed');
select is_empty(
  $$ select from pg_locks as l where l.pid = pg_backend_pid() and l.mode = 'AccessExclusiveLock' and l.relation = 'tasker.tasks'::regclass $$,
  'no exclusive lock is taken on tasks'
);

select * from finish();
rollback;
