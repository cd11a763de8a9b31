begin;
select plan(7);

select is(tasker.step_uuid('01a1fdfe-814d-7276-80af-60b4800d0000', 0), null, 'it returns null for 0');
select is(tasker.step_uuid('01a1fdfe-814d-7276-80af-60b4800d0000', -1), null, 'it returns null for a negative number');
select is(tasker.step_uuid('01a1fdfe-814d-7276-80af-60b4800d0000', 65536), null, 'it returns null for 65536, which needs a seventeenth bit');
select is(tasker.step_uuid('01a1fdfe-814d-7276-80af-60b4800d0000', 2147483647), null, 'it returns null for the largest integer');
select is(tasker.step_uuid('01a1fdfe-814d-7276-80af-60b4800d0000', -2147483648), null, 'it returns null for the smallest integer');
select is(tasker.step_uuid('01a1fdfe-814d-7276-80af-60b4800d0000', null), null, 'it returns null for a null number');
select is(tasker.step_uuid(null, 1), null, 'it returns null for a null task');

select * from finish();
rollback;
