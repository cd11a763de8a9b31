begin;
select plan(11);

select tasker_test.freeze();
select tasker.register_task_template('{"namespace": "test", "name": "keyed", "identity_strategy": "caller_provided", "steps": [{"name": "a"}]}');
select tasker.register_task_template('{"namespace": "test", "name": "strict", "steps": [{"name": "a"}]}');

create function pg_temp.made(p_scope text, p_context jsonb default '{}', p_ttl interval default null) returns boolean language sql as $$
  select c.created from tasker.create_task('test', 'keyed', p_context, p_identity_key => 'k', p_identity_scope => p_scope, p_identity_ttl => p_ttl) as c;
$$;
select is(pg_temp.made('open'), true, 'the first');
select is(pg_temp.made('open'), false, 'it is open');
select throws_ok($$ select pg_temp.made('open', '{"other": 1}') $$, 'TK409', 'identity key "k" belongs to a task with another context', 'and has its context');
select tasker_test.end_tasks();
select is(pg_temp.made('forever'), false, 'for ever it is found after its end');
select is(pg_temp.made('open', '{"other": 1}'), true, 'its identity is taken over when it has ended');
select is(pg_temp.made('forever', '{"other": 1}'), false, 'from then on the new one is found');
select is((select count(*) from tasker.task_identities), 1::bigint, 'there is one identity');

select tasker_test.end_tasks();
select tasker.create_task('test', 'keyed', p_identity_key => 'p', p_identity_scope => 'period', p_identity_ttl => '1 hour');
select tasker_test.pass('59 minutes');
select is(
  (select c.created from tasker.create_task('test', 'keyed', p_identity_key => 'p', p_identity_scope => 'period', p_identity_ttl => '1 hour') as c),
  false, 'within its period'
);
select tasker_test.pass('1 minute');
select is(
  (select c.created from tasker.create_task('test', 'keyed', p_identity_key => 'p', p_identity_scope => 'period', p_identity_ttl => '1 hour') as c),
  true, 'after it'
);
select tasker.create_task('test', 'strict', p_identity_scope => 'open');
select is((select c.created from tasker.create_task('test', 'strict', p_identity_scope => 'open') as c), false, 'by the context, too');
select is_empty('select v from tasker.tasks as t cross join lateral tasker_test.violations(t.task_uuid) as v', 'all is sound');

select * from finish();
rollback;
