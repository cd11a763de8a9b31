begin;
select plan(2);

select tasker_test.take_turn();

select tasker_test.start_task() as task \gset
select results_eq(
  format($$ select t.namespace, t.name, t.version, t.state::text, t.total_steps, t.open_steps, t.active_steps from tasker.get_task(%L) as t $$, :'task'),
  $$ values ('test', 'diamond', '0.1.0', 'steps_in_process', 4, 4, 1) $$, 'it returns the names, the state and the counters'
);
select is((select t.complete from tasker.get_task(:'task') as t), false, 'it returns complete = false for an open task');

select * from finish();
rollback;
