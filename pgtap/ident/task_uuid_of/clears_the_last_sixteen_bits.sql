begin;
select plan(3);

select is(
  tasker.task_uuid_of('01a1fdfe-814d-7276-80af-60b4800dffff'), '01a1fdfe-814d-7276-80af-60b4800d0000',
  'the task of a step'
);
select is(
  tasker.task_uuid_of('01a1fdfe-814d-7276-80af-60b4800d0000'), '01a1fdfe-814d-7276-80af-60b4800d0000',
  'a task is its own'
);
select is(tasker.task_uuid_of(null), null, 'no step, no task');

select * from finish();
rollback;
