begin;
select plan(5);

select tasker_test.freeze();
select tasker_test.register('wide', 'a', 'b');
select tasker.register_namespace('test', p_transport => 'broker');
select tasker_test.launch('wide');
select from tasker.publish_steps('test', 'normal', 1);
select is((select n.transport from tasker.register_namespace('test', p_description => 'still') as n), 'broker', 'another change of the namespace keeps the transport');
select is_empty('select * from tasker_test.claim()', 'a claim returns no step of a namespace with a broker');
select tasker.register_namespace('test', p_transport => 'table');
select is_empty($$ select * from tasker.publish_steps('test', 'normal') $$, 'no step is published with the transport table');
select set_eq('select c.name from tasker_test.claim() as c', array['a', 'b'], 'a claim returns all steps, also the published one');
select is_empty('select tasker_test.violations()', 'every invariant holds');

select * from finish();
rollback;
