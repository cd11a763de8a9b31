-- For every number there is.
begin;
select plan(2);

select is_empty(
  $$
  select n
    from generate_series(1, 65535) as n
   cross join lateral (select tasker.step_uuid('01a1fdfe-814d-7276-80af-60b4800d0000', n) as uuid) as s
   where tasker.step_no_of(s.uuid) <> n
      or tasker.task_uuid_of(s.uuid) <> '01a1fdfe-814d-7276-80af-60b4800d0000'
  $$,
  'task and number come back for every number'
);
select is(
  (
    select count(distinct tasker.step_uuid('01a1fdfe-814d-7276-80af-60b4800d0000', n))
      from generate_series(1, 65535) as n
  ),
  65535::bigint,
  'no two numbers have the same UUID'
);

select * from finish();
rollback;
