begin;
select plan(13);

select tasker_test.freeze();
select tasker.register_task_template('{"namespace": "test", "name": "lanes", "steps": [
  {"name": "fast", "priority": 1}, {"name": "plain"}, {"name": "other"}, {"name": "slow", "priority": -1}
]}');
select tasker_test.launch('lanes');
prepare publish (text, integer) as select p.handler, p.again from tasker.publish_steps('test', $1, $2) as p order by p.handler;
select is_empty($$ execute publish ('normal', 10) $$, 'no step of a namespace with the transport table is published');
select tasker.register_namespace('test', p_transport => 'broker');
select ok((select c.any_brokered from tasker.settings_now as c), 'settings_now says that a namespace has a broker');
select is_empty('select * from tasker_test.claim()', 'a claim returns no step of a namespace with a broker');
select is((select tasker.next_due_at('{test}')), null, 'next_due_at returns null for a namespace with a broker');
select results_eq($$ execute publish ('high', 10) $$, $$ values ('fast', false) $$, 'the high lane publishes its step');
select results_eq($$ execute publish ('low', 10) $$, $$ values ('slow', false) $$, 'the low lane publishes its step');
select is((select count(*) from tasker.publish_steps('test', 'normal', 1) as p), 1::bigint, 'p_limit limits the published steps');
select is((select count(*) from tasker.publish_steps('test', 'normal', 10) as p), 1::bigint, 'the next call publishes the rest');
select is_empty($$ execute publish ('normal', 10) $$, 'no step is published twice');
select is_empty('select * from tasker.check_integrity()', 'every invariant holds');
select is((select sum(q.ready_steps + q.leased_steps) from tasker.get_queue_health() as q where q.namespace_name = 'test' and q.lane like 'published%'), 4::numeric, 'get_queue_health counts the published steps');
select tasker.pause_namespace('test', 'ann');
select tasker_test.pass('1 hour');
select is_empty($$ select * from tasker.publish_steps('test', 'normal', 10, 0) $$, 'no step of a paused namespace is published');
select is_empty('select tasker_test.violations()', 'every invariant holds');

select * from finish();
rollback;
