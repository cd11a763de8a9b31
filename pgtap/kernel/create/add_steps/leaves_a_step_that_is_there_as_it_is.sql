begin;
select plan(3);

select tasker_test.take_turn();

select tasker_test.start_task() as task \gset
select tasker.add_steps(:'task', '[{"name": "more", "dependencies": ["top"]}]');
select results_eq(
  format($$ select s.name, s.created from tasker.add_steps(%L, %L) as s $$, :'task', '[{"name": "more"}, {"name": "left", "dependencies": ["right"]}]'),
  $$ values ('more', false), ('left', false) $$, 'existing names return false'
);
select is((select count(*) from tasker.list_steps(:'task')), 5::bigint, 'no step is added');
select is((select count(*) from tasker.workflow_step_edges as e where e.task_uuid = :'task'), 5::bigint, 'no edge is added');

select * from finish();
rollback;
