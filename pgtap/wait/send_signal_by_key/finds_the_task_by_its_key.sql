begin;
select plan(9);

select tasker_test.freeze('2026-11-22 12:00:00+00');
select from tasker.register_task_template('{"namespace": "test", "name": "order", "identity_strategy": "caller_provided", "steps": [
  {"name": "approve", "await": {"signal": "approved"}}]}');
select from tasker.register_task_template('{"namespace": "test", "name": "strict", "steps": [{"name": "a"}]}');
select c.task_uuid as task from tasker.create_task('test', 'order', '{"n": 1}', p_identity_key => 'A-1') as c \gset

select throws_ok(
  $$ select tasker.send_signal_by_key('test', 'order', 'A-2', 'approved') $$, 'TK404',
  'no task of template "test/order" has identity key "A-2"', 'no task has this key'
);
select results_eq(
  $$ select a.created, a.answer from tasker.send_signal_by_key('test', 'order', 'A-1', 'approved', '{}', 'hook') as a $$,
  $$ values (false, 'delivered') $$, 'the task that has it gets the signal'
);
select results_eq(
  $$ select a.created, a.answer from tasker.send_signal_by_key('test', 'order', 'A-1', 'approved', '{}', 'hook') as a $$,
  $$ values (false, 'repeated') $$, 'a repeat is told so after the end'
);
select throws_like(
  $$ select tasker.send_signal_by_key('test', 'order', 'A-1', 'approved', '{}', 'other', true) $$, 'task % is complete and takes no signal',
  'a new one is refused, also with p_start: the key belongs to a task that has ended'
);
select results_eq(
  $$ select a.created, a.answer from tasker.send_signal_by_key('test', 'order', 'A-2', 'approved', '{"ok": true}', 'hook', true, '{"from": "webhook"}') as a $$,
  $$ values (true, 'delivered') $$, 'with p_start a task that does not exist is created'
);
select results_eq(
  $$ select t.context, t.state::text from tasker.tasks as t where t.task_uuid <> $$ || quote_literal(:'task'),
  $$ values ('{"from": "webhook"}'::jsonb, 'complete') $$, 'with its context, and goes on'
);
select throws_ok(
  $$ select tasker.send_signal_by_key('test', 'strict', 'A-1', 'approved') $$, 'TK422',
  'tasks of template "test/strict" have no identity key', 'a template without keys'
);
select throws_ok(
  $$ select tasker.send_signal_by_key('test', 'order', null, 'approved') $$, 'TK422',
  'a signal to a task of template "test/order" needs the task''s identity key', 'no key'
);
select throws_ok(
  $$ select tasker.send_signal_by_key('test', 'nothing', 'A-1', 'approved') $$, 'TK404',
  'template "test/nothing" does not exist', 'no template'
);

select * from finish();
rollback;
