begin;
select plan(4);

select tasker_test.take_turn();
select tasker.register_namespace('test');
select tasker.pause_namespace('test');
select throws_ok(
  format('select tasker_test.call_as(%L, %L)', r.role, $$ select tasker.resume_namespace('test') $$),
  '42501', 'permission denied for function resume_namespace', format('%s may not', r.role)
)
  from (values ('tasker_submitter'), ('tasker_worker'), ('tasker_reader')) as r (role);
select is(tasker_test.call_as('tasker_operator', $$ select tasker.resume_namespace('test') $$), 'true', 'an operator may resume a namespace');

select * from finish();
rollback;
