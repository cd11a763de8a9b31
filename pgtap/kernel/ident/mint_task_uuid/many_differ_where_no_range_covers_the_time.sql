begin;
select plan(2);

select is(
  (select count(distinct u) from unnest(tasker.mint_task_uuids(2500, tasker.clock() - interval '1 day')) as u), 2500::bigint,
  'tasks in the last millisecond of a range have different UUIDs'
);
select is(
  (select array_agg(u order by u) from unnest(m.uuids) as u), m.uuids, 'tasks of one call have ascending UUIDs, all different'
)
  from (select tasker.mint_task_uuids(2500, tasker.clock() + interval '1 day') as uuids) as m;

select * from finish();
rollback;
