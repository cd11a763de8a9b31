begin;
select plan(3);

select tasker_test.freeze(now());
select tasker_test.register_diamond();
create temporary table made as select * from tasker.create_task('test', 'diamond', p_identity_ttl => interval '1 hour');

select tasker_test.pass('59 minutes');
select is((select c.created from tasker.create_task('test', 'diamond') as c), false, 'within its time it finds the first task');
select tasker_test.pass('1 minute');
select is((select c.created from tasker.create_task('test', 'diamond') as c), true, 'after it the same request is a new one');
select isnt((select c.task_uuid from tasker.create_task('test', 'diamond') as c), (select m.task_uuid from made as m), 'which later ones find');

select * from finish();
rollback;
