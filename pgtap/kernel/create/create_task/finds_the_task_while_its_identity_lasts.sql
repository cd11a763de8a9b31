begin;
select plan(11);

select tasker_test.freeze();
select tasker.register_task_template('{"namespace": "test", "name": "keyed", "identity_strategy": "caller_provided", "steps": [{"name": "a"}]}');
select tasker.register_task_template('{"namespace": "test", "name": "strict", "steps": [{"name": "a"}]}');

create function pg_temp.made(p_scope text, p_context jsonb default '{}', p_ttl interval default null) returns boolean language sql as $$
  select c.created from tasker.create_task('test', 'keyed', p_context, p_identity_key => 'k', p_identity_scope => p_scope, p_identity_ttl => p_ttl) as c;
$$;
select is(pg_temp.made('open'), true, 'the first request creates a task');
select is(pg_temp.made('open'), false, 'a request finds the open task');
select throws_ok($$ select pg_temp.made('open', '{"other": 1}') $$, 'TK409', 'identity key "k" belongs to a task with another context', 'a request with another context is refused');
select tasker_test.end_tasks();
select is(pg_temp.made('forever'), false, 'a request of scope "forever" finds the task after its end');
select is(pg_temp.made('open', '{"other": 1}'), true, 'a request of scope "open" takes over the identity of an ended task');
select is(pg_temp.made('forever', '{"other": 1}'), false, 'later requests find the new task');
select is((select count(*) from tasker.task_identities), 1::bigint, 'one identity exists');

select tasker_test.end_tasks();
select tasker.create_task('test', 'keyed', p_identity_key => 'p', p_identity_scope => 'period', p_identity_ttl => '1 hour');
select tasker_test.pass('59 minutes');
select is(
  (select c.created from tasker.create_task('test', 'keyed', p_identity_key => 'p', p_identity_scope => 'period', p_identity_ttl => '1 hour') as c),
  false, 'a request finds the task within its period'
);
select tasker_test.pass('1 minute');
select is(
  (select c.created from tasker.create_task('test', 'keyed', p_identity_key => 'p', p_identity_scope => 'period', p_identity_ttl => '1 hour') as c),
  true, 'a request creates a task after its period'
);
select tasker.create_task('test', 'strict', p_identity_scope => 'open');
select is((select c.created from tasker.create_task('test', 'strict', p_identity_scope => 'open') as c), false, 'an identity of the context has a scope, too');
select is_empty('select v from tasker.tasks as t cross join lateral tasker_test.violations(t.task_uuid) as v', 'every invariant holds');

select * from finish();
rollback;
