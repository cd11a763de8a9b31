begin;
select plan(18);

select tasker_test.freeze('2026-11-22 12:00:00+00');
create function pg_temp.make(p_name text, p_fields jsonb default '{}') returns void language sql as $$
  select from tasker_test.create_waiting(
    p_name, '[{"name": "each", "for_each": "$.lines"}, {"name": "after", "dependencies": ["each"]}]', p_fields, '{"lines": [0, 1]}'
  );
  select tasker_test.expand();
$$;
create function pg_temp.fail_first() returns void language sql as $$
  select tasker_test.finish_instances('each', 1, '{0}');
$$;

select pg_temp.make('retry');
select pg_temp.fail_first();
select tasker_test.run('each[1]');
select is(tasker_test.states(), 'blocked_by_failures: each=pending after=pending each[0]=error each[1]=complete', 'a failed instance blocks the task');
select is((select x.summary from tasker.explain_step(tasker_test.the_step('each')) as x),
  'It runs for each of 2 elements: 2 have an instance, and 1 of its parents have not settled, among them "each[0]". It ends when an operator has retried or resolved "each[0]".',
  'explain_step of the map names the failed instance');
select is((select x.summary from tasker.explain_step(tasker_test.the_step('after')) as x),
  'It waits for 1 of its parents, blocked by the failure of "each[0]".', 'explain_step of the next step names the failed instance');
select tasker.retry_step(tasker_test.the_step('each[0]'));
select tasker_test.run('each[0]');
select tasker_test.expand();
select is(tasker_test.states(), 'steps_in_process: each=complete after=enqueued each[0]=complete each[1]=complete', 'a retried instance completes the map');
select is_empty('select tasker_test.violations()', 'every invariant holds');

select pg_temp.make('reset');
select tasker_test.finish_instances('each', 2, '{0, 1}');
select tasker.give_up_task(tasker_test.the_task());
select is(tasker_test.states(), 'error: each=pending after=pending each[0]=error each[1]=error', 'a task that is given up fails');
select tasker.reset_task(tasker_test.the_task());
select tasker_test.orchestrate();
select is(tasker_test.states(), 'steps_in_process: each=pending after=pending each[0]=enqueued each[1]=enqueued', 'a reset starts the failed instances again');
select tasker_test.finish_instances('each');
select tasker_test.expand();
select is(tasker_test.states(), 'steps_in_process: each=complete after=enqueued each[0]=complete each[1]=complete', 'the map completes after the reset');

select pg_temp.make('halted', '{"on_failure": "halt"}');
select pg_temp.fail_first();
select tasker_test.run('each[1]');
select tasker.resolve_step_manually(tasker_test.the_step('each[0]'));
select tasker_test.orchestrate();
select is(tasker_test.states(), 'steps_in_process: each=complete after=enqueued each[0]=resolved_manually each[1]=complete', 'an operator may resolve an instance under on_failure: halt');
select is_empty('select tasker_test.violations()', 'every invariant holds');

-- A task that halts before its map begins.
select tasker_test.create_waiting('late', '[{"name": "bad"}, {"name": "list"}, {"name": "each", "dependencies": ["list"], "for_each": {"step": "list"}}]', '{"on_failure": "halt"}');
select tasker_test.claim('bad', 'list');
select tasker_test.fail_for_good('bad');
select tasker_test.finish('list', '[1]');
select tasker_test.expand();
select is(tasker_test.states(), 'blocked_by_failures: bad=error list=complete each=pending', 'a task that halts starts no instances');
select tasker.resolve_step_manually(tasker_test.the_step('bad'));
select tasker_test.orchestrate();
select tasker_test.expand();
select is(tasker_test.states(), 'steps_in_process: bad=resolved_manually list=complete each=pending each[0]=enqueued', 'the map expands after the failure is resolved');

select pg_temp.make('direct');
select throws_like($$ select tasker.transition_step_state_atomic(tasker_test.the_step('each'), 'pending', 'enqueued', null) $$, 'step % cannot leave pending by Enqueue: it is a map, whose instances run', 'a map cannot be enqueued by a direct call');
select throws_like($$ select tasker.transition_step_state_atomic(tasker_test.the_step('each'), 'pending', 'suspended', null) $$, 'step % cannot leave pending by Suspend: it is a map, whose instances run', 'a map cannot be suspended by a direct call');
select throws_like(
  $$ select tasker.transition_step_state_atomic(tasker_test.the_step('after'), 'pending', 'complete', null, '{"event": "Complete"}') $$,
  '%only a map ends so%', 'a direct call cannot complete a step that has not run'
);
select throws_like(
  $$ select tasker.add_step_edge(tasker_test.the_step('after'), tasker_test.the_step('each')) $$, '%', 'an edge that closes a cycle is refused'
);
select lives_ok(
  $$ select from tasker.add_steps(tasker_test.the_task(), '[{"name": "more", "dependencies": ["each"], "for_each": {"step": "each", "path": "$"}}]') $$,
  'steps, also maps, can be added to a task with instances'
);
select throws_like(
  $$ select from tasker.add_steps(tasker_test.the_task(), '[{"name": "sub", "dependencies": ["each[0]"]}]') $$, '%',
  'added steps may not depend on an instance'
);

select * from finish();
rollback;
