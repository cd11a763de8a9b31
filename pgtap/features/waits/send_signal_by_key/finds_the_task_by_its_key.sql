begin;
select plan(9);

select tasker_test.freeze('2026-11-22 12:00:00+00');
select from tasker.register_task_template('{"namespace": "test", "name": "order", "identity_strategy": "caller_provided", "steps": [
  {"name": "approve", "await": {"signal": "approved"}}]}');
select from tasker.register_task_template('{"namespace": "test", "name": "strict", "steps": [{"name": "a"}]}');
select c.task_uuid as task from tasker.create_task('test', 'order', '{"n": 1}', p_identity_key => 'A-1') as c \gset

select throws_ok(
  $$ select tasker.send_signal_by_key('test', 'order', 'A-2', 'approved') $$, 'TK404',
  'no task of template "test/order" has identity key "A-2"', 'a key that no task has is refused'
);
select results_eq(
  $$ select a.created, a.answer::text from tasker.send_signal_by_key('test', 'order', 'A-1', 'approved', '{}', 'hook') as a $$,
  $$ values (false, 'delivered') $$, 'the task with the key gets the signal'
);
select results_eq(
  $$ select a.created, a.answer::text from tasker.send_signal_by_key('test', 'order', 'A-1', 'approved', '{}', 'hook') as a $$,
  $$ values (false, 'repeated') $$, 'a repeat after the end of the task is answered as repeated'
);
select results_eq(
  $$ select a.created, a.answer::text, a.signal_no from tasker.send_signal_by_key('test', 'order', 'A-1', 'approved', '{}', 'other', true) as a $$,
  $$ values (false, 'ended', 0) $$, 'a new signal is not taken, even with p_start, because the task with the key has ended'
);
select results_eq(
  $$ select a.created, a.answer::text from tasker.send_signal_by_key('test', 'order', 'A-2', 'approved', '{"ok": true}', 'hook', true, '{"from": "webhook"}') as a $$,
  $$ values (true, 'delivered') $$, 'p_start creates a task that does not exist'
);
select results_eq(
  $$ select t.context, t.state::text from tasker.tasks as t where t.task_uuid <> $$ || quote_literal(:'task'),
  $$ values ('{"from": "webhook"}'::jsonb, 'complete') $$, 'the new task has the given context and runs'
);
select throws_ok(
  $$ select tasker.send_signal_by_key('test', 'strict', 'A-1', 'approved') $$, 'TK422',
  'tasks of template "test/strict" have no identity key', 'a template without identity keys is refused'
);
select throws_ok(
  $$ select tasker.send_signal_by_key('test', 'order', null, 'approved') $$, 'TK422',
  'a signal to a task of template "test/order" needs the task''s identity key', 'a null key is refused'
);
select throws_ok(
  $$ select tasker.send_signal_by_key('test', 'nothing', 'A-1', 'approved') $$, 'TK404',
  'template "test/nothing" does not exist', 'an unknown template is refused'
);

select * from finish();
rollback;
