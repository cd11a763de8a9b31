begin;
select plan(3);

select tasker_test.take_turn();
select tasker.register_namespace('test');
select throws_ok(
  format('select tasker_test.call_as(%L, %L)', r.role, $$ select tasker.pause_namespace('test') $$),
  '42501', 'permission denied for function pause_namespace', format('%s may not', r.role)
)
  from (values ('tasker_submitter'), ('tasker_worker'), ('tasker_reader')) as r (role);

select * from finish();
rollback;
