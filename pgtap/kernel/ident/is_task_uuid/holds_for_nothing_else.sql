begin;
select plan(9);

select ok(not tasker.is_task_uuid('01a1fdfe-814d-7276-80af-60b4800d0001'), 'the UUID of a step is not a task UUID');
select ok(not tasker.is_task_uuid('01a1fdfe-814d-7276-80af-60b4800d8000'), 'a UUID whose last sixteen bits are not zero is not a task UUID');
select ok(not tasker.is_task_uuid('01a1fdfe-814d-4276-80af-60b4800d0000'), 'a UUID of version 4 is not a task UUID');
select ok(not tasker.is_task_uuid('01a1fdfe-814d-6276-80af-60b4800d0000'), 'a UUID of version 6 is not a task UUID');
select ok(not tasker.is_task_uuid('01a1fdfe-814d-7276-70af-60b4800d0000'), 'a UUID of a lower variant is not a task UUID');
select ok(not tasker.is_task_uuid('01a1fdfe-814d-7276-c0af-60b4800d0000'), 'a UUID of a higher variant is not a task UUID');
select ok(not tasker.is_task_uuid('00000000-0000-0000-0000-000000000000'), 'the nil UUID is not a task UUID');
select ok(not tasker.is_task_uuid('ffffffff-ffff-ffff-ffff-ffffffffffff'), 'the greatest UUID is not a task UUID');
select is(tasker.is_task_uuid(null), null, 'it returns null for null');

select * from finish();
rollback;
