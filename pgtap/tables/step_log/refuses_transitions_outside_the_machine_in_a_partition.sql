begin;
select plan(1);

select tasker_test.make_task();

select throws_ok(
  format(
    'insert into %s (task_uuid, step_no, sort_key, path) values (tasker_test.the_task(), 1, 1, 1011)',
    tasker_test.the_partition('step_log')
  ),
  '23514', 'value for domain tasker.step_path violates check constraint "step_path_check"',
  'a partition refuses a number without a path'
);

select * from finish();
rollback;
