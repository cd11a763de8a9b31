-- No result is recorded without its audit row, even by a statement that names the partition.
begin;
select plan(2);

select tasker_test.make_task();

select lives_ok(
  format(
    $$
    insert into %s (task_uuid, step_no, sort_key, path)
    values (tasker_test.the_task(), 1, 1, 5)
    $$,
    tasker_test.the_partition('step_log')
  ),
  'a superuser can insert into the partition'
);
select is(
  (select count(*) from tasker.workflow_step_result_audit as a where a.task_uuid = tasker_test.the_task()),
  1::bigint,
  'the row is audited'
);

select * from finish();
rollback;
