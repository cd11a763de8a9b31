begin;
select plan(5);

select ok(tasker.is_task_uuid('01a1fdfe-814d-7276-80af-60b4800d0000'), 'a UUID that the database generated is a task UUID');
select ok(tasker.is_task_uuid('01a1fdfe-814d-7000-8000-000000000000'), 'a UUID with only zeros after its time is a task UUID');
select ok(tasker.is_task_uuid('ffffffff-ffff-7fff-bfff-ffffffff0000'), 'the largest task UUID is a task UUID');
select ok(tasker.is_task_uuid('00000000-0000-7000-8000-000000000000'), 'the smallest task UUID is a task UUID');
select ok(bool_and(tasker.is_task_uuid(tasker.mint_task_uuid())), 'a thousand new UUIDs are task UUIDs')
  from generate_series(1, 1000);

select * from finish();
rollback;
