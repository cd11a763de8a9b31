begin;
select plan(2);

select tasker_test.freeze();
select tasker_test.register('single', 'a');
create temporary table made as
  select c.task_uuid
    from generate_series(1, 20) as n
   cross join lateral tasker.create_tasks('test', 'single', (select array_agg(jsonb_build_object('n', n, 'm', m)) from generate_series(1, 250) as m)) as c;
select m.task_uuid as task from made as m order by m.task_uuid limit 1 \gset
select substr(:'task', 25, 8) as short_id \gset

select is((select f.task_uuid from tasker.find_tasks_by_short_id(:'short_id') as f), :'task'::uuid, 'the oldest of 5,000 tasks is found');
select tasker_test.buffers(format('select from tasker.find_tasks_by_short_id(%L)', :'short_id')) as first \gset
select tasker_test.buffers(format('select from tasker.find_tasks_by_short_id(%L)', :'short_id')) as cost \gset
-- Until vacuum has marked a page as visible, each key costs one visit to the table, but no read of steps or long texts.
select cmp_ok(
  :cost::bigint, '<',
  tasker_test.buffers('select * from tasker.list_tasks(p_limit => 5000)') + 2000,
  'it costs at most 2,000 buffers more than a list of the same tasks'
);

select * from finish();
rollback;
