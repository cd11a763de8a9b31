begin;
select plan(2);

select tasker_test.take_turn();

select tasker_test.start_task() as task \gset
select tasker_test.complete_step(tasker_test.step(:'task', 'top'), '{"ok": true}');
select results_eq(
  format($$ select s.step_no, s.name, s.handler, s.state::text, s.results from tasker.list_steps(%L) as s $$, :'task'),
  $$
    values (1, 'top', 'top', 'complete', '{"ok": true}'::jsonb), (2, 'left', 'left', 'pending', null),
           (3, 'right', 'right', 'pending', null), (4, 'bottom', 'bottom', 'pending', null)
  $$, 'it returns names, handlers, states and results'
);
select is(
  (select s.workflow_step_uuid from tasker.list_steps(:'task') as s where s.name = 'left'), tasker_test.step(:'task', 'left'),
  'it returns the UUID of a step'
);

select * from finish();
rollback;
