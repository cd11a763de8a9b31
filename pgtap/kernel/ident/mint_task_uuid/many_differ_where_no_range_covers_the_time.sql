begin;
select plan(3);

select is(
  (select count(distinct u) from unnest(tasker.mint_task_uuids(2500, tasker.clock() - interval '1 day')) as u), 2500::bigint,
  'tasks in the last millisecond of a range have different UUIDs'
);
select is(
  (select array_agg(u order by u) from unnest(m.uuids) as u), m.uuids, 'tasks of one call have ascending UUIDs, all different'
)
  from (select tasker.mint_task_uuids(2500, tasker.clock() + interval '1 day') as uuids) as m;

select cmp_ok(
  (select count(distinct substr(u::text, 25, 8)) from unnest(tasker.mint_task_uuids(2500, tasker.clock() + interval '1 day')) as u), '>', 2490::bigint,
  'tasks of one call have different short ids'
);

select * from finish();
rollback;
