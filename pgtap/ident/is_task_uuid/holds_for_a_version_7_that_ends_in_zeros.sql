begin;
select plan(5);

select ok(tasker.is_task_uuid('01a1fdfe-814d-7276-80af-60b4800d0000'), 'one that the database made');
select ok(tasker.is_task_uuid('01a1fdfe-814d-7000-8000-000000000000'), 'one with nothing but zeros after the time');
select ok(tasker.is_task_uuid('ffffffff-ffff-7fff-bfff-ffffffff0000'), 'the last that there can be');
select ok(tasker.is_task_uuid('00000000-0000-7000-8000-000000000000'), 'the first');
select ok(bool_and(tasker.is_task_uuid(tasker.mint_task_uuid())), 'a thousand new ones')
  from generate_series(1, 1000);

select * from finish();
rollback;
