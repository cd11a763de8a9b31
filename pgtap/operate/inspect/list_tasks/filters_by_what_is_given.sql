begin;
select plan(12);

select tasker_test.take_turn();

select tasker_test.register_diamond();
select tasker.register_task_template('{"namespace": "other", "name": "single", "version": "2.0.0", "steps": [{"name": "a"}]}');
create temporary table made as
  select 'a' as name, c.task_uuid from tasker.create_task('test', 'diamond', '{"n": 1}', p_tags => '{eu,vip}') as c
  union all
  select 'b', c.task_uuid from tasker.create_task('test', 'diamond', '{"n": 2}', p_tags => '{eu}', p_deferred => true) as c
  union all
  select 'c', c.task_uuid from tasker.create_task('other', 'single', '{"n": 3}', p_correlation_id => '00000000-0000-4000-8000-000000000001') as c;

create function pg_temp.names(p_uuids uuid[])
  returns text
  language sql
as $$
  select coalesce(string_agg(m.name, '' order by m.name), '') from made as m where m.task_uuid = any (p_uuids);
$$;

select is(pg_temp.names((select array_agg(t.task_uuid) from tasker.list_tasks() as t)), 'abc', 'it returns every task without a filter');
select is(pg_temp.names((select array_agg(t.task_uuid) from tasker.list_tasks(p_namespace => 'test') as t)), 'ab', 'it filters by namespace');
select is(pg_temp.names((select array_agg(t.task_uuid) from tasker.list_tasks(p_name => 'single') as t)), 'c', 'it filters by name');
select is(pg_temp.names((select array_agg(t.task_uuid) from tasker.list_tasks(p_version => '2.0.0') as t)), 'c', 'it filters by version');
select is(pg_temp.names((select array_agg(t.task_uuid) from tasker.list_tasks(p_state => 'pending') as t)), 'b', 'it filters by state');
select is(pg_temp.names((select array_agg(t.task_uuid) from tasker.list_tasks(p_tags => '{eu}') as t)), 'ab', 'it filters by a tag');
select is(pg_temp.names((select array_agg(t.task_uuid) from tasker.list_tasks(p_tags => '{vip,eu}') as t)), 'a', 'it returns tasks that have all of several tags');
select is(
  pg_temp.names((select array_agg(t.task_uuid) from tasker.list_tasks(p_correlation_id => '00000000-0000-4000-8000-000000000001') as t)),
  'c', 'it filters by correlation ID'
);
select is(
  pg_temp.names((select array_agg(t.task_uuid) from tasker.list_tasks(p_requested_after => tasker.clock() - interval '1 hour') as t)),
  'abc', 'p_requested_after keeps later tasks'
);
select is(
  pg_temp.names((select array_agg(t.task_uuid) from tasker.list_tasks(p_requested_before => tasker.clock() - interval '1 hour') as t)),
  '', 'p_requested_before drops later tasks'
);
select tasker.cancel_task(m.task_uuid) from made as m where m.name = 'c';
select is(pg_temp.names((select array_agg(t.task_uuid) from tasker.list_tasks(p_state => 'open') as t)), 'ab', 'open is every state of tasks that have not ended');
select is(
  (select bool_and(t.context is null) from tasker.list_tasks() as t), true, 'it returns no contexts'
);

select * from finish();
rollback;
