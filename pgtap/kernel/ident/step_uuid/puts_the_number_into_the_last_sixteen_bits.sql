begin;
select plan(4);

select is(
  tasker.step_uuid('01a1fdfe-814d-7276-80af-60b4800d0000', 1), '01a1fdfe-814d-7276-80af-60b4800d0001',
  'the UUID of step 1 ends in 0001'
);
select is(
  tasker.step_uuid('01a1fdfe-814d-7276-80af-60b4800d0000', 255), '01a1fdfe-814d-7276-80af-60b4800d00ff',
  '255 fills the last byte'
);
select is(
  tasker.step_uuid('01a1fdfe-814d-7276-80af-60b4800d0000', 256), '01a1fdfe-814d-7276-80af-60b4800d0100',
  '256 sets the byte before the last'
);
select is(
  tasker.step_uuid('01a1fdfe-814d-7276-80af-60b4800d0000', 65535), '01a1fdfe-814d-7276-80af-60b4800dffff',
  '65535 sets all sixteen bits'
);

select * from finish();
rollback;
