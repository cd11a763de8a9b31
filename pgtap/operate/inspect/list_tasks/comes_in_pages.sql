begin;
select plan(3);

select tasker_test.take_turn();

select tasker_test.register_diamond();
select tasker.create_tasks('test', 'diamond', (select array_agg(jsonb_build_object('n', n)) from generate_series(1, 25) as n));

create temporary table seen (place serial, task_uuid uuid);
insert into seen (task_uuid) select t.task_uuid from tasker.list_tasks('test', p_limit => 10) as t;
select is((select count(*) from seen), 10::bigint, 'p_limit limits a page');
insert into seen (task_uuid)
  select t.task_uuid from tasker.list_tasks('test', p_limit => 10, p_before => (select s.task_uuid from seen as s order by s.place desc limit 1)) as t;
insert into seen (task_uuid)
  select t.task_uuid from tasker.list_tasks('test', p_limit => 10, p_before => (select s.task_uuid from seen as s order by s.place desc limit 1)) as t;
select is((select count(distinct s.task_uuid) from seen as s), 25::bigint, 'three pages hold each task once');
select is((select array_agg(s.task_uuid order by s.place) from seen as s), (select array_agg(s.task_uuid order by s.task_uuid desc) from seen as s), 'the newest task comes first');

select * from finish();
rollback;
