begin;
select plan(13);

select tasker_test.freeze('2026-11-22 12:00:00+00');
select from tasker.register_task_template('{"namespace": "test", "name": "claim", "encrypted": {}, "on_failure": "continue", "steps": [
  {"name": "a"}, {"name": "b"}, {"name": "c"}, {"name": "d"}
]}');
create function tasker_test.sealed(p_for text)
  returns jsonb
  language sql
begin atomic
  select jsonb_build_object('pgtasker', jsonb_build_object('alg', 'AES-GCM', 'kid', 'k1', 'for', p_for, 'ct', 'c2VjcmV0'));
end;
select tasker.create_task('test', 'claim', tasker_test.sealed('context test/claim'));
create temporary table claimed as select s.step_no, s.step_uuid, s.claim_no from tasker.claim_steps('{test}', tasker_test.worker(), 20) as s;
create function tasker_test.plain(p_what text, p_name text)
  returns text
  language sql
begin atomic
  select format('pgtasker: the %s of step %s is not encrypted', p_what, s.workflow_step_uuid) from tasker.workflow_steps as s where s.name = p_name;
end;

-- Results. Both are in the clear, the second one is, and one alone is.
prepare complete (jsonb[], integer[]) as
  select a.answer
    from (select array_agg(s.step_uuid order by s.step_no) as steps, array_agg(s.claim_no order by s.step_no) as claims from claimed as s where s.step_no = any ($2)) as s
   cross join lateral tasker.complete_steps(s.steps, s.claims, $1) as a;
select throws_ok($$ execute complete('{"{\"card\": 1}","{\"card\": 2}"}', '{1,2}') $$, 'TK422', tasker_test.plain('result', 'a'), 'two results in the clear');
select throws_ok(format('execute complete(%L, %L)', array[tasker_test.sealed('result'), '{"card": 2}'], '{1,2}'), 'TK422', tasker_test.plain('result', 'b'), 'the second of two');
select throws_ok(format('execute complete(%L, %L)', array[tasker_test.sealed('result'), null, '{"card": 2}'], '{1,2,3}'), 'TK422', tasker_test.plain('result', 'c'), 'the third of three, after one without result');
select throws_ok($$ execute complete('{"{\"card\": 1}"}', '{1}') $$, 'TK422', tasker_test.plain('result', 'a'), 'one alone');

-- Errors.
prepare fail (text[], integer[]) as
  select a.answer
    from (select array_agg(s.step_uuid order by s.step_no) as steps, array_agg(s.claim_no order by s.step_no) as claims from claimed as s where s.step_no = any ($2)) as s
   cross join lateral tasker.fail_steps(s.steps, s.claims, $1) as a;
select throws_ok($$ execute fail('{card 1,card 2}', '{1,2}') $$, 'TK422', tasker_test.plain('error', 'a'), 'two errors in the clear');
select throws_ok(format('execute fail(%L, %L)', array[E'encrypted x\nDETAIL: ' || tasker_test.sealed('error')::text, 'card 2'], '{1,2}'), 'TK422', tasker_test.plain('error', 'b'), 'the second of two errors');

-- Exchanges of many: results only, and results with an error.
create function tasker_test.outcome(p_step integer, p_result jsonb default null, p_error text default null)
  returns jsonb
  language sql
begin atomic
  select jsonb_strip_nulls(jsonb_build_object('step_uuid', s.step_uuid, 'claim_no', s.claim_no, 'result', p_result, 'error', p_error)) from claimed as s where s.step_no = p_step;
end;
select throws_ok(
  format('select tasker.exchange(%L)', jsonb_build_object('worker_uuid', tasker_test.worker(), 'results', jsonb_build_array(
    tasker_test.outcome(1, tasker_test.sealed('result')), tasker_test.outcome(2, '{"card": 2}')
  ))), 'TK422', tasker_test.plain('result', 'b'), 'the second result of an exchange'
);
select throws_ok(
  format('select tasker.exchange(%L)', jsonb_build_object('worker_uuid', tasker_test.worker(), 'results', jsonb_build_array(
    tasker_test.outcome(1, p_error => E'encrypted x\nDETAIL: ' || tasker_test.sealed('error')::text), tasker_test.outcome(2, '{"card": 2}')
  ))), 'TK422', tasker_test.plain('result', 'b'), 'a result beside an error'
);
select throws_ok(
  format('select tasker.exchange(%L)', jsonb_build_object('worker_uuid', tasker_test.worker(), 'results', jsonb_build_array(
    tasker_test.outcome(1, tasker_test.sealed('result')), tasker_test.outcome(2, p_error => 'card 2')
  ))), 'TK422', tasker_test.plain('error', 'b'), 'an error beside a result'
);

select is(
  (select string_agg(distinct concat_ws(' ', s.state, s.results, s.last_error), ', ') from tasker.workflow_steps as s), 'in_progress',
  'nothing of these calls is stored'
);
select results_eq(
  format('execute complete(%L, %L)', array[tasker_test.sealed('result'), null, tasker_test.sealed('result')], '{1,2,3}'),
  $$ values ('completed'::tasker.result_answer), ('completed'), ('completed') $$, 'results that are encrypted, and none'
);
select results_eq(
  format('execute fail(%L, %L)', array[E'encrypted x\nDETAIL: ' || tasker_test.sealed('error')::text], '{4}'),
  $$ values ('retrying'::tasker.result_answer) $$, 'an error that is encrypted'
);
select is_empty('select v.* from tasker.tasks as t cross join lateral tasker_test.violations(t.task_uuid) as v', 'every invariant holds');

select * from finish();
rollback;
