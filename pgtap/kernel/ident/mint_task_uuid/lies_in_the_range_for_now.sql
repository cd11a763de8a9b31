-- Use the middle of a range, so that the next one does not begin during the test.
begin;
select plan(4);

select tasker_test.freeze((
  select r.starts_at + (r.ends_at - r.starts_at) / 2 from tasker.partition_ranges as r order by r.starts_at limit 1
));

create temporary table minted as
  select tasker.mint_task_uuid() as uuid
    from generate_series(1, 1000);

select is((select count(distinct uuid) from minted), 1000::bigint, 'no two UUIDs are equal');
select is_empty('select uuid from minted where tasker.is_task_uuid(uuid) is not true', 'each UUID is a task UUID');
select is_empty(
  $$
  select uuid
    from minted
   where (tasker.uuid_v7_time(uuid) between tasker.clock() and tasker.clock() + interval '1 minute') is not true
  $$,
  'each UUID has the time of the clock'
);
select is_empty(
  $$
  select uuid
    from minted
   where not exists (
     select
       from tasker.partition_ranges as r
      where r.from_uuid <= uuid
        and r.to_uuid > uuid
        and tstzrange(r.starts_at, r.ends_at) @> tasker.clock()
   )
  $$,
  'each UUID lies in the range of that time'
);

select * from finish();
rollback;
