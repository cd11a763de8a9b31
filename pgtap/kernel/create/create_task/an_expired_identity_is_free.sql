begin;
select plan(3);

select tasker_test.freeze(now());
select tasker_test.register_diamond();
create temporary table made as select * from tasker.create_task('test', 'diamond', p_identity_ttl => interval '1 hour');

select tasker_test.pass('59 minutes');
select is((select c.created from tasker.create_task('test', 'diamond') as c), false, 'a request finds the first task within the period of its identity');
select tasker_test.pass('1 minute');
select is((select c.created from tasker.create_task('test', 'diamond') as c), true, 'a request creates a task after that period');
select isnt((select c.task_uuid from tasker.create_task('test', 'diamond') as c), (select m.task_uuid from made as m), 'later requests find the new task');

select * from finish();
rollback;
