begin;
select plan(33);

select tasker_test.freeze('2026-11-22 12:00:00+00');
select from tasker.register_task_template('{"namespace": "test", "name": "claim", "encrypted": {"clear": ["customer"]},
  "input_schema": {"required": ["customer"], "properties": {"customer": {"type": "integer"}}}, "on_failure": "fail", "steps": [
    {"name": "a", "retry": {"max_attempts": 3}, "compensate": "undo_a"}, {"name": "b", "dependencies": ["a"]},
    {"name": "ok", "await": {"signal": "ok"}}, {"name": "late", "await": {"signal": "late"}, "dependencies": ["b"]}
  ]}');
select from tasker.register_task_template('{"namespace": "test", "name": "key", "identity_strategy": "caller_provided", "encrypted": {}, "steps": [{"name": "a"}]}');
select from tasker.register_task_template('{"namespace": "test", "name": "plain", "steps": [{"name": "a"}]}');

create function tasker_test.sealed(p_for text, p_hash text default null, p_text text default 'c2VjcmV0')
  returns jsonb
  language sql
begin atomic
  select jsonb_build_object('pgtasker', jsonb_strip_nulls(jsonb_build_object('alg', 'AES-GCM', 'kid', 'k1', 'for', p_for, 'hash', p_hash, 'ct', p_text)));
end;
create function tasker_test.sealed_error(p_class text)
  returns text
  language sql
begin atomic
  select 'encrypted ' || p_class || E'\nDETAIL: ' || replace(tasker_test.sealed('error')::text, E'\n', '');
end;

-- Contexts.
select throws_ok(format('select tasker.create_task(%L, %L, %L)', 'test', 'claim', c.context), 'TK422', 'pgtasker: task "test/claim": the context is not encrypted', c.what)
  from (values
    ('{"customer": 7, "card": "4111"}', 'a context in the clear'),
    ('{"pgtasker": {"kid": "k1"}, "customer": 7}', 'an envelope without ciphertext'),
    ((tasker_test.sealed('context test/claim') || '{"customer": 7, "card": "4111"}')::text, 'a field that the template does not name'),
    ((tasker_test.sealed('context test/claim') || '{"customer": 7}' #- '{pgtasker,alg}')::text, 'an envelope without its algorithm'),
    (jsonb_insert(tasker_test.sealed('context test/claim') || '{"customer": 7}', '{pgtasker,card}', '"4111"')::text, 'a further field in the envelope')
  ) as c (context, what);
select throws_ok(
  format('select tasker.create_task(%L, %L, %L)', 'test', 'claim', tasker_test.sealed('context test/claim') || '{"customer": "x"}'), 'TK422',
  'task "test/claim": context.customer must be of type integer, not string', 'fields in the clear are checked by the schema'
);
select throws_ok(
  $$ select tasker.set_schedule('test', 'nightly', 'claim', p_every_seconds => 60) $$, 'TK422', 'pgtasker: task "test/claim": the context is not encrypted',
  'a schedule'
);

-- Identity: the keyed hash.
select c.task_uuid as task from tasker.create_task('test', 'claim', tasker_test.sealed('context test/claim', 'h1') || '{"customer": 7}') as c \gset
select is((select c.task_uuid from tasker.create_task('test', 'claim', tasker_test.sealed('context test/claim', 'h1', 'b3RoZXI=') || '{"customer": 7}') as c), :'task', 'the same context, encrypted again, is the same task');
select is((select c.created from tasker.create_task('test', 'claim', tasker_test.sealed('context test/claim', 'h2') || '{"customer": 7}') as c), true, 'another context is another task');
select c.task_uuid as keyed from tasker.create_task('test', 'key', tasker_test.sealed('context test/key', 'h1'), p_identity_key => 'k') as c \gset
select is((select c.task_uuid from tasker.create_task('test', 'key', tasker_test.sealed('context test/key', 'h1', 'b3RoZXI='), p_identity_key => 'k') as c), :'keyed', 'a key with the same context');
select throws_ok(
  format('select tasker.create_task(%L, %L, %L, p_identity_key => %L)', 'test', 'key', tasker_test.sealed('context test/key', 'h2'), 'k'), 'TK409',
  'identity key "k" belongs to a task with another context', 'a key with another context'
);

-- Results, errors and what a running step keeps.
select s.step_uuid as step, s.claim_no as claim from tasker.claim_steps('{test}', tasker_test.worker(), 20) as s where s.task_uuid = :'task' \gset
select throws_ok(format('select tasker.keep_step_result(%L, %s, 1, %L, 1, %L)', :'step', :'claim', 'charge', '{"card": "4111"}'), 'TK422', format('pgtasker: the kept result of step %s is not encrypted', :'step'), 'a kept result');
select throws_ok(format('select tasker.keep_step_result(%L, %s, 1, %L, 1, null, %L)', :'step', :'claim', 'charge', 'card 4111'), 'TK422', format('pgtasker: the kept result of step %s is not encrypted', :'step'), 'a kept error');
select is((select k.answer from tasker.keep_step_result(:'step', :'claim', 1, 'charge', 1, tasker_test.sealed('kept')) as k), 'kept', 'a kept result that is encrypted');
select throws_ok(format('select tasker.checkpoint_step(%L, %s, %L)', :'step', :'claim', '{"card": "4111"}'), 'TK422', format('pgtasker: the checkpoint of step %s is not encrypted', :'step'), 'a checkpoint');
select throws_ok(format('select tasker.continue_step(%L, %s, %L)', :'step', :'claim', '{"card": "4111"}'), 'TK422', format('pgtasker: the state of step %s is not encrypted', :'step'), 'a state');
select throws_ok(format('select tasker.snooze_step(%L, %s, 60, %L)', :'step', :'claim', 'card 4111'), 'TK422', format('pgtasker: the reason of step %s is not encrypted', :'step'), 'a reason');
select throws_ok(format('select tasker.fail_steps(array[%L]::uuid[], array[%s], array[%L])', :'step', :'claim', 'card 4111 is stolen'), 'TK422', format('pgtasker: the error of step %s is not encrypted', :'step'), 'an error');
select is((select a.answer from tasker.fail_steps(array[:'step']::uuid[], array[:claim], array[tasker_test.sealed_error('*bank.Error xkpqmzvt')]) as a), 'retrying', 'an error that is encrypted');
select tasker_test.freeze('2026-11-22 13:00:00+00');
select s.step_uuid as step, s.claim_no as claim from tasker.claim_steps('{test}', tasker_test.worker(), 20) as s where s.task_uuid = :'task' \gset
select is((select a.answer from tasker.snooze_step(:'step', :'claim', 60, tasker_test.sealed_error('Snooze xkpqmzvt')) as a), 'suspended', 'a reason that is encrypted');
select tasker_test.freeze('2026-11-22 13:01:00+00');
select tasker.fire_due_timers();
select s.step_uuid as step, s.claim_no as claim from tasker.claim_steps('{test}', tasker_test.worker(), 20) as s where s.task_uuid = :'task' \gset
select is((select a.answer from tasker.snooze_step(:'step', :'claim', 60) as a), 'suspended', 'no reason at all');
select tasker_test.freeze('2026-11-22 13:02:00+00');
select tasker.fire_due_timers();
select s.step_uuid as step, s.claim_no as claim from tasker.claim_steps('{test}', tasker_test.worker(), 20) as s where s.task_uuid = :'task' \gset
select throws_ok(format('select tasker.complete_steps(array[%L]::uuid[], array[%s], array[%L]::jsonb[])', :'step', :'claim', '{"card": "4111"}'), 'TK422', format('pgtasker: the result of step %s is not encrypted', :'step'), 'a result');
select throws_ok(format('select tasker.complete_step_manually(%L, %L, %L)', :'step', '{"card": "4111"}', 'by hand'), 'TK422', format('pgtasker: the result of step %s is not encrypted', :'step'), 'a result by hand');
select is((select a.answer from tasker.complete_steps(array[:'step']::uuid[], array[:claim], array[tasker_test.sealed('result')]) as a), 'completed', 'a result that is encrypted');

-- Signals: to a step that waits, and to one that will.
select throws_ok(format('select tasker.send_signal(%L, %L, %L)', :'task', g.name, '{"card": "4111"}'), 'TK422', format('pgtasker: the payload of signal "%s" to task %s is not encrypted', g.name, :'task'), 'signal ' || g.name)
  from unnest('{ok,late}'::text[]) as g (name);
select is((select s.answer from tasker.send_signal(:'task', 'ok', tasker_test.sealed('signal ok')) as s), 'delivered', 'a signal that is encrypted');

-- Steps that are added, and compensations.
select throws_ok(format('select tasker.add_steps(%L, %L)', :'task', '[{"name": "more", "initialization": {"card": "4111"}}]'), 'TK422', format('pgtasker: the initialization of step %s is not encrypted', tasker.step_uuid(:'task', 5)), 'inputs of a step that is added');
select from tasker.add_steps(:'task', '[{"name": "more"}]');
select s.step_uuid as step, s.claim_no as claim from tasker.claim_steps('{test}', tasker_test.worker(), 20) as s where s.task_uuid = :'task' and s.name = 'b' \gset
select from tasker.fail_steps(array[:'step']::uuid[], array[:claim], array['pgtasker: the key "k2" is not there'], array[true]);

select a.answer from tasker.workflow_steps as s cross join lateral tasker.complete_steps(array[s.workflow_step_uuid], array[s.claim_no]) as a where s.task_uuid = :'task' and s.name = 'more';
select tasker.cancel_task(:'task', 'enough');
select count(tasker.fire_due_timers(1000)) from generate_series(1, 5);
select s.step_uuid as step, s.claim_no as claim from tasker.claim_steps('{test}', tasker_test.worker(), 20) as s where s.task_uuid = :'task' and s.name = 'undo a' \gset
select throws_ok(format('select tasker.complete_steps(array[%L]::uuid[], array[%s], array[%L]::jsonb[])', :'step', :'claim', '{"card": "4111"}'), 'TK422', format('pgtasker: the result of step %s is not encrypted', :'step'), 'the result of a compensation');
select is((select a.answer from tasker.complete_steps(array[:'step']::uuid[], array[:claim], array[null]::jsonb[]) as a), 'completed', 'no result at all');

select is_empty('select v.* from tasker.tasks as t cross join lateral tasker_test.violations(t.task_uuid) as v', 'every invariant holds');

-- Runs by a key in the clear, and a new input.
select from tasker.register_task_template('{"namespace": "test", "name": "job", "identity_strategy": "always_unique", "encrypted": {"clear": ["key"]}, "runs": {"key": "$.key"}, "steps": [{"name": "a"}]}');
select tasker.create_task('test', 'job', tasker_test.sealed('context test/job') || jsonb_build_object('key', u.key)) from unnest('{7,7,8}'::text[]) as u (key);
select is((select string_agg(concat_ws(' ', r.run_key, r.state), ', ') from tasker.list_runs('test') as r), '7 running, 7 waiting, 8 running', 'runs of encrypted tasks have a key in the clear');
select throws_ok(
  format($$ select tasker.change_task(%L, p_context => '{"key": 8}', p_reason => 'x') $$, (select r.task_uuid from tasker.list_runs('test') as r where r.run_key = '8')),
  'TK422', 'pgtasker: task "test/job": the context is not encrypted', 'nor does a task get an input in the clear'
);

select * from finish();
rollback;
