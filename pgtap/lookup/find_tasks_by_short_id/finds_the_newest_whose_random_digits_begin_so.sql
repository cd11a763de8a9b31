begin;
select plan(8);

select tasker_test.freeze();
select tasker_test.register_diamond();
-- Task UUIDs of a caller's own: the same last group but for its end, a minute apart.
create temporary table made as
  select m.n, c.task_uuid
    from (values (1, 'aabbccdd'), (2, 'aabbcc00'), (3, 'aabbccdd'), (4, '12345678')) as m (n, digits)
   cross join lateral (
     select (left(tasker.uuid_v7_floor(tasker.clock() - interval '4 minutes' + m.n * interval '1 minute')::text, 14) || '7000-8000-' || m.digits || '0000')::uuid as task_uuid
   ) as u
   cross join lateral tasker.create_task('test', 'diamond', jsonb_build_object('n', m.n), p_task_uuid => u.task_uuid) as c;

create function pg_temp.found(p_short_id text)
  returns text
  language sql
as $$
  select coalesce(string_agg(m.n::text, ' ' order by f.place), '')
    from (select f.task_uuid, row_number() over () as place from tasker.find_tasks_by_short_id(p_short_id) as f) as f
    join made as m
      on m.task_uuid = f.task_uuid;
$$;

select is(pg_temp.found('12345678'), '4', 'eight digits');
select is(pg_temp.found('1234'), '4', 'four of them');
select is(pg_temp.found('AABBCC00'), '2', 'capitals are the same digits');
select is(pg_temp.found('aabbccdd'), '3 1', 'two tasks that have the same: the newest first');
select is(pg_temp.found('aabbcc'), '3 2 1', 'digits that three begin with');
select is(pg_temp.found('5678'), '', 'they are the first ones, not any');
select is(
  (select count(*) from tasker.find_tasks_by_short_id('1234') as f where f.namespace = 'test' and f.name = 'diamond' and f.context is null),
  1::bigint, 'each is told as in a list'
);
select tasker_test.pass('30 days');
select is(pg_temp.found('aabbccdd'), '', 'after 30 days a task is found by its whole UUID only');

select * from finish();
rollback;
