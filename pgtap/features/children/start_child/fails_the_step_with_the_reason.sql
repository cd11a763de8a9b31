begin;
select plan(9);

select tasker_test.take_turn();
create function pg_temp.error_of(p_task jsonb, p_context jsonb default '{"n": 1}') returns text language plpgsql as $$
begin
  perform tasker.register_task_template(jsonb_build_object(
    'namespace', 'test', 'name', 'p' || substr(md5(p_task::text || p_context::text), 1, 8), 'steps', jsonb_build_array(jsonb_build_object('name', 'kid', 'task', p_task))
  ));
  perform set_config('tasker_test.task', (select c.task_uuid::text from tasker.create_task('test', 'p' || substr(md5(p_task::text || p_context::text), 1, 8), p_context) as c), true);
  perform tasker.fire_due_timers();
  return (select concat_ws(': ', s.state, s.last_error) from tasker.workflow_steps as s where s.task_uuid = tasker_test.the_task());
end;
$$;

select is(pg_temp.error_of('{"name": "nothing"}'), 'error: template "test/nothing" does not exist', 'an unknown template fails the step');
select is_empty($$ select tasker_test.violations() $$, 'every invariant holds');
select is(pg_temp.error_of('{"namespace": "nowhere", "name": "nothing"}'), 'error: template "nowhere/nothing" does not exist', 'an unknown namespace fails the step');
select from tasker.register_task_template('{"namespace": "test", "name": "old", "steps": []}');
select is(pg_temp.error_of('{"name": "old"}'), 'suspended', 'the step starts a task without steps');
select is(tasker.fire_due_timers(), 1, 'the task without steps completes at once');
select is(tasker.get_current_task_state(tasker_test.the_task())::text, 'complete', 'its parent completes, too');
select tasker.retire_task_template('test', 'old', '0.1.0');
select is(pg_temp.error_of('{"name": "old", "version": "0.1.0"}'), 'error: template "test/old" version 0.1.0 is retired', 'a retired version fails the step');
select is(pg_temp.error_of('{"name": "old", "context": {"path": "$.n"}}'), 'error: the context for task "old" is number, not an object', 'a context that is not an object fails the step');

-- A template that starts itself.
select tasker.set_setting('max_task_depth', '3');
select from tasker.register_task_template('{"namespace": "test", "name": "russian", "identity_strategy": "always_unique", "on_failure": "fail", "steps": [{"name": "doll", "task": {"name": "russian"}}]}');
select set_config('tasker_test.task', (select c.task_uuid::text from tasker.create_task('test', 'russian', '{}') as c), true);
select tasker.fire_due_timers() from generate_series(1, 9);
select results_eq(
  $$ select n.level, n.state::text from tasker.get_task_tree(tasker_test.the_task()) as n $$,
  $$ values (0, 'error'), (1, 'error'), (2, 'error'), (3, 'error') $$,
  'a tree ends at max_task_depth, and the failure reaches the top'
);

select * from finish();
rollback;
