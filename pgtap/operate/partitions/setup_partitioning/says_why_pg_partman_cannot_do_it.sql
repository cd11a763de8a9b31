begin;
select plan(3);

select tasker_test.start_year('2050-01-20 12:00+00', '1 month', '90 days');
-- The server may offer the extension, but this database does not have it.
set local client_min_messages = warning;
drop extension if exists pg_partman cascade;

select throws_ok(
  $$ select tasker.setup_partitioning(p_backend => 'pg_partman') $$,
  'TK409', 'pg_partman cannot create the partitions', 'pg_partman is refused when it is not installed'
);
select results_eq(
  $$ select backend, backend_reason from tasker.setup_partitioning(p_backend => 'auto') $$,
  $$ values ('builtin', 'pg_partman is not installed in this database') $$,
  '"auto" uses the built-in manager and returns why'
);
select results_eq(
  $$ select backend, backend_reason from tasker.setup_partitioning(p_backend => 'builtin') $$,
  $$ values ('builtin', 'the built-in manager is configured') $$,
  '"builtin" uses the built-in manager and returns why'
);

select * from finish();
rollback;
