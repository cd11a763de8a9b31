begin;
select plan(7);

select tasker_test.take_turn();
select tasker_test.open_shop();
select tasker_test.create_sql('graph', '[
  {"name": "a", "sql": "test_shop.note"},
  {"name": "b", "sql": "test_shop.note", "dependencies": ["a"], "initialization": {"x": 1}},
  {"name": "c", "sql": "test_shop.note", "dependencies": ["b"], "for_each": "$.lines"}
]', '{"lines": [7, 8]}') as task \gset

select is((select r.completed from tasker.run_sql_steps(100) as r), 4, 'one call runs the steps of a graph and the elements of a map');
select is((select t.state::text from tasker.tasks as t where t.task_uuid = :'task'), 'complete', 'its task is complete');
select results_eq(
  'select n.note, n.as_role from test_shop.notes as n order by n.note collate "C"',
  $$ values ('a', 'test_shop_steps'), ('b', 'test_shop_steps'), ('c[0]', 'test_shop_steps'), ('c[1]', 'test_shop_steps') $$,
  'its functions ran as the bound role, each once'
);
select is(
  (select s.results #>> '{parents,a,step}' || (s.results #>> '{inputs,x}') || (s.results #>> '{context,lines,0}') from tasker.workflow_steps as s where s.task_uuid = :'task' and s.name = 'b'),
  'a17', 'a function gets the context, the inputs and the results of parents'
);
select is(
  (select s.results #>> '{inputs,element}' from tasker.workflow_steps as s where s.task_uuid = :'task' and s.name = 'c[1]'),
  '8', 'a function gets the element of a map'
);
select is((select count(*) from tasker_test.violations(:'task')), 0::bigint, 'the rows fit together');
select is_empty('select * from tasker.claim_steps(null, gen_random_uuid(), 10)', 'a worker that names no handlers gets no SQL step');

select * from finish();
rollback;
