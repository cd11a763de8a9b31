begin;
select plan(5);

select tasker_test.start_year('2050-01-20 12:00+00', '1 month', '90 days');

select results_eq(
  $$ select partition_unit, premake, retention, backend from tasker.setup_partitioning(p_premake => 4) $$,
  $$ values ('month', 4, interval '90 days', 'builtin') $$,
  'premake alone'
);
select results_eq(
  $$ select partition_unit, premake, retention, ahead from tasker.setup_partitioning(p_retention => '30 days') $$,
  $$ values ('month', 4, interval '30 days', 4) $$,
  'retention alone; the ranges of before are there'
);
select tasker_test.remember_rows();
select lives_ok('select tasker.setup_partitioning()', 'nothing at all');
select lives_ok(
  $$ select tasker.setup_partitioning('1 month', 4, '30 days', 'builtin') $$,
  'the same once more'
);
select is_empty('select tasker_test.changed_tables()', 'changes nothing');

select * from finish();
rollback;
