-- A whole second, so that the UUID's milliseconds are exact.
begin;
select plan(6);

select tasker_test.freeze(date_trunc('second', now()));

select lives_ok(
  $$ select tasker.check_task_uuid(tasker_test.task_uuid_at(tasker.clock() - interval '1 hour')) $$,
  'an hour behind is allowed'
);
select throws_ok(
  $$ select tasker.check_task_uuid(tasker_test.task_uuid_at(tasker.clock() - interval '1 hour 1 millisecond')) $$,
  'TK422', format(
    'the time in task UUID %s is too far from now',
    tasker_test.task_uuid_at(tasker.clock() - interval '1 hour 1 millisecond')
  ),
  'a millisecond more is not'
);
select lives_ok(
  $$ select tasker.check_task_uuid(tasker_test.task_uuid_at(tasker.clock() + interval '1 hour')) $$,
  'an hour ahead is allowed'
);
select throws_ok(
  $$ select tasker.check_task_uuid(tasker_test.task_uuid_at(tasker.clock() + interval '1 hour 1 millisecond')) $$,
  'TK422', format(
    'the time in task UUID %s is too far from now',
    tasker_test.task_uuid_at(tasker.clock() + interval '1 hour 1 millisecond')
  ),
  'a millisecond more is not'
);
select throws_ok(
  $$ select tasker.check_task_uuid('00000000-0000-7000-8000-000000000000') $$,
  'TK422', 'the time in task UUID 00000000-0000-7000-8000-000000000000 is too far from now',
  'the beginning of time'
);
select throws_ok(
  $$ select tasker.check_task_uuid('ffffffff-ffff-7fff-bfff-ffffffff0000') $$,
  'TK422', 'the time in task UUID ffffffff-ffff-7fff-bfff-ffffffff0000 is too far from now',
  'its end'
);

select * from finish();
rollback;
