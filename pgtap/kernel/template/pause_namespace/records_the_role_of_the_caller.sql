begin;
select plan(4);

select tasker_test.freeze();
select tasker.register_namespace('test');
select tasker_test.call_as('tasker_operator', $$ select tasker.pause_namespace('test') $$);
prepare paused as
  select n.paused_by, n.paused_login, n.paused_role from tasker.list_namespaces() as n where n.name = 'test';
select results_eq(
  'paused', format('values (%L, %L, %L)', 'tasker_operator', session_user, 'tasker_operator'), 'the actor is the caller''s role'
);
select tasker.resume_namespace('test');
select results_eq('paused', 'values (null::text, null::text, null::text)', 'a resumed namespace has no role');
select tasker_test.call_as('tasker_operator', $$ select tasker.pause_namespace('test', 'eve') $$);
select results_eq(
  'paused', format('values (%L, %L, %L)', 'eve', session_user, 'tasker_operator'), 'the role is recorded beside the given actor'
);
select tasker.resume_namespace('test');
select tasker.pause_namespace('test', 'eve');
select results_eq('paused', format('values (%L, %L, null)', 'eve', session_user), 'the login is recorded if the caller has set no role');

select * from finish();
rollback;
