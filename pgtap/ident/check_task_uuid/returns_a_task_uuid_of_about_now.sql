begin;
select plan(4);

select tasker_test.freeze();

select is(
  tasker.check_task_uuid(tasker_test.task_uuid_at(tasker.clock())), tasker_test.task_uuid_at(tasker.clock()),
  'one of now'
);
select is(
  tasker.check_task_uuid(tasker_test.task_uuid_at(tasker.clock() - interval '59 minutes')),
  tasker_test.task_uuid_at(tasker.clock() - interval '59 minutes'),
  'one of a client whose clock is behind'
);
select is(
  tasker.check_task_uuid(tasker_test.task_uuid_at(tasker.clock() + interval '59 minutes')),
  tasker_test.task_uuid_at(tasker.clock() + interval '59 minutes'),
  'one of a client whose clock is ahead'
);
select lives_ok('select tasker.check_task_uuid(tasker.mint_task_uuid())', 'one that the database made');

select * from finish();
rollback;
