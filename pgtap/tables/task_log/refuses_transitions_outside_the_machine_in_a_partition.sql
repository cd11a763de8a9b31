begin;
select plan(1);

select tasker_test.make_task();

select throws_ok(
  format(
    'insert into %s (task_uuid, sort_key, path) values (tasker_test.the_task(), 1, 2009)',
    tasker_test.the_partition('task_log')
  ),
  '23514', 'value for domain tasker.task_path violates check constraint "task_path_check"',
  'a partition refuses a number without a path'
);

select * from finish();
rollback;
