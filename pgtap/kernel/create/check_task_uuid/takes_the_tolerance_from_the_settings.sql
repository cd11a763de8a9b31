begin;
select plan(3);

select tasker_test.freeze(date_trunc('second', now()));

select tasker.set_setting('uuid_tolerance_seconds', '60');
select throws_ok(
  $$ select tasker.check_task_uuid(tasker_test.task_uuid_at(tasker.clock() + interval '61 seconds')) $$,
  'TK422',
  format(
    'the time in task UUID %s is too far from now',
    tasker_test.task_uuid_at(tasker.clock() + interval '61 seconds')
  ),
  'a tolerance of 60 seconds refuses 61 seconds'
);

select tasker.set_setting('uuid_tolerance_seconds', '61');
select lives_ok(
  $$ select tasker.check_task_uuid(tasker_test.task_uuid_at(tasker.clock() + interval '61 seconds')) $$,
  'a tolerance of 61 seconds accepts 61 seconds'
);

select tasker.set_setting('uuid_tolerance_seconds', '0');
select lives_ok(
  $$ select tasker.check_task_uuid(tasker_test.task_uuid_at(tasker.clock())) $$,
  'a tolerance of 0 accepts the current time'
);

select * from finish();
rollback;
