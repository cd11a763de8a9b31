begin;
select plan(9);

select tasker_test.freeze();
select tasker_test.register('two', 'charge', 'notify');
prepare unserved as select u.namespace, u.handler, u.nearest from tasker.list_unserved_steps() as u;
select is_empty('execute unserved', 'nothing is ready');

select tasker_test.launch('two');
select results_eq('execute unserved', $$ values ('test', 'charge', null), ('test', 'notify', null) $$, 'no worker at all');
select tasker.register_worker(tasker_test.worker(1), 'one', p_handlers => '{chrage,notify}');
select results_eq('execute unserved', $$ values ('test', 'charge', 'chrage') $$, 'one that has a handler of nearly that name');
select is(
  (select u.step_uuid from tasker.list_unserved_steps('{test}') as u), tasker_test.the_step('charge'), 'the step that waits'
);

select tasker.register_namespace('other');
select tasker.register_worker(tasker_test.worker(2), 'two', '{other}', '{charge}');
select results_eq('execute unserved', $$ values ('test', 'charge', 'chrage') $$, 'a worker in another namespace does not count');
select tasker.register_worker(tasker_test.worker(2), 'two', '{other,test}', '{charge}');
select is_empty('execute unserved', 'a worker that has it does');
select tasker_test.pass('61 seconds');
select tasker.heartbeat_worker(tasker_test.worker(1));
select results_eq('execute unserved', $$ values ('test', 'charge', 'chrage') $$, 'until it was not seen for a minute');
select tasker.register_worker(tasker_test.worker(3), 'three');
select is_empty('execute unserved', 'a worker that has not said what it has may have it');
select tasker_test.pass('61 seconds');
select tasker.pause_namespace('test', 'ann');
select is_empty('execute unserved', 'nothing is taken from a paused namespace, whoever has handlers');

select * from finish();
rollback;
