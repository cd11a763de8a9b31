begin;
select plan(10);

select tasker_test.take_turn();
select tasker_test.remember_rows();

select throws_ok(
  $$ select tasker.setup_partitioning('2 days') $$,
  'TK422', 'ranges cannot be 2 days long', 'ranges of two days are refused'
);
select throws_ok($$ select tasker.setup_partitioning('30 days') $$, 'TK422', 'ranges cannot be 30 days long', 'ranges of thirty days are refused');
select throws_ok($$ select tasker.setup_partitioning('-1 day') $$, 'TK422', 'ranges cannot be -1 days long', 'ranges of a negative length are refused');
select throws_ok(
  $$ select tasker.setup_partitioning(p_premake => 0) $$,
  'TK422', 'premake is 0; it must be between 1 and 100', 'a premake of 0 is refused'
);
select throws_ok($$ select tasker.setup_partitioning(p_premake => 101) $$, 'TK422', 'premake is 101; it must be between 1 and 100', 'a premake of more than 100 is refused');
select throws_ok(
  $$ select tasker.setup_partitioning(p_retention => '1 hour') $$,
  'TK422', 'retention is 01:00:00; it must be between 1 day and 100 years', 'a retention of an hour is refused'
);
select throws_ok($$ select tasker.setup_partitioning(p_retention => '200 years') $$, 'TK422', 'retention is 200 years; it must be between 1 day and 100 years', 'a retention of more than 100 years is refused');
select throws_ok(
  $$ select tasker.setup_partitioning(p_backend => 'pg_pathman') $$,
  'TK422', 'there is no backend "pg_pathman"', 'an unknown backend is refused'
);
select throws_ok(
  $$ select tasker.setup_partitioning('1 hour', 10, '90 days') $$,
  'TK422', 'that would be 2171 ranges', 'more than 1,300 ranges are refused'
);
select is_empty('select tasker_test.changed_tables()', 'no table is changed');

select * from finish();
rollback;
