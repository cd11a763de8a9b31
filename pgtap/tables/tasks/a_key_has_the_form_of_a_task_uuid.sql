begin;
select plan(2);

select tasker_test.register_diamond();

select throws_ok(
  $$
  insert into tasker.tasks (task_uuid, named_task_uuid, correlation_id)
  select tasker.step_uuid(tasker.mint_task_uuid(), 1), k.named_task_uuid, k.named_task_uuid
    from tasker.named_tasks as k
   where k.name = 'diamond'
  $$,
  '23514', null,
  'a task cannot have the UUID of a step'
);
select throws_ok(
  $$
  insert into tasker.tasks (task_uuid, named_task_uuid, correlation_id)
  select overlay(tasker.mint_task_uuid()::text placing '4' from 15)::uuid, k.named_task_uuid, k.named_task_uuid
    from tasker.named_tasks as k
   where k.name = 'diamond'
  $$,
  '23514', null,
  'a task cannot have a UUID of another version'
);

select * from finish();
rollback;
