begin;
select plan(3);

select is(
  tasker.task_uuid_of('01a1fdfe-814d-7276-80af-60b4800dffff'), '01a1fdfe-814d-7276-80af-60b4800d0000',
  'it returns the task of a step'
);
select is(
  tasker.task_uuid_of('01a1fdfe-814d-7276-80af-60b4800d0000'), '01a1fdfe-814d-7276-80af-60b4800d0000',
  'it returns a task for the task itself'
);
select is(tasker.task_uuid_of(null), null, 'it returns null for null');

select * from finish();
rollback;
