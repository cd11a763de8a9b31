begin;
select plan(7);

select tasker_test.take_turn();

select throws_ok(
  'insert into tasker.partition_config default values',
  '23505', null,
  'there is one row'
);
select throws_ok(
  'insert into tasker.partition_config (only_row) values (false)',
  '23514', null,
  'and can be no other'
);
select throws_ok(
  $$ update tasker.partition_config set partition_interval = '2 days' $$,
  '23514', null,
  'two days are no interval'
);
-- Equal to a month for PostgreSQL, but added to a date it is not one.
select throws_ok(
  $$ update tasker.partition_config set partition_interval = '30 days' $$,
  '23514', null,
  'nor are thirty'
);
select throws_ok(
  $$ update tasker.partition_config set partition_interval = '720 hours' $$,
  '23514', null,
  'nor are as many hours'
);
select throws_ok(
  'update tasker.partition_config set premake = 0',
  '23514', null,
  'at least one range is made ahead'
);
select lives_ok(
  $$ update tasker.partition_config set partition_interval = '7 days' $$,
  'a week is one'
);

select * from finish();
rollback;
