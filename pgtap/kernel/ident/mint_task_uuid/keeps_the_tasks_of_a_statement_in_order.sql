begin;
select plan(1);

create temporary table minted as
  select n, tasker.mint_task_uuid() as uuid
    from generate_series(1, 5000) as n;

select is_empty(
  $$
  select m.n
    from (select n, uuid, lag(uuid) over (order by n) as before from minted) as m
   where m.n > 1
     and (m.uuid > m.before) is not true
  $$,
  'each of five thousand UUIDs is greater than the one before it'
);

select * from finish();
rollback;
