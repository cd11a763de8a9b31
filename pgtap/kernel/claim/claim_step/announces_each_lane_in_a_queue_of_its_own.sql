begin;
select plan(3);

select tasker_test.freeze();
select tasker.register_namespace('test', p_transport => 'pgmq');
select tasker.register_task_template('{"namespace": "test", "name": "lanes", "steps": [
  {"name": "root"}, {"name": "fast", "priority": 1, "dependencies": ["root"]},
  {"name": "plain", "dependencies": ["root"]}, {"name": "slow", "priority": -1, "dependencies": ["root"]}
]}');
select tasker_test.launch('lanes');
select from tasker_test.claim();
select tasker_test.complete('root');
prepare steps (text) as select p.message ->> 'step_uuid' from tasker.peek_queue($1, 10) as p where p.message ->> 'step_uuid' <> tasker_test.the_step('root')::text;
select results_eq($$ execute steps ('worker_test_queue_high') $$, $$ values (tasker_test.the_step('fast')::text) $$, 'the fast step is announced in the queue of the high lane');
select results_eq($$ execute steps ('worker_test_queue') $$, $$ values (tasker_test.the_step('plain')::text) $$, 'the plain step is announced in the queue of the normal lane');
select results_eq($$ execute steps ('worker_test_queue_low') $$, $$ values (tasker_test.the_step('slow')::text) $$, 'the slow step is announced in the queue of the low lane');

select * from finish();
rollback;
