-- The engine makes every transition of a step: by creation, claims, results, timers and operators. Direct calls
-- only prepare the states; the transitions that they log are not counted.
begin;
select plan(3);

select tasker_test.freeze();
create temporary table made (task uuid);
create temporary table staged (task_uuid uuid, step_no integer, sort_key integer);

create function pg_temp.create_task(p_template text default 'diamond', p_deadline timestamptz default null)
  returns void language sql as $$
  insert into made select tasker_test.create_task(p_template, p_deadline => p_deadline);
$$;
create function pg_temp.stage_every_state() returns void language sql as $$
  insert into made select tasker_test.make_task_with_steps_in_every_state();
  insert into staged
  select l.task_uuid, l.step_no, l.sort_key
    from tasker.workflow_step_transition_log as l
   where l.task_uuid = tasker_test.the_task();
$$;

do $$
declare
  v_state text;
begin
  perform tasker.register_task_template($json$
    {"namespace": "test", "name": "either",
     "steps": [{"name": "top"}, {"name": "if", "dependencies": [{"step": "top", "when": "$.ok == true"}]}]}
  $json$);
  perform pg_temp.create_task('either');
  perform tasker_test.run('top');

  -- Released, lost, retried by its timer, failed, retried by an operator, failed, reset, complete.
  perform pg_temp.create_task();
  perform tasker_test.claim('top');
  perform tasker.release_steps(array[tasker_test.the_step('top')], array[tasker_test.claim_no('top')]);
  perform tasker_test.claim('top');
  perform tasker_test.pass('2 hours');
  perform tasker.orchestrate();
  perform tasker_test.claim('top');
  perform tasker_test.fail_for_good('top', false);
  perform tasker_test.pass('2 hours');
  perform tasker.orchestrate();
  perform tasker_test.claim('top');
  perform tasker_test.fail_for_good('top');
  perform tasker.retry_step(tasker_test.the_step('top'));
  perform tasker_test.claim('top');
  perform tasker_test.fail_for_good('top');
  perform tasker.reset_task(tasker_test.the_task());
  perform tasker_test.run('top');

  -- Cancelled, past the deadline, resolved and completed by an operator, in each state.
  perform pg_temp.stage_every_state();
  perform tasker.cancel_task(tasker_test.the_task());
  perform pg_temp.stage_every_state();
  insert into tasker.timers (task_uuid, kind, due_at) values (tasker_test.the_task(), 'task_deadline', tasker.clock());
  perform tasker.fire_due_timers();
  perform pg_temp.stage_every_state();
  foreach v_state in array enum_range(null::tasker.step_state)::text[] loop
    continue when v_state in ('complete', 'cancelled', 'resolved_manually');
    perform tasker.resolve_step_manually(tasker_test.the_step(v_state));
  end loop;
  perform pg_temp.stage_every_state();
  foreach v_state in array '{pending, enqueued, in_progress, waiting_for_retry, suspended, error}'::text[] loop
    perform tasker.complete_step_manually(tasker_test.the_step(v_state), '{}');
  end loop;
  -- A step runs again, and with it one in each state that depends on it.
  perform pg_temp.stage_every_state();
  insert into tasker.added_step_edges (task_uuid, from_step_no, to_step_no)
  select s.task_uuid, tasker.step_no_of(tasker_test.the_step('complete')), s.step_no
    from tasker.workflow_steps as s
   where s.task_uuid = tasker_test.the_task()
     and s.name not in ('complete', 'after_complete');
  update tasker.tasks as t set has_added_edges = true where t.task_uuid = tasker_test.the_task();
  update tasker.workflow_steps as s
     set total_parents = s.total_parents + 1, satisfied_parents = s.satisfied_parents + 1
   where s.task_uuid = tasker_test.the_task()
     and s.name not in ('complete', 'after_complete');
  perform tasker.rerun_step(tasker_test.the_step('complete'), 'wrong');
end;
$$;

create temporary table walked as
  select distinct l.from_state, l.event, l.to_state
    from made as m
    join tasker.workflow_step_transition_log as l
      on l.task_uuid = m.task
    left join staged as s
      on s.task_uuid = l.task_uuid
     and s.step_no = l.step_no
     and s.sort_key = l.sort_key
   where s.task_uuid is null;

create temporary table direct_only (from_state tasker.step_state, event text, to_state tasker.step_state, because text);
insert into direct_only values
  ('pending', 'Fail', 'error',
   'a pending step cannot fail: at the deadline of its task it stays pending, so that a reset can run it'),
  ('error', 'Cancel', 'cancelled',
   'a failed step stays failed when its task is cancelled; a direct call can cancel it'),
  ('pending', 'Suspend', 'suspended', 'a wait, which has no handler: pgtap/features/waits'),
  ('in_progress', 'Suspend', 'suspended', 'a handler that waits suspends its step'),
  ('enqueued_for_orchestration', 'Suspend', 'suspended', 'a handler that waits suspends its step, with deferred results'),
  ('suspended', 'Resume', 'enqueued', 'a handler that has waited continues'),
  ('suspended', 'EnqueueForOrchestration', 'enqueued_for_orchestration', 'a wait that has ended'),
  ('suspended', 'EnqueueForOrchestration', 'enqueued_as_error_for_orchestration', 'a wait that fails'),
  ('suspended', 'Skip', 'cancelled', 'a wait that is skipped'),
  ('pending', 'Complete', 'complete', 'a map, which has no handler: pgtap/features/maps'),
  ('error', 'Tolerate', 'cancelled', 'an instance of a map with allow_failures: pgtap/features/maps');

select set_eq(
  'select m.from_state, m.event, m.to_state from tasker.step_state_machine as m',
  'select w.from_state, w.event, w.to_state from walked as w union all select d.from_state, d.event, d.to_state from direct_only as d',
  'the engine makes every transition except those of the list'
);
select is_empty(
  'select d.* from direct_only as d join walked as w using (from_state, event, to_state)', 'the engine makes no transition of the list'
);
select is_empty('select v from made as m cross join tasker_test.violations(m.task) as v', 'every invariant holds');

select * from finish();
rollback;
