begin;
select plan(11);

select tasker_test.freeze();
select tasker_test.take_turn();
select tasker.register_task_template('{"namespace": "test", "name": "big", "identity_strategy": "always_unique", "steps": [{"name": "big", "limit": "gpu", "limit_units": 3}]}');
select tasker.register_task_template('{"namespace": "test", "name": "small", "identity_strategy": "always_unique", "steps": [{"name": "small", "limit": "gpu"}]}');
select tasker.set_limit('test', 'gpu', 4);
select tasker_test.make_limited(2, null, 'small');
select is((select count(*) from tasker_test.claim()), 2::bigint, 'two small steps start');
select tasker_test.pass('1 second');
select tasker_test.make_limited(1, null, 'big');
select is((select count(*) from tasker_test.claim()), 0::bigint, 'two free places are too few for three units');
select alike(
  (select tasker.explain_limit(q.task_uuid, q.step_no) from tasker.step_queue as q where q.lane = 'limited'),
  'It waits for limit "gpu": 2 of 4 in use, it needs 3, 0 before it.', 'the explanation counts what is in use'
);
select isnt(tasker.next_due_at('{test}') <= tasker.clock(), true, 'workers do not ask again before something changes');
select tasker_test.complete_limited(1);
select results_eq('select s.name from tasker_test.claim() as c join tasker.workflow_steps as s on s.workflow_step_uuid = c.step_uuid', $$ values ('big') $$, 'three are free after a result');
select is((select l.in_use from tasker.list_limits('test') as l), 4::bigint, 'the list counts units');
select tasker_test.make_limited(2, null, 'small');
select is((select count(*) from tasker_test.claim()), 0::bigint, 'no place is free');
select tasker_test.complete_limited();
select is((select count(*) from tasker_test.claim()), 2::bigint, 'the result of the large step frees its units');
select tasker.set_limit('test', 'gpu', 2);
select tasker_test.make_limited(1, null, 'big');
select tasker_test.complete_limited();
select is((select count(*) from tasker_test.claim()), 1::bigint, 'a step with more units than the limit runs alone');
select tasker_test.complete_limited();
select is_empty('select from tasker.limit_places', 'no row is left of steps that have ended');
select is_empty('select * from tasker.check_integrity()', 'the check of integrity finds nothing');

select * from finish();
rollback;
