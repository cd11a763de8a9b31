-- A claim does what is due in all namespaces, also if a bound role makes it.
begin;
select plan(2);

select tasker_test.freeze();
select tasker.register_namespace('bank', p_transport => 'pgmq');
select tasker.register_task_template('{"namespace": "shop", "name": "one", "steps": [{"name": "a"}]}');
select tasker.register_task_template('{"namespace": "bank", "name": "one", "steps": [{"name": "b"}]}');
create role tap_bound in role tasker_worker;
select tasker.bind_role('tap_bound', '{shop}');
select c.task_uuid as bank from tasker.create_task('bank', 'one', '{}', p_start_at => tasker.clock() + interval '1 minute') as c \gset
select tasker_test.pass('2 minutes');

select is(tasker_test.call_as('tap_bound', 'select count(*)::text from tasker.claim_steps(null, tasker_test.worker(), 10) as c'), '0', 'the bound role claims no step');
select is((select t.state::text from tasker.tasks as t where t.task_uuid = :'bank'), 'steps_in_process', 'a due task of another namespace has started');

select * from finish();
rollback;
