begin;
select plan(1);

select tasker_test.freeze();
select tasker_test.register('one', 'a');
create temporary table tasks as select tasker_test.launch('one') as task_uuid;
select from tasker_test.claim();
select tasker_test.pass('30 seconds');
select tasker_test.launch('one');
select tasker_test.pass('30 seconds');
select results_eq('select c.task_uuid from tasker_test.claim(1) as c', 'select t.task_uuid from tasks as t', 'a lost step comes before steps that were enqueued while it ran');

select * from finish();
rollback;
