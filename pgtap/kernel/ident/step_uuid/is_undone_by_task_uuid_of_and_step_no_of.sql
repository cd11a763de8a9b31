begin;
select plan(2);

select is_empty(
  $$
  select n
    from generate_series(1, 65535) as n
   cross join lateral (select tasker.step_uuid('01a1fdfe-814d-7276-80af-60b4800d0000', n) as uuid) as s
   where tasker.step_no_of(s.uuid) is distinct from n
      or tasker.task_uuid_of(s.uuid) is distinct from '01a1fdfe-814d-7276-80af-60b4800d0000'
  $$,
  'task_uuid_of and step_no_of return the task and the number for every number'
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
