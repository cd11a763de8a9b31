begin;
select plan(6);

select tasker_test.create_task();
select throws_ok(
  format('select tasker_test.call_as(%L, %L)', r.role, $$ select tasker.fork_task(tasker_test.the_task(), 'left') $$),
  '42501', 'permission denied for function fork_task', format('%s may not', r.role)
)
  from (values ('tasker_submitter'), ('tasker_worker'), ('tasker_reader')) as r (role);
select isnt(
  tasker_test.call_as('tasker_orchestrator', $$ select tasker.fork_task(tasker_test.the_task(), 'left') $$), null, 'an orchestrator may fork a task'
);
select isnt(
  tasker_test.call_as('tasker_operator', $$ select tasker.fork_task(tasker_test.the_task(), 'left') $$), null, 'an operator may fork a task'
);
create role tap_bound;
grant tasker_operator to tap_bound;
grant usage on schema tasker_test to tap_bound;
select tasker.register_namespace('other');
select tasker.bind_role('tap_bound', '{other}');
select throws_ok(
  $$ select tasker_test.call_as('tap_bound', $q$ select tasker.fork_task(tasker_test.the_task(), 'left') $q$) $$, 'TK403', 'role "tap_bound" may not work in namespace "test"',
  'a role that is bound to another namespace may not fork the task'
);

select * from finish();
rollback;
