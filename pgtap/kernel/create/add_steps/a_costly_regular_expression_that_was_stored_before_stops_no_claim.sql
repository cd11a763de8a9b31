-- Rows as they were stored before the regular expressions of callers were judged.
begin;
select plan(9);

select tasker_test.freeze();
select tasker_test.take_turn();
select tasker_test.register('kid', 'k');
select tasker.register_task_template('{"namespace": "test", "name": "stored", "identity_strategy": "always_unique", "steps": [
  {"name": "timer", "await": {"for": "1m"}},
  {"name": "edge", "dependencies": [{"step": "timer", "when": "$.by == \"for\""}]},
  {"name": "signal", "await": {"signal": "s", "when": "$.x == 1"}},
  {"name": "event", "await": {"event": "e", "key": "$.x"}},
  {"name": "until", "await": {"until": "$.x"}},
  {"name": "map", "for_each": "$.list", "dependencies": ["timer"]},
  {"name": "kid", "task": {"name": "kid", "context": {"x": "$.x", "y": 1}}},
  {"name": "limited", "limit": "l", "limit_key": "$.x", "dependencies": ["timer"]},
  {"name": "other", "dependencies": ["timer"]}
]}');
-- The rule refuses the back reference; without the rule it matches.
update tasker.named_task_edges as e
   set condition = '$.by like_regex "(f)or|\\1"'
 where e.condition is not null;
update tasker.named_tasks_named_steps as s
   set await     = replace(replace(s.await::text, '($.\"x\" == 1)', '$.x like_regex \"(a)\\\\1\"'), '"$.x"', '"$.x ? (@ like_regex \"(a)\\\\1\")"')::jsonb,
       for_each  = replace(s.for_each::text, '$.\"list\"', '$.\"list\" ? (\"aa\" like_regex \"(a)\\\\1\")')::jsonb,
       limit_key = case when s.limit_key is not null then '$.x ? (@ like_regex "(a)\\1")'::jsonpath end;

select isnt(tasker_test.launch('stored', '{"x": "aa", "list": [1]}'), null, 'a task is created');
select tasker_test.fire_notes();
select is(
  (select c.context from tasker.tasks as c where c.parent_step_uuid is not null), '{"y": 1}',
  'the path for the context of a child leads to nothing'
);
select tasker_test.pass(interval '1 minute');
select set_eq(
  $$ select c.name from tasker.claim_steps('{test}', gen_random_uuid(), 10) as c $$, '{k,limited,other}'::text[],
  'a claim hands out the steps of others'
);
select tasker.fire_due_timers();
select is(s.last_error, u.error, format('the step "%s" fails and says why', u.name))
  from (values
    ('signal', 'the wait cannot be judged: It has a regular expression with a back reference or a control character.'),
    ('event', 'the wait cannot be judged: It has a regular expression with a back reference or a control character.'),
    ('until', 'the wait cannot be judged: It has a regular expression with a back reference or a control character.'),
    ('map', 'for_each: It has a regular expression with a back reference or a control character.')
  ) as u (name, error)
  join tasker.workflow_steps as s
    on s.name = u.name;
select is(
  (select s.state::text || ' ' || (x.unsatisfied -> 0 ->> 'problem') from tasker.workflow_steps as s cross join tasker.explain_step(s.workflow_step_uuid) as x where s.name = 'edge'),
  'cancelled It has a regular expression with a back reference or a control character.', 'the condition of an edge does not hold, and the explanation says why'
);
select is((select s.limit_key from tasker.workflow_steps as s where s.name = 'limited'), '', 'the path for the key of a limit leads to nothing');

select * from finish();
rollback;
