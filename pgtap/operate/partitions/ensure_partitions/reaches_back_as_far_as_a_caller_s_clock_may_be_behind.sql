-- Half an hour into the year, a UUID with a time of last year is still accepted.
begin;
select plan(2);

select tasker_test.freeze('2050-01-01 00:30:00+00');
update tasker.partition_config set premake = 1;

select is(tasker.ensure_partitions(), 3, 'last month, this month and the next one are created');
select lives_ok(
  $$ select tasker.check_task_uuid(tasker_test.task_uuid_at('2049-12-31 23:40:00+00')) $$,
  'a client whose clock is fifty minutes behind is accepted'
);

select * from finish();
rollback;
