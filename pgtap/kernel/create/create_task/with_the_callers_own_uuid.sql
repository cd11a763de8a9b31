begin;
select plan(7);

select tasker_test.take_turn();

select tasker.register_task_template('{"namespace": "test", "name": "unique", "identity_strategy": "always_unique", "steps": [{"name": "a"}]}');
select tasker_test.register_diamond();
select tasker.mint_task_uuid() as mine \gset

select results_eq(
  format($$ select c.task_uuid, c.created from tasker.create_task('test', 'unique', p_task_uuid => %L) as c $$, :'mine'),
  format($$ values (%L::uuid, true) $$, :'mine'), 'the task has the given UUID'
);
select results_eq(
  format($$ select c.task_uuid, c.created from tasker.create_task('test', 'unique', p_task_uuid => %L) as c $$, :'mine'),
  format($$ values (%L::uuid, false) $$, :'mine'), 'a repeat finds the task'
);
select is((select count(*) from tasker.workflow_steps as s where s.task_uuid = :'mine'), 1::bigint, 'a repeat adds no steps');
select throws_ok(
  format($$ select tasker.create_task('test', 'diamond', p_task_uuid => %L) $$, :'mine'),
  'TK409', format('task UUID %s is taken by another task', :'mine'), 'the UUID is refused for a task of another template'
);
select throws_ok(
  $$ select tasker.create_task('test', 'unique', p_task_uuid => '9b2f8f0a-3c1d-4e5f-8a6b-7c8d9e0f1a2b') $$,
  'TK422', '9b2f8f0a-3c1d-4e5f-8a6b-7c8d9e0f1a2b is not the UUID of a task', 'a UUID of version 4 is refused'
);
select throws_ok(
  $$ select tasker.create_task('test', 'unique', p_task_uuid => '018f0000-0000-7000-8000-000000000000') $$,
  'TK422', 'the time in task UUID 018f0000-0000-7000-8000-000000000000 is too far from now', 'a UUID of another time is refused'
);
select is(
  (select count(*) from tasker.task_identities as i where i.task_uuid = :'mine'), 0::bigint,
  'a refused request leaves no identity behind'
);

select * from finish();
rollback;
