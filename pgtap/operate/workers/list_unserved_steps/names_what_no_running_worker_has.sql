begin;
select plan(9);

select tasker_test.freeze();
select tasker_test.register('two', 'charge', 'notify');
prepare unserved as select u.namespace, u.handler, u.nearest from tasker.list_unserved_steps() as u;
select is_empty('execute unserved', 'nothing is listed while no step is ready');

select tasker_test.launch('two');
select results_eq('execute unserved', $$ values ('test', 'charge', null), ('test', 'notify', null) $$, 'all handlers are listed while there is no worker');
select tasker.register_worker(tasker_test.worker(1), 'one', p_handlers => '{chrage,notify}');
select results_eq('execute unserved', $$ values ('test', 'charge', 'chrage') $$, 'a worker''s handler of a similar name is shown');
select is(
  (select u.step_uuid from tasker.list_unserved_steps('{test}') as u), tasker_test.the_step('charge'), 'the row names the oldest step that waits'
);

select tasker.register_namespace('other');
select tasker.register_worker(tasker_test.worker(2), 'two', '{other}', '{charge}');
select results_eq('execute unserved', $$ values ('test', 'charge', 'chrage') $$, 'a worker in another namespace does not count');
select tasker.register_worker(tasker_test.worker(2), 'two', '{other,test}', '{charge}');
select is_empty('execute unserved', 'a handler that a worker has is not listed');
select tasker_test.pass('61 seconds');
select tasker.heartbeat_worker(tasker_test.worker(1));
select results_eq('execute unserved', $$ values ('test', 'charge', 'chrage') $$, 'a worker that was not seen for a minute does not count');
select tasker.register_worker(tasker_test.worker(3), 'three');
select is_empty('execute unserved', 'a worker that has not named its handlers may have it');
select tasker_test.pass('61 seconds');
select tasker.pause_namespace('test', 'ann');
select is_empty('execute unserved', 'a paused namespace has no unserved steps');

select * from finish();
rollback;
