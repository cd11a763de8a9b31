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
  'with a minute, 61 seconds are too many'
);

select tasker.set_setting('uuid_tolerance_seconds', '61');
select lives_ok(
  $$ select tasker.check_task_uuid(tasker_test.task_uuid_at(tasker.clock() + interval '61 seconds')) $$,
  'with one second more they are not'
);

select tasker.set_setting('uuid_tolerance_seconds', '0');
select lives_ok(
  $$ select tasker.check_task_uuid(tasker_test.task_uuid_at(tasker.clock())) $$,
  'with none, this very moment is left'
);

select * from finish();
rollback;
