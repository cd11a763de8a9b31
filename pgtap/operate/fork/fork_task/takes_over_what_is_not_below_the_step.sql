begin;
select plan(13);

select tasker_test.freeze();
select tasker_test.create_task();
select tasker_test.run('top', 'left', 'right');
select tasker_test.claim('bottom');
select tasker_test.fail_for_good('bottom');
select tasker_test.pass('1 minute');
select set_config('tasker_test.old', tasker_test.the_task()::text, true);
select set_config(
  'tasker_test.task',
  tasker.fork_task(tasker_test.the_task(), 'left', p_reason => 'a wrong price', p_actor => 'ann')::text, true
);
select is(
  tasker_test.states(), 'steps_in_process: top=complete left=enqueued right=complete bottom=pending',
  'the given step and its descendants run again, and all other steps are taken over'
);
select results_eq(
  $$ select s.name, s.results from tasker.workflow_steps as s
      where s.task_uuid = tasker_test.the_task() and s.state = 'complete' order by s.name $$,
  $$ select s.name, s.results from tasker.workflow_steps as s
      where s.task_uuid = current_setting('tasker_test.old')::uuid and s.name in ('top', 'right') order by s.name $$,
  'steps that were taken over have their results'
);
select results_eq(
  $$ select s.step_name, a.worker_uuid, a.correlation_id, a.success, a.execution_time_ms
       from tasker.workflow_step_result_audit as a
       join tasker.named_tasks_named_steps as s using (step_no)
      where a.task_uuid = tasker_test.the_task() order by a.step_no $$,
  $$ select s.step_name, a.worker_uuid, a.correlation_id, a.success, a.execution_time_ms
       from tasker.workflow_step_result_audit as a
       join tasker.named_tasks_named_steps as s using (step_no)
      where a.task_uuid = current_setting('tasker_test.old')::uuid and s.step_name in ('top', 'right') order by a.step_no $$,
  'steps that were taken over have their audit'
);
select is(
  (
    select array_agg(l.event || ' ' || l.reason || ' ' || l.actor || ' ' || (l.metadata ? 'recorded_at'))
      from tasker.workflow_step_transition_log as l
     where l.task_uuid = tasker_test.the_task()
       and l.step_no = 1
  ),
  array[format('CompleteManually fork of step %s ann true', tasker.step_uuid(current_setting('tasker_test.old')::uuid, 1))],
  'the history of such a step names the step that it copies'
);
select is(
  (select t.reason from tasker.tasks as t where t.task_uuid = tasker_test.the_task()),
  format('fork of %s from step "left": a wrong price', current_setting('tasker_test.old')), 'the fork''s reason names the old task'
);
select is(
  (
    select (n.context, n.priority, n.tags, n.headers, n.correlation_id, n.named_task_uuid)
         = (o.context, o.priority, o.tags, o.headers, o.correlation_id, o.named_task_uuid)
      from tasker.tasks as n, tasker.tasks as o
     where n.task_uuid = tasker_test.the_task()
       and o.task_uuid = current_setting('tasker_test.old')::uuid
  ), true, 'the fork has the arguments of the old task'
);
select is((select t.identity_hash is null from tasker.tasks as t where t.task_uuid = tasker_test.the_task()), true, 'the fork has no identity');
select is(
  tasker.get_current_task_state(current_setting('tasker_test.old')::uuid), 'blocked_by_failures', 'the old task is unchanged'
);
select is_empty('select tasker_test.violations()', 'every invariant holds');
select tasker_test.claim('left');
select is(
  (select r.results from tasker.get_parent_results(tasker_test.the_step('left')) as r), '{}'::jsonb, 'a step gets the results that were taken over'
);
select tasker_test.finish('left', '{"price": 2}');
select tasker_test.run('bottom');
select is(tasker_test.states(), 'complete: top=complete left=complete right=complete bottom=complete', 'the fork completes');
select is_empty('select tasker_test.violations()', 'every invariant holds');
select is_empty('select * from tasker.check_integrity()', 'the check of integrity finds nothing');

select * from finish();
rollback;
