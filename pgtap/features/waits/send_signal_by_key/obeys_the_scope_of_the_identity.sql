begin;
select plan(11);

select tasker_test.freeze('2026-11-22 12:00:00+00');
select from tasker.register_task_template('{"namespace": "test", "name": "actor", "identity_strategy": "caller_provided", "steps": [
  {"name": "work", "await": {"signal": "go"}}]}');
create function pg_temp.send(p_key text, p_idempotency_key text, p_scope text default null) returns text language sql as $$
  select concat_ws(' ', case when a.created then 'created' else 'found' end, a.answer::text)
    from tasker.send_signal_by_key('test', 'actor', p_key, 'go', '{}', p_idempotency_key, true, '{"a": 1}', p_identity_scope => p_scope) as a;
$$;

-- The key's last task was created with the scope open.
select c.task_uuid as first from tasker.create_task('test', 'actor', '{"a": 1}', p_identity_key => 'k', p_identity_scope => 'open') as c \gset
select is(pg_temp.send('k', 'e1'), 'found delivered', 'an open task takes the signal');
select is(tasker.get_current_task_state(:'first'), 'complete', 'the task has ended');
select is(pg_temp.send('k', 'e1'), 'found repeated', 'a repeat of what the last task had starts none');
select is(pg_temp.send('k', 'e2'), 'created delivered', 'another signal starts the next task of the key');
select is(pg_temp.send('k', 'e3'), 'created delivered', 'and so does the next one, which has the same scope');
select is(
  (select a.answer::text from tasker.send_signal_by_key('test', 'actor', 'k', 'go', '{}', 'e4') as a), 'ended', 'without p_start a task that has ended takes none'
);

-- The first task is started by a signal.
select is(pg_temp.send('l', 'e1', 'open'), 'created delivered', 'a signal starts a task of the scope open');
select is(pg_temp.send('l', 'e2'), 'created delivered', 'the scope is the key''s');
select is(pg_temp.send('m', 'e1'), 'created delivered', 'without a scope an identity is for ever');
select is(pg_temp.send('m', 'e2'), 'found ended', 'the key of an identity that lasts is not free');
select throws_ok(
  $$ select pg_temp.send('m', 'e2', 'period') $$, 'TK422', 'the identity scope of a task that a signal starts cannot be "period"', 'another scope is refused'
);

select * from finish();
rollback;
