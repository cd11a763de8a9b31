begin;
select plan(4);

select is(
  tasker.step_uuid('01a1fdfe-814d-7276-80af-60b4800d0000', 1), '01a1fdfe-814d-7276-80af-60b4800d0001',
  'step 1 is the first after its task'
);
select is(
  tasker.step_uuid('01a1fdfe-814d-7276-80af-60b4800d0000', 255), '01a1fdfe-814d-7276-80af-60b4800d00ff',
  '255 fills one byte'
);
select is(
  tasker.step_uuid('01a1fdfe-814d-7276-80af-60b4800d0000', 256), '01a1fdfe-814d-7276-80af-60b4800d0100',
  '256 begins the next'
);
select is(
  tasker.step_uuid('01a1fdfe-814d-7276-80af-60b4800d0000', 65535), '01a1fdfe-814d-7276-80af-60b4800dffff',
  '65535 is the last'
);

select * from finish();
rollback;
