begin;
select plan(7);

select tasker_test.freeze();
prepare due (boolean) as select tasker.next_due_at(null, $1) - tasker.clock();
select tasker_test.register('one', 'a');
select from tasker.create_task('test', 'one', '{"n": 1}', p_deferred => true);
select results_eq('execute due (false)', $$ values (null::interval) $$, 'a deferred start is nothing for a worker');
select results_eq('execute due (true)', $$ values (interval '0') $$, 'a deferred start is due for an orchestrator');
select is((select o.tasks_advanced from tasker.orchestrate() as o), 1, 'the orchestrator starts the task');
create temporary table claimed as select c.task_uuid from tasker_test.claim() as c;
select tasker_test.record('a', '{}', c.task_uuid) from claimed as c;
select tasker.fire_due_timers();
select results_eq('execute due (false)', $$ values (null::interval) $$, 'a recorded result is nothing for a worker');
select tasker_test.pass('1 minute');
select results_eq('execute due (true)', $$ values (interval '-1 minute') $$, 'a recorded result is due for an orchestrator');
select is((select o.results_processed from tasker.orchestrate() as o), 1, 'the orchestrator processes the result');
select results_eq('execute due (true)', $$ values (null::interval) $$, 'nothing is due afterwards');

select * from finish();
rollback;
