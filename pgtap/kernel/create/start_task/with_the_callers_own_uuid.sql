begin;
select plan(4);

select tasker.register_task_template('{"namespace": "test", "name": "unique", "identity_strategy": "always_unique", "steps": [{"name": "a"}]}');
select tasker_test.allow_starts();
select tasker.mint_task_uuid() as mine \gset

create function pg_temp.started(p_task_uuid uuid) returns setof tasker.task_starts language sql as $$
  select s.* from tasker.start_task('test', 'unique', '00000000-0000-0000-0000-0000000000c1', p_task_uuid => p_task_uuid) as s;
$$;
select results_eq(
  format($$ select s.task_uuid, s.created, s.name from pg_temp.started(%L) as s $$, :'mine'),
  format($$ values (%L::uuid, true, 'a') $$, :'mine'), 'the task has the given UUID'
);
select results_eq(
  format($$ select s.task_uuid, s.created from pg_temp.started(%L) as s $$, :'mine'),
  format($$ values (%L::uuid, false) $$, :'mine'), 'a repeat finds the task'
);
select is((select count(*) from tasker.workflow_steps as s where s.task_uuid = :'mine'), 1::bigint, 'a repeat adds no steps');
select throws_ok(
  $$ select pg_temp.started('9b2f8f0a-3c1d-4e5f-8a6b-7c8d9e0f1a2b') $$,
  'TK422', '9b2f8f0a-3c1d-4e5f-8a6b-7c8d9e0f1a2b is not the UUID of a task', 'a UUID of version 4 is refused'
);

select * from finish();
rollback;
