begin;
select plan(4);

select throws_ok(
  $$ select tasker.check_task_uuid(null) $$,
  'TK422', 'null is not the UUID of a task',
  'null is refused'
);
select throws_ok(
  $$ select tasker.check_task_uuid('6b6a3b0e-8f43-4a52-9a0c-3a1d9e5b0000') $$,
  'TK422', '6b6a3b0e-8f43-4a52-9a0c-3a1d9e5b0000 is not the UUID of a task',
  'a UUID of version 4 is refused, even if it ends in zeros'
);
select throws_ok(
  $$ select tasker.check_task_uuid(tasker.step_uuid(tasker_test.task_uuid_at(now()), 1)) $$,
  'TK422', format('%s is not the UUID of a task', tasker.step_uuid(tasker_test.task_uuid_at(now()), 1)),
  'the UUID of a step is refused'
);
select throws_ok(
  $$ select tasker.check_task_uuid('00000000-0000-0000-0000-000000000000') $$,
  'TK422', '00000000-0000-0000-0000-000000000000 is not the UUID of a task',
  'the nil UUID is refused'
);

select * from finish();
rollback;
