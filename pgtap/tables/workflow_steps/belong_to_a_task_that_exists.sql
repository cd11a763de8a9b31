begin;
select plan(5);

select tasker_test.make_task();
select tasker.mint_task_uuid() as unmade \gset

prepare insert_step (uuid, integer) as
  insert into tasker.workflow_steps (task_uuid, step_no, workflow_step_uuid, named_step_uuid, name)
  select $1, $2, tasker.step_uuid($1, $2), h.named_step_uuid, h.name
    from tasker.named_steps as h
   where h.name = 'top';

select throws_like(
  format('execute insert_step (%L, 1)', :'unmade'),
  'the task % of a new step does not exist',
  'a step of an unknown task is refused'
);
select throws_ok(
  format(
    $$
    insert into %s (task_uuid, step_no, workflow_step_uuid, named_step_uuid, name)
    select u, 1, tasker.step_uuid(u, 1), h.named_step_uuid, h.name from tasker.named_steps as h, cast(%L as uuid) as u where h.name = 'top'
    $$,
    tasker_test.the_partition('workflow_steps'), :'unmade'
  ),
  'TK422', format('the task %s of a new step does not exist', :'unmade'),
  'a partition refuses it, too'
);
select throws_ok(
  format(
    $$
    insert into tasker.workflow_steps (task_uuid, step_no, workflow_step_uuid, named_step_uuid, name)
    select u.task_uuid, 9, tasker.step_uuid(u.task_uuid, 9), h.named_step_uuid, h.name
      from tasker.named_steps as h cross join unnest(array[tasker_test.the_task(), %L]) as u (task_uuid)
     where h.name = 'top'
    $$,
    :'unmade'
  ),
  'TK422', format('the task %s of a new step does not exist', :'unmade'),
  'a step of an unknown task is refused among others'
);
select throws_ok(
  format('execute insert_step (%L, 1)', tasker_test.the_task()),
  '23505', null,
  'a step number cannot be used twice in a task'
);
select throws_ok(
  format('execute insert_step (%L, 65536)', tasker_test.the_task()),
  '23502', null,
  'a step number above 65535 is refused'
);

select * from finish();
rollback;
