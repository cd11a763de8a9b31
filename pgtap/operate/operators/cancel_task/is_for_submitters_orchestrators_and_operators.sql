begin;
select plan(3);

select tasker_test.freeze();
select throws_ok(
  format('select tasker_test.call_as(%L, %L)', r.role, 'select tasker.cancel_task(tasker_test.create_task())'),
  '42501', null, format('%s may not', r.role)
)
  from (values ('tasker_worker'), ('tasker_reader')) as r (role);
select tasker_test.create_task();
select is(
  tasker_test.call_as('tasker_submitter', 'select tasker.cancel_task(tasker_test.the_task())'), 'true', 'a submitter may cancel a task'
);

select * from finish();
rollback;
