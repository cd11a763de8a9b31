begin;
select plan(10);
create function pg_temp.begun(p_name text, p_fields jsonb) returns void language sql as $$
  select from tasker_test.create_waiting(
    p_name, '[{"name": "a", "compensate": "undo"}, {"name": "b", "compensate": "undo", "dependencies": ["a"]}]', p_fields
  );
  select tasker_test.play('a');
  select tasker_test.claim('b');
  select tasker.cancel_task(tasker_test.the_task(), 'enough');
$$;
create function pg_temp.renewed() returns text language sql as $$
  select a.answer::text from tasker.extend_leases(array[tasker_test.the_step('b')], array[tasker_test.claim_no('b')]) as a;
$$;
select pg_temp.begun('cut', '{}');
select is(pg_temp.renewed(), 'cancelled', 'by default the lease of a step in progress is not renewed before an undo');
select pg_temp.begun('drained', '{"on_undo": "drain"}');
select is(pg_temp.renewed(), 'extended', 'with on_undo: drain it is');
select is(tasker.checkpoint_step(tasker_test.the_step('b'), tasker_test.claim_no('b'), '{}')::text, 'saved', 'a checkpoint is kept');
select is(tasker_test.finish('b'), 'completed', 'its result counts');
select tasker.fire_due_timers(1000);
select is(tasker_test.all_states(), 'steps_in_process: a complete, b complete, undo b enqueued', 'then the task is undone');
select is_empty('select tasker_test.violations()', 'every invariant holds');

select tasker_test.create_waiting('forked', '[{"name": "a"}, {"name": "alert", "dependencies": [{"step": "a", "on": "failed"}]}, {"name": "last", "dependencies": ["alert"]}]');
select tasker_test.play('a!', 'alert', 'last');
select set_config('tasker_test.task', tasker.fork_task(tasker_test.the_task(), 'last')::text, true);
select tasker.fire_due_timers(1000);
select is(tasker_test.all_states(), 'steps_in_process: a cancelled, alert complete, last enqueued', 'a fork takes over a failure and the branch that ran');
select results_eq(
  $$ select l.event from tasker.workflow_step_transition_log as l where l.task_uuid = tasker_test.the_task() and l.step_no = 1 order by l.sort_key $$,
  array['Fail', 'Tolerate'], 'its log has the failure'
);
select is_empty('select tasker_test.violations()', 'every invariant holds');
select is_empty($$ select from tasker.check_integrity() as p where p.task_uuid = tasker_test.the_task() $$, 'the check of integrity finds nothing');
select * from finish();
rollback;
