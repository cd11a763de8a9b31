begin;
select plan(12);

select tasker_test.freeze('2026-11-22 12:00:00+00');
select tasker_test.create_waiting('order', '[{"name": "approve", "await": {"signal": "approved"}}]');
prepare send (uuid, text, jsonb, text) as select tasker.send_signal($1, $2, $3, $4);
select tasker_test.the_task() as task \gset

select throws_ok($$ select tasker.send_signal(null, 'x') $$, 'TK404', 'task null does not exist', 'a null task is refused');
select throws_ok(
  $$ select tasker.send_signal('01980000-0000-7000-8000-000000000000', 'x') $$, 'TK404',
  'task 01980000-0000-7000-8000-000000000000 does not exist', 'an unknown task is refused'
);
select throws_ok(format('select tasker.send_signal(%L, null)', :'task'), 'TK422', '"null" is no name of a signal', 'a null name is refused');
select throws_ok(format('select tasker.send_signal(%L, %L)', :'task', ''), 'TK422', '"" is no name of a signal', 'an empty name is refused');
select throws_ok(format('select tasker.send_signal(%L, %L)', :'task', '1'';--'), 'TK422', '"1'';--" is no name of a signal', 'a hostile name is refused');
select throws_like(format('select tasker.send_signal(%L, %L)', :'task', repeat('x', 129)), '%is no name of a signal', 'a name that is too long is refused');
select throws_ok(
  format('select tasker.send_signal(%L, %L, to_jsonb(repeat(%L, 2000000)))', :'task', 'x', 'y'), 'TK413',
  'the payload of signal "x" is too large', 'a payload that is too large is refused'
);
select throws_ok(
  format('select tasker.send_signal(%L, %L, %L, %L)', :'task', 'x', '{}', ''), 'TK422',
  'the idempotency key of signal "x" is empty', 'an empty idempotency key is refused'
);
select throws_ok(
  format('select tasker.send_signal(%L, %L, %L, repeat(%L, 1001))', :'task', 'x', '{}', 'k'), 'TK413',
  'the idempotency key is longer than 1000 characters', 'an idempotency key that is too long is refused'
);
select lives_ok(format('select tasker.send_signal(%L, %L, %L)', :'task', 'x', 'null'), 'JSON null is a valid payload');
insert into tasker.task_signals (task_uuid, signal_no, name, payload, sent_by, sent_at)
values (:'task', 65535, 'x', '{}', session_user, now());
select throws_ok(
  format('select tasker.send_signal(%L, %L)', :'task', 'x'), 'TK409', format('task %s has 65,535 signals already', :'task'),
  'a task keeps at most 65,535 signals'
);
select is(tasker_test.states(), 'waiting_for_dependencies: approve=suspended', 'the step still waits');

select * from finish();
rollback;
