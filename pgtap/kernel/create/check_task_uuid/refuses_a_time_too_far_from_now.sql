-- A whole second, so that the UUID's milliseconds are exact.
begin;
select plan(6);

select tasker_test.freeze(date_trunc('second', now()));

select lives_ok(
  $$ select tasker.check_task_uuid(tasker_test.task_uuid_at(tasker.clock() - interval '1 hour')) $$,
  'a time of an hour ago is accepted'
);
select throws_ok(
  $$ select tasker.check_task_uuid(tasker_test.task_uuid_at(tasker.clock() - interval '1 hour 1 millisecond')) $$,
  'TK422', format(
    'the time in task UUID %s is too far from now',
    tasker_test.task_uuid_at(tasker.clock() - interval '1 hour 1 millisecond')
  ),
  'a time of an hour and a millisecond ago is refused'
);
select lives_ok(
  $$ select tasker.check_task_uuid(tasker_test.task_uuid_at(tasker.clock() + interval '1 hour')) $$,
  'a time of an hour ahead is accepted'
);
select throws_ok(
  $$ select tasker.check_task_uuid(tasker_test.task_uuid_at(tasker.clock() + interval '1 hour 1 millisecond')) $$,
  'TK422', format(
    'the time in task UUID %s is too far from now',
    tasker_test.task_uuid_at(tasker.clock() + interval '1 hour 1 millisecond')
  ),
  'a time more than an hour ahead is refused'
);
select throws_ok(
  $$ select tasker.check_task_uuid('00000000-0000-7000-8000-000000000000') $$,
  'TK422', 'the time in task UUID 00000000-0000-7000-8000-000000000000 is too far from now',
  'the first possible time is refused'
);
select throws_ok(
  $$ select tasker.check_task_uuid('ffffffff-ffff-7fff-bfff-ffffffff0000') $$,
  'TK422', 'the time in task UUID ffffffff-ffff-7fff-bfff-ffffffff0000 is too far from now',
  'the last possible time is refused'
);

select * from finish();
rollback;
