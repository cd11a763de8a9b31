begin;
select plan(13);

select tasker_test.freeze();
select tasker.register_task_template('{"namespace": "test", "name": "lanes", "steps": [
  {"name": "fast", "priority": 1}, {"name": "plain"}, {"name": "other"}, {"name": "slow", "priority": -1}
]}');
select tasker_test.launch('lanes');
prepare publish (text, integer) as select p.handler, p.again from tasker.publish_steps('test', $1, $2) as p order by p.handler;
select is_empty($$ execute publish ('normal', 10) $$, 'nothing of a namespace whose table workers claim from');
select tasker.register_namespace('test', p_transport => 'broker');
select ok((select c.any_brokered from tasker.settings_now as c), 'claims know that there is one');
select is_empty('select * from tasker_test.claim()', 'what is ready is left to messages');
select is((select tasker.next_due_at('{test}')), null, 'and no worker polls for it');
select results_eq($$ execute publish ('high', 10) $$, $$ values ('fast', false) $$, 'the fast lane');
select results_eq($$ execute publish ('low', 10) $$, $$ values ('slow', false) $$, 'the slow lane');
select is((select count(*) from tasker.publish_steps('test', 'normal', 1) as p), 1::bigint, 'no more than was asked for');
select is((select count(*) from tasker.publish_steps('test', 'normal', 10) as p), 1::bigint, 'then the rest');
select is_empty($$ execute publish ('normal', 10) $$, 'each once');
select is_empty('select * from tasker.check_integrity()', 'every invariant holds');
select is((select sum(q.ready_steps + q.leased_steps) from tasker.get_queue_health() as q where q.namespace_name = 'test' and q.lane like 'published%'), 4::numeric, 'and are counted');
select tasker.pause_namespace('test', 'ann');
select tasker_test.pass('1 hour');
select is_empty($$ select * from tasker.publish_steps('test', 'normal', 10, 0) $$, 'nothing of a paused namespace');
select is_empty('select tasker_test.violations()', 'every invariant holds');

select * from finish();
rollback;
