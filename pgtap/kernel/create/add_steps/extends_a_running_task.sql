begin;
select plan(4);

select tasker_test.take_turn();

select tasker_test.start_task() as task \gset
select tasker_test.complete_step(tasker_test.step(:'task', 'top'));
select results_eq(
  format(
    $$ select s.step_no, s.name, s.created from tasker.add_steps(%L, %L) as s $$, :'task',
    '[{"name": "after", "dependencies": ["top", "bottom"]}, {"name": "last", "dependencies": ["after", "top"], "join": "any", "handler": "left"}]'
  ),
  $$ values (5, 'after', true), (6, 'last', true) $$, 'the new steps have the next numbers'
);
select results_eq(
  format($$ select s.name, s.total_parents, s.pending_parents, s.satisfied_parents, s.join_mode::text from tasker.workflow_steps as s where s.task_uuid = %L and s.step_no > 4 order by s.step_no $$, :'task'),
  $$ values ('after', 2, 1, 1, 'all'), ('last', 2, 1, 1, 'any') $$, 'a parent that is complete is satisfied at once'
);
select is((select t.open_steps from tasker.get_task(:'task') as t), 5, 'the task has two more open steps');
select is_empty(format($$ select tasker_test.violations(%L) $$, :'task'), 'every invariant holds');

select * from finish();
rollback;
