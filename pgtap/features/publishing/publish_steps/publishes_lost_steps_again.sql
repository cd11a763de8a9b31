begin;
select plan(8);

select tasker_test.freeze();
select tasker_test.register('wide', 'a', 'b', 'c');
select tasker.register_namespace('test', p_transport => 'broker');
select tasker_test.launch('wide');
prepare publish (bigint) as select p.handler, p.again from tasker.publish_steps('test', 'normal', 10, $1, 60) as p order by p.handler;
select is((select count(*) from tasker.publish_steps('test', 'normal')), 3::bigint, 'three steps are published');
select is_empty($$ execute publish (0) $$, 'no step is sent again before the delay, even if the queue is empty');
select tasker_test.pass('61 seconds');
select is_empty($$ execute publish (3) $$, 'no step is sent again while the queue has as many messages as steps wait');
select is_empty($$ execute publish (null) $$, 'no step is sent again without a depth');
select is((select count(*) from tasker.claim_delivered_steps(array[tasker_test.the_step('b')], tasker_test.worker()) as c), 1::bigint, 'one step is claimed');
select results_eq($$ execute publish (1) $$, $$ values ('a', true), ('c', true) $$, 'the other steps are sent again if the queue has fewer messages');
select is_empty($$ execute publish (0) $$, 'a step is not sent again before the next delay');
select tasker_test.pass('10 minutes');
select is((select count(*) from tasker.publish_steps('test', 'normal', 10, 1000, 60)), 2::bigint, 'steps are sent again after ten minutes, whatever the depth');

select * from finish();
rollback;
