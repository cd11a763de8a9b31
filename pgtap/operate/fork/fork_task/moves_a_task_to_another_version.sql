begin;
select plan(9);

select tasker_test.take_turn();
create function pg_temp.version(p_version text, p_steps jsonb) returns void language sql as $$
  select from tasker.register_task_template(jsonb_build_object(
    'namespace', 'test', 'name', 'order', 'version', p_version, 'identity_strategy', 'always_unique', 'steps', p_steps
  ));
$$;
select pg_temp.version('1', '[{"name": "reserve"}, {"name": "gone", "dependencies": ["reserve"]}, {"name": "charge", "dependencies": ["reserve"]},
  {"name": "ship", "dependencies": ["charge"]}]');
select pg_temp.version('2', '[{"name": "reserve"}, {"name": "check", "dependencies": ["reserve"]}, {"name": "charge", "dependencies": ["check"]},
  {"name": "mail"}, {"name": "ship", "dependencies": ["charge", "mail"]}]');
select set_config('tasker_test.task', (select c.task_uuid::text from tasker.create_task('test', 'order', '{}', '1') as c), true);
select tasker_test.run('reserve', 'gone', 'charge');
select set_config('tasker_test.old', tasker_test.the_task()::text, true);
select set_config('tasker_test.task', tasker.fork_task(current_setting('tasker_test.old')::uuid, 'ship', '2')::text, true);
select is(
  tasker_test.states(), 'steps_in_process: reserve=complete charge=complete ship=pending check=enqueued mail=enqueued',
  'steps that are new in the version run, and steps that it no longer has are left out'
);
select is((select g.version from tasker.get_task(tasker_test.the_task()) as g), '2', 'the fork runs the given version');
select tasker_test.run('check', 'mail', 'ship');
select is(tasker_test.states(), 'complete: reserve=complete charge=complete ship=complete check=complete mail=complete', 'the fork completes');
select is_empty('select tasker_test.violations()', 'every invariant holds');
select set_config('tasker_test.task', tasker.fork_task(current_setting('tasker_test.old')::uuid, 'check', '2')::text, true);
select is(
  tasker_test.states(), 'steps_in_process: reserve=complete charge=pending ship=pending check=enqueued mail=enqueued',
  'steps that depend on the given step in the new version run again'
);
select set_config('tasker_test.task', tasker.fork_task(current_setting('tasker_test.old')::uuid, 'charge', '2')::text, true);
select is(
  tasker_test.states(), 'steps_in_process: reserve=complete charge=pending ship=pending check=enqueued mail=enqueued', 'the given step waits for new steps above it'
);
-- Below the step in the old version only.
select pg_temp.version('3', '[{"name": "reserve"}, {"name": "charge"}, {"name": "ship", "dependencies": ["reserve"]}]');
select set_config('tasker_test.task', tasker.fork_task(current_setting('tasker_test.old')::uuid, 'reserve', '3')::text, true);
select is(tasker_test.states(), 'steps_in_process: reserve=enqueued charge=enqueued ship=pending', 'steps that depended on it in the old version run again');
select is_empty('select tasker_test.violations()', 'every invariant holds');
select is_empty('select * from tasker.check_integrity()', 'the check of integrity finds nothing');

select * from finish();
rollback;
