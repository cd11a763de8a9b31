begin;
select plan(6);

select tasker_test.take_turn();

select throws_ok(
  $$ select tasker.register_task_template(null) $$,
  'TK422', 'a template must be an object', 'a null template is refused'
);
select throws_ok(
  $$ select tasker.register_task_template('{"namespace": "nowhere", "name": "order", "steps": [{"name": "a", "hander": "x"}]}') $$,
  'TK422', 'steps[0].hander: a step has no such field', 'the message is the first problem'
);
select throws_ok(
  $$ select tasker.register_task_template('{"namespace": "nowhere", "name": "order", "steps": [{"name": "a", "dependencies": ["b"]}, {"name": "b", "dependencies": ["a"]}]}') $$,
  'TK422', 'steps[0].dependencies: the steps wait for one another in a cycle: a -> b -> a', 'a cycle is refused'
);
select is_empty($$ select from tasker.task_namespaces as n where n.name = 'nowhere' $$, 'the namespace is not created');

create function pg_temp.diagnosis(p_template jsonb, out detail text, out hint text)
  language plpgsql
as $$
begin
  perform tasker.register_task_template(p_template);
exception when sqlstate 'TK422' then
  get stacked diagnostics detail = pg_exception_detail, hint = pg_exception_hint;
end;
$$;

select is(
  (select d.hint from pg_temp.diagnosis('{"namespace": "nowhere", "name": "order", "steps": [{"name": "a", "hander": "x"}]}') as d),
  'Did you mean "handler"? Its fields are name, description, handler, dependencies, join, retry, timeout_seconds, priority, initialization, await, timeout, on_timeout, assignee, task, for_each, max_parallel, allow_failures, compensate, limit, limit_key, sql, limit_units, limit_hold, limits, start_within, limit_bound, limit_bound_max.',
  'the hint is that of the problem'
);
select is(
  (select d.detail from pg_temp.diagnosis('{"namespace": 7, "steps": [{"name": "a", "hander": "x"}]}') as d),
  'Also: name: is missing; steps[0].hander: a step has no such field',
  'the detail has the other problems'
);

select * from finish();
rollback;
