begin;
select plan(23);

select tasker_test.freeze();
select tasker_test.create_task();
create role tap_honest login in role tasker_worker;
create role tap_mallory login in role tasker_worker;
create role tap_operator login in role tasker_operator;
create role tap_bound login in role tasker_operator, tasker_worker;
select tasker.register_namespace('other');
select tasker.bind_role('tap_bound', '{other}');
create function pg_temp.refused(p_call text, p_what text) returns text language sql as $$
  select throws_ok(
    p_call, 'TK403', 'worker 00000000-0000-0000-0000-0000000000f1 belongs to another role than "tap_mallory"', p_what
  );
$$;

set session authorization tap_honest;
select ok(tasker.register_worker('00000000-0000-0000-0000-0000000000f1', 'honest'), 'a worker is registered');
select is(
  (select count(*) from tasker.claim_steps('{test}', '00000000-0000-0000-0000-0000000000f1', p_request_uuid => '00000000-0000-0000-0000-0000000000aa')),
  1::bigint, 'it claims a step'
);
set session authorization tap_mallory;
select pg_temp.refused($$ select tasker.register_worker('00000000-0000-0000-0000-0000000000f1', 'renamed by mallory') $$, 'another role does not rename it');
select pg_temp.refused($$ select tasker.heartbeat_worker('00000000-0000-0000-0000-0000000000f1') $$, 'nor says that it lives');
select pg_temp.refused($$ select tasker.claim_steps('{test}', '00000000-0000-0000-0000-0000000000f1') $$, 'nor claims for it');
select pg_temp.refused(
  $$ select tasker.exchange_steps('00000000-0000-0000-0000-0000000000f1', p_limit => 1, p_request_uuid => '00000000-0000-0000-0000-0000000000aa') $$,
  'nor has what it claimed handed out again'
);
select pg_temp.refused(
  $$ select tasker.claim_step('01900000-0000-7000-8000-000000000001', '00000000-0000-0000-0000-0000000000f1') $$, 'nor a known step'
);
reset session authorization;
select tasker_test.allow_starts();
set session authorization tap_mallory;
select pg_temp.refused(
  $$ select tasker.start_task('test', 'diamond', '00000000-0000-0000-0000-0000000000f1') $$, 'nor starts a task as it'
);
set local role tasker_worker;
select throws_ok(
  $$ select tasker.heartbeat_worker('00000000-0000-0000-0000-0000000000f1') $$, 'TK403', 'worker 00000000-0000-0000-0000-0000000000f1 belongs to another role than "tasker_worker"', 'another login may not send its heartbeat'
);
reset role;

set session authorization tap_honest;
set local role tasker_worker;
select throws_ok(
  $$ select tasker.heartbeat_worker('00000000-0000-0000-0000-0000000000f1') $$, 'TK403', 'worker 00000000-0000-0000-0000-0000000000f1 belongs to another role than "tasker_worker"', 'the same login under another role may not send its heartbeat'
);
reset role;
select ok(tasker.heartbeat_worker('00000000-0000-0000-0000-0000000000f1'), 'the worker''s own role may send its heartbeat');
set session authorization tap_operator;
select ok(tasker.heartbeat_worker('00000000-0000-0000-0000-0000000000f1'), 'an operator may send its heartbeat');
select is(tasker.register_worker('00000000-0000-0000-0000-0000000000f1', 'named by an operator'), false, 'an operator may rename it');
select throws_ok(
  $$ select tasker.claim_steps('{test}', '00000000-0000-0000-0000-0000000000f1') $$,
  'TK403', 'worker 00000000-0000-0000-0000-0000000000f1 belongs to another role than "tap_operator"', 'an operator does not claim under its name'
);
set session authorization tap_bound;
create function pg_temp.not_for_bound(p_call text, p_what text) returns text language sql as $$
  select throws_ok(
    p_call, 'TK403', 'worker 00000000-0000-0000-0000-0000000000f1 belongs to another role than "tap_bound"', p_what
  );
$$;
select pg_temp.not_for_bound($$ select tasker.heartbeat_worker('00000000-0000-0000-0000-0000000000f1') $$, 'an operator of another namespace may not send its heartbeat');
select pg_temp.not_for_bound(
  $$ select tasker.register_worker('00000000-0000-0000-0000-0000000000f1', 'renamed', '{other}') $$, 'nor rename it and change its namespaces'
);
select pg_temp.not_for_bound($$ select tasker.claim_steps('{other}', '00000000-0000-0000-0000-0000000000f1') $$, 'nor claim as it in its own namespace');
select pg_temp.not_for_bound(
  $$ select tasker.exchange_steps('00000000-0000-0000-0000-0000000000f1', p_waiting => '{}') $$, 'nor say what waits there'
);
reset session authorization;
select tasker.bind_role('tap_honest', '{other}');
set session authorization tap_bound;
select ok(tasker.heartbeat_worker('00000000-0000-0000-0000-0000000000f1'), 'an operator of all namespaces that the worker''s role is bound to may');
reset session authorization;
update tasker.workers set may_serve = '{other,test}' where worker_uuid = '00000000-0000-0000-0000-0000000000f1';
select tasker.bind_role('tap_honest', '{other,test}');
set session authorization tap_bound;
select pg_temp.not_for_bound($$ select tasker.heartbeat_worker('00000000-0000-0000-0000-0000000000f1') $$, 'one of some of them may not');
select is_empty(
  $$ select from tasker.list_workers() as w where 'test' = any (w.namespaces) $$, 'and sees no other namespace among those of the worker'
);
reset session authorization;
select results_eq(
  $$ select w.name, w.login, w.role from tasker.list_workers() as w where w.worker_uuid = '00000000-0000-0000-0000-0000000000f1' $$,
  $$ values ('named by an operator', 'tap_honest', null::text) $$, 'the worker still belongs to its login and role'
);
select is(
  (select s.worker_uuid from tasker.workflow_steps as s where s.task_uuid = tasker_test.the_task() and s.state = 'in_progress'),
  '00000000-0000-0000-0000-0000000000f1'::uuid, 'the worker keeps its step'
);

select * from finish();
rollback;
