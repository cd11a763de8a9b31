begin;
select plan(5);

select tasker_test.start_year('2050-01-20 12:00+00', '1 month', '90 days');

select results_eq(
  $$ select partition_unit, premake, retention, backend from tasker.setup_partitioning(p_premake => 4) $$,
  $$ values ('month', 4, interval '90 days', 'builtin') $$,
  'premake can be changed alone'
);
select results_eq(
  $$ select partition_unit, premake, retention, ahead from tasker.setup_partitioning(p_retention => '30 days') $$,
  $$ values ('month', 4, interval '30 days', 4) $$,
  'retention can be changed alone, and the ranges ahead stay'
);
select tasker_test.remember_rows();
select lives_ok('select tasker.setup_partitioning()', 'a call without arguments raises no error');
select lives_ok(
  $$ select tasker.setup_partitioning('1 month', 4, '30 days', 'builtin') $$,
  'a call with the current values raises no error'
);
select is_empty('select tasker_test.changed_tables()', 'neither call changes a table');

select * from finish();
rollback;
