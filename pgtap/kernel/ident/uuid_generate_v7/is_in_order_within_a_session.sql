begin;
select plan(1);

create temporary table made as
  select n, tasker.uuid_generate_v7() as uuid
    from generate_series(1, 20000) as n;

select is_empty(
  $$
  select m.n
    from (select n, uuid, lag(uuid) over (order by n) as before from made) as m
   where m.n > 1
     and (m.uuid > m.before) is not true
  $$,
  'each of twenty thousand UUIDs is greater than the one before it'
);

select * from finish();
rollback;
