begin;
select plan(7);

select tasker_test.take_turn();

select throws_ok(
  'insert into tasker.partition_config default values',
  '23505', null,
  'a second row is refused'
);
select throws_ok(
  'insert into tasker.partition_config (only_row) values (false)',
  '23514', null,
  'a row with another key is refused'
);
select throws_ok(
  $$ update tasker.partition_config set partition_interval = '2 days' $$,
  '23514', null,
  'an interval of two days is refused'
);
-- PostgreSQL takes it for equal to a month, but adding it to a date gives another result.
select throws_ok(
  $$ update tasker.partition_config set partition_interval = '30 days' $$,
  '23514', null,
  'an interval of thirty days is refused'
);
select throws_ok(
  $$ update tasker.partition_config set partition_interval = '720 hours' $$,
  '23514', null,
  'the same interval in hours is refused'
);
select throws_ok(
  'update tasker.partition_config set premake = 0',
  '23514', null,
  'at least one range is created ahead'
);
select lives_ok(
  $$ update tasker.partition_config set partition_interval = '7 days' $$,
  'an interval of a week is accepted'
);

select * from finish();
rollback;
