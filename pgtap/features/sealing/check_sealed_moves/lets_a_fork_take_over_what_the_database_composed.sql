begin;
select plan(7);

select tasker_test.freeze('2026-11-22 12:00:00+00');
select from tasker.register_task_template('{"namespace": "test", "name": "claim", "encrypted": {"clear": ["lines"]}, "steps": [
  {"name": "ok", "await": {"signal": "approved"}},
  {"name": "each", "for_each": "$.lines"},
  {"name": "last", "dependencies": ["ok", "each"]}
]}');
create function tasker_test.sealed(p_for text)
  returns jsonb
  language sql
begin atomic
  select jsonb_build_object('pgtasker', jsonb_build_object('alg', 'AES-GCM', 'kid', 'k1', 'for', p_for, 'ct', 'c2VjcmV0'));
end;
select t.task_uuid as task from tasker.create_task('test', 'claim', tasker_test.sealed('context test/claim') || '{"lines": [1, 2]}') as t \gset
select tasker.send_signal(:'task', 'approved', tasker_test.sealed('signal approved'));
create function tasker_test.work()
  returns bigint
  language sql
begin atomic
  select count(*)
    from tasker.claim_steps('{test}', tasker_test.worker(), 20) as s
   cross join lateral tasker.complete_steps(array[s.step_uuid], array[s.claim_no], array[tasker_test.sealed('result')]);
end;
select is(tasker_test.work(), 2::bigint, 'the elements run');
select is(tasker_test.work(), 1::bigint, 'the last step runs');
select is(tasker.get_current_task_state(:'task'), 'complete', 'the task is complete');

select tasker.fork_task(:'task', 'last', p_reason => 'again') as fork \gset
select is(
  (select array_agg(s.results order by s.step_no) from tasker.workflow_steps as s where s.task_uuid = :'fork' and s.state = 'complete'),
  (select array_agg(s.results order by s.step_no) from tasker.workflow_steps as s where s.task_uuid = :'task' and s.name <> 'last'),
  'the fork has the ends of the wait and of the map'
);

-- A move that only says that it is taken over.
select from tasker.register_task_template('{"namespace": "test", "name": "other", "encrypted": {}, "steps": [{"name": "a"}]}');
select t.task_uuid as other from tasker.create_task('test', 'other', tasker_test.sealed('context test/other')) as t \gset
select s.workflow_step_uuid as element from tasker.workflow_steps as s where s.task_uuid = :'other' \gset
select throws_ok(
  format(
    'select tasker.transition_step_state_atomic(%L, %L, %L, p_metadata => %L)', :'element', 'enqueued', 'complete',
    jsonb_build_object('results', '{"card": 1}'::jsonb, 'forked_from', tasker.step_uuid(:'task', 1))
  ), 'TK422', format('pgtasker: the result of step %s is not encrypted', :'element'), 'another result than that of the step that it names'
);
select throws_ok(
  format('select tasker.transition_step_state_atomic(%L, %L, %L, p_metadata => %L)', :'element', 'enqueued', 'complete', '{"results": {"card": 1}, "forked_from": "nothing"}'),
  'TK422', format('pgtasker: the result of step %s is not encrypted', :'element'), 'a step that no UUID names'
);
select is_empty('select v.* from tasker.tasks as t cross join lateral tasker_test.violations(t.task_uuid) as v', 'every invariant holds');

select * from finish();
rollback;
