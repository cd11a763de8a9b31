begin;
select plan(9);

select ok(not tasker.is_task_uuid('01a1fdfe-814d-7276-80af-60b4800d0001'), 'a step''s');
select ok(not tasker.is_task_uuid('01a1fdfe-814d-7276-80af-60b4800d8000'), 'the first of the last sixteen bits is set');
select ok(not tasker.is_task_uuid('01a1fdfe-814d-4276-80af-60b4800d0000'), 'version 4');
select ok(not tasker.is_task_uuid('01a1fdfe-814d-6276-80af-60b4800d0000'), 'version 6');
select ok(not tasker.is_task_uuid('01a1fdfe-814d-7276-70af-60b4800d0000'), 'a variant below');
select ok(not tasker.is_task_uuid('01a1fdfe-814d-7276-c0af-60b4800d0000'), 'a variant above');
select ok(not tasker.is_task_uuid('00000000-0000-0000-0000-000000000000'), 'the nil UUID');
select ok(not tasker.is_task_uuid('ffffffff-ffff-ffff-ffff-ffffffffffff'), 'the greatest UUID');
select is(tasker.is_task_uuid(null), null, 'of null nothing is known');

select * from finish();
rollback;
