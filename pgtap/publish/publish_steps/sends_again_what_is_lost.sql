begin;
select plan(8);

select tasker_test.freeze();
select tasker_test.register('wide', 'a', 'b', 'c');
select tasker.register_namespace('test', p_transport => 'broker');
select tasker_test.launch('wide');
prepare publish (bigint) as select p.handler, p.again from tasker.publish_steps('test', 'normal', 10, $1, 60) as p order by p.handler;
select is((select count(*) from tasker.publish_steps('test', 'normal')), 3::bigint, 'they are published');
select is_empty($$ execute publish (0) $$, 'a queue that was worked off at once has lost nothing');
select tasker_test.pass('61 seconds');
select is_empty($$ execute publish (3) $$, 'nor has one with as many messages as steps wait');
select is_empty($$ execute publish (null) $$, 'without a depth none is looked for');
select is((select count(*) from tasker.claim_delivered_steps(array[tasker_test.the_step('b')], tasker_test.worker()) as c), 1::bigint, 'one is claimed');
select results_eq($$ execute publish (1) $$, $$ values ('a', true), ('c', true) $$, 'the others are sent again when there are fewer messages');
select is_empty($$ execute publish (0) $$, 'once');
select tasker_test.pass('10 minutes');
select is((select count(*) from tasker.publish_steps('test', 'normal', 10, 1000, 60)), 2::bigint, 'and after ten times as long, however many messages there are');

select * from finish();
rollback;
