begin;
select plan(3);

select tasker_test.make_task();

select results_eq(
  $$
  select s.workflow_step_uuid
    from tasker.workflow_steps as s
   where s.task_uuid = tasker_test.the_task()
   order by s.step_no
  $$,
  'select tasker.step_uuid(tasker_test.the_task(), n) from generate_series(1, 4) as n',
  'the UUID is derived from the task''s UUID and the step number'
);

select throws_ok(
  $$
  insert into tasker.workflow_steps (task_uuid, step_no, workflow_step_uuid, named_step_uuid, name)
  select s.task_uuid, 9, s.workflow_step_uuid, s.named_step_uuid, 'another'
    from tasker.workflow_steps as s
   where s.task_uuid = tasker_test.the_task()
     and s.step_no = 1
  $$,
  'TK422', format('a new step of task %s does not have the UUID of its key', tasker_test.the_task()),
  'the UUID of another step is refused'
);
select throws_ok(
  'update tasker.workflow_steps set workflow_step_uuid = gen_random_uuid() where task_uuid = tasker_test.the_task()',
  'TK403', 'rows of tasker.workflow_steps never change the columns that they were created with', 'the UUID cannot be changed'
);

select * from finish();
rollback;
