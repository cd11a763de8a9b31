begin;
select plan(4);

select tasker_test.freeze();
select tasker_test.register('order', 'charge');
create temporary table made as select g as no, tasker_test.launch('order') as task from generate_series(1, 5) as g;
create temporary table first as
  select array_agg(t.task_uuid order by t.ordinality) as tasks from tasker.list_tasks(p_after => '00000000-0000-0000-0000-000000000000', p_limit => 3) with ordinality as t;
select is((select f.tasks from first as f), (select array_agg(m.task order by m.task) filter (where m.no <= 3) from made as m), 'the oldest come first');
select is(
  (select array_agg(t.task_uuid order by t.ordinality) from first as f, tasker.list_tasks(p_after => f.tasks[3]) with ordinality as t),
  (select array_agg(m.task order by m.task) filter (where m.no > 3) from made as m), 'the next page begins behind the last task'
);
select is(
  (select count(*) from tasker.list_tasks('test', p_state => 'open', p_after => (select m.task from made as m where m.no = 5))), 0::bigint, 'behind the newest there is none'
);
select set_eq(
  'select t.task_uuid from made as m, tasker.list_tasks(p_after => m.task, p_before => (select n.task from made as n where n.no = 4)) as t where m.no = 2',
  'select m.task from made as m where m.no = 3', 'both bounds hold'
);

select * from finish();
rollback;
