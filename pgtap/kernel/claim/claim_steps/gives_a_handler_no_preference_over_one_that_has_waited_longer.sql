begin;
select plan(2);

select tasker_test.freeze();
select tasker_test.register('early', 'zebra');
select tasker_test.register('late', 'ant');
select tasker_test.launch('early');
select tasker_test.pass('1 second');
select tasker_test.launch('late');
select results_eq('select c.handler from tasker_test.claim(1) as c', $$ values ('zebra') $$, 'a claim gets the oldest step of the lane');
select results_eq('select c.handler from tasker_test.claim(1) as c', $$ values ('ant') $$, 'a claim gets the oldest step also when its handler''s name comes first');

select * from finish();
rollback;
