begin;
select plan(8);

select tasker_test.freeze();
select tasker_test.register_diamond();
-- The caller chooses the task UUIDs, a minute apart, so that the digits of their random parts are known.
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

select is(pg_temp.found('12345678'), '4', 'it finds a task by eight digits');
select is(pg_temp.found('1234'), '4', 'it finds a task by four digits');
select is(pg_temp.found('AABBCC00'), '2', 'it accepts digits in capitals');
select is(pg_temp.found('aabbccdd'), '3 1', 'it returns two tasks with the same digits, newest first');
select is(pg_temp.found('aabbcc'), '3 2 1', 'it returns all tasks that begin with the digits, newest first');
select is(pg_temp.found('5678'), '', 'digits from the middle find nothing');
select is(
  (select count(*) from tasker.find_tasks_by_short_id('1234') as f where f.namespace = 'test' and f.name = 'diamond' and f.context is null),
  1::bigint, 'a row has the namespace and the name, and no context'
);
select tasker_test.pass('30 days');
select is(pg_temp.found('aabbccdd'), '', 'a task is not found after 30 days');

select * from finish();
rollback;
