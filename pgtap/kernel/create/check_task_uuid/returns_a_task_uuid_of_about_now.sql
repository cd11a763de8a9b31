begin;
select plan(4);

select tasker_test.freeze();

select is(
  tasker.check_task_uuid(tasker_test.task_uuid_at(tasker.clock())), tasker_test.task_uuid_at(tasker.clock()),
  'a UUID with the current time is returned'
);
select is(
  tasker.check_task_uuid(tasker_test.task_uuid_at(tasker.clock() - interval '59 minutes')),
  tasker_test.task_uuid_at(tasker.clock() - interval '59 minutes'),
  'a UUID from a clock that is behind is returned'
);
select is(
  tasker.check_task_uuid(tasker_test.task_uuid_at(tasker.clock() + interval '59 minutes')),
  tasker_test.task_uuid_at(tasker.clock() + interval '59 minutes'),
  'a UUID from a clock that is ahead is returned'
);
select lives_ok('select tasker.check_task_uuid(tasker.mint_task_uuid())', 'a UUID that the database generated is accepted');

select * from finish();
rollback;
