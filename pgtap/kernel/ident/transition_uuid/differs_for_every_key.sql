begin;
select plan(1);

select is(
  (
    select count(distinct tasker.transition_uuid(t.uuid, s, k))
      from (values ('01a1fdfe-814d-7276-80af-60b4800d0000'::uuid), ('01a1fdfe-814d-7276-80af-60b4800e0000')) as t (uuid)
     cross join generate_series(0, 99) as s
     cross join generate_series(0, 99) as k
  ),
  20000::bigint,
  'each task, step and number has a UUID of its own'
);

select * from finish();
rollback;
