begin;
select plan(1);

select tasker_test.make_task();

select results_eq(
  $$
  select s.workflow_step_uuid
    from tasker.workflow_steps as s
   where s.task_uuid = tasker_test.the_task()
   order by s.step_no
  $$,
  'select tasker.step_uuid(tasker_test.the_task(), n) from generate_series(1, 4) as n',
  'it is derived from the task''s and the number'
);

select * from finish();
rollback;
