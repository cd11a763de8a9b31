begin;
select plan(13);
create function pg_temp.problems(p_steps jsonb) returns text language sql as $$
  select string_agg(p.path || ': ' || p.problem, '; ' order by p.path, p.problem)
    from tasker.validate_task_template(jsonb_build_object('namespace', 'test', 'name', 'x', 'steps', p_steps)) as p;
$$;
select is(pg_temp.problems('[{"name": "a"}, {"name": "b", "dependencies": [{"step": "a", "on": "failed"}]}]'), null, 'a failure branch');
select is(pg_temp.problems('[{"name": "a"}, {"name": "b", "dependencies": [{"step": "a", "on": "failed", "when": "$.x == 1"}]}]'),
  'steps[1].dependencies[0].when: has no meaning with on: failed', 'a condition on a failure');
select is(pg_temp.problems('[{"name": "a"}, {"name": "b", "dependencies": [{"step": "a", "on": "ended", "when": "$.x == 1"}]}]'),
  'steps[1].dependencies[0].when: has no meaning with on: ended', 'a condition on an end');
select is(pg_temp.problems('[{"name": "a"}, {"name": "b", "dependencies": [{"step": "a", "on": "skipped"}]}]'),
  'steps[1].dependencies[0].on: cannot be "skipped"; it must be one of complete, failed, ended', 'another end');
select is(pg_temp.problems('[{"name": "a", "for_each": "$.x"}, {"name": "b", "dependencies": [{"step": "a", "on": "failed"}]}]'),
  'steps[1].dependencies[0].on: "a" is a map without allow_failures, which never fails: its failed instances wait for an operator', 'a map that never fails');
select is(pg_temp.problems('[{"name": "a"}, {"name": "b", "for_each": "$.x", "dependencies": [{"step": "a", "on": "failed"}]}]'),
  'steps[1].dependencies[0].on: a map cannot wait for a failure', 'a map as a failure branch');
select is(pg_temp.problems('[{"name": "a"}, {"name": "b", "task": {"name": "x", "context": {"y": {"step": "a", "path": "$.z"}}}, "dependencies": [{"step": "a", "on": "failed"}]}]'),
  'steps[1].dependencies[0].on: task.context reads the result of "a", which a failed step does not have', 'a context from a failed step');
select is(pg_temp.problems('[{"name": "a"}, {"name": "b", "initialization": {"failures": 1}, "dependencies": [{"step": "a", "on": "failed"}]}]'),
  'steps[1].initialization.failures: is taken: a step that waits for a failure finds the errors there', 'inputs named failures');
select is(pg_temp.problems('[{"name": "a", "dependencies": [{"step": "b", "on": "failed"}]}, {"name": "b", "dependencies": ["a"]}]'),
  'steps[0].dependencies: the steps wait for one another in a cycle: a -> b -> a', 'a cycle over a failure');
select is(pg_temp.problems('[{"name": "a"}, {"name": "b", "dependencies": ["a", {"step": "a", "on": "failed"}]}]'),
  'steps[1].dependencies[1]: "a" is named 2 times', 'both ends of one step');
select is(pg_temp.problems('[{"name": "a"}, {"name": "b", "join": "first", "dependencies": ["a"]}]'),
  'steps[1].join: first needs two dependencies or more', 'a race of one');
select is(pg_temp.problems('[{"name": "a"}, {"name": "b"}, {"name": "c", "join": "first", "for_each": "$.x", "dependencies": ["a", "b"]}]'),
  'steps[2].join: a map cannot start with the first of its dependencies', 'a map that joins a race');
select tasker_test.create_waiting('plain', '[{"name": "a"}]');
select throws_ok(
  format($$ select from tasker.add_steps(%L, '[{"name": "b", "dependencies": [{"step": "a", "on": "failed"}]}]') $$, tasker_test.the_task()),
  'TK422', 'a step that is added to a task cannot wait for a failure', 'add_steps'
);
select * from finish();
rollback;
