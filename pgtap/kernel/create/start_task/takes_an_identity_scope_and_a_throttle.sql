begin;
select plan(6);

select tasker_test.freeze();
select tasker_test.allow_starts();
select tasker.register_task_template('{"namespace": "test", "name": "mail", "identity_strategy": "caller_provided", "steps": [{"name": "a"}]}');
create function pg_temp.request(p_key text, p_scope text default null) returns text language sql as $$
  select concat_ws(' ', s.created, s.name) from tasker.start_task(
    'test', 'mail', tasker_test.worker(), p_identity_key => p_key, p_identity_scope => p_scope, p_throttle_limit => 2, p_throttle_seconds => 60) as s;
$$;
select is(pg_temp.request('1'), 't a', 'the first task starts, and its step is claimed');
select is(pg_temp.request('2'), 't a', 'the second task starts, and its step is claimed');
select throws_ok($$ select pg_temp.request('3') $$, 'TK429', 'too many tasks of template "test/mail"', 'the third is refused');
select is((select count(*) from tasker.step_queue), 2::bigint, 'a refused call leaves no step behind');
select tasker.cancel_task(t.task_uuid) from tasker.tasks as t;
select tasker_test.pass('2 minutes');
select is(pg_temp.request('1'), 'f', 'an identity lasts forever by default');
select is(pg_temp.request('1', 'open'), 't a', 'an identity of scope "open" lasts until its task has ended');

select * from finish();
rollback;
