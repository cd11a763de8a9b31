-- The process that started the task may die at once.
begin;
select plan(4);

select tasker_test.freeze('2050-01-20 12:00Z');
select tasker.ensure_partitions();
select tasker_test.allow_starts();
select tasker_test.register('one', 'only');
create temporary table started as select s.* from tasker.start_task('test', 'one', '00000000-0000-0000-0000-0000000000c1', p_lease_seconds => 10) as s;
select set_config('tasker_test.task', (select s.task_uuid::text from started as s), true);

select tasker_test.pass('9 seconds');
select is_empty($$ select from tasker.claim_steps('{test}', gen_random_uuid(), 10) $$, 'no other worker gets the step before its lease ends');
select tasker_test.pass('2 seconds');
select results_eq(
  $$ select c.name, c.attempt, c.lost_count from tasker.claim_steps('{test}', gen_random_uuid(), 10) as c $$,
  $$ values ('only', 1, 1) $$,
  'another worker then gets the step without losing an attempt'
);
select results_eq(
  $$ select r.answer::text from started as s cross join lateral tasker.complete_steps(array[s.step_uuid], array[s.claim_no], array['{}'::jsonb]) as r $$,
  array['stale'], 'the result of the first worker is stale'
);
select is_empty('select tasker_test.violations()', 'every invariant holds');

select * from finish();
rollback;
