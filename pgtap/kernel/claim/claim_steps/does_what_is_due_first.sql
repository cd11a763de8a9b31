begin;
select plan(5);

select tasker_test.freeze();
select tasker_test.register('one', 'a');
select c.task_uuid as later from tasker.create_task('test', 'one', '{"n": 1}', p_start_at => tasker.clock() + interval '1 hour') as c \gset
select c.task_uuid as retried from tasker.create_task('test', 'one', '{"n": 2}') as c \gset
select from tasker_test.claim();
select tasker_test.fail('a', p_task => :'retried');
select is_empty('select from tasker_test.claim()', 'a claim gets no step while a start and a retry are not due');
select tasker_test.pass('2 hours');
select set_eq('select c.task_uuid from tasker_test.claim() as c', array[:'later', :'retried']::uuid[], 'a claim gets both when they are due');

select tasker_test.make_task('one') as touched \gset
select set_eq('select c.task_uuid from tasker_test.claim() as c', array[:'touched']::uuid[], 'a claim gets the step of a task that a direct call touched');
select c.task_uuid as deferred from tasker.create_task('test', 'one', '{"n": 3}', p_deferred => true) as c \gset
select is_empty('select from tasker_test.claim()', 'a claim does not get a deferred start');
select is_empty($$ select v from unnest(array['$$ || :'later' || $$', '$$ || :'retried' || $$', '$$ || :'touched' || $$', '$$ || :'deferred' || $$']::uuid[]) as u (task) cross join lateral tasker_test.violations(u.task) as v $$, 'every invariant holds');

select * from finish();
rollback;
