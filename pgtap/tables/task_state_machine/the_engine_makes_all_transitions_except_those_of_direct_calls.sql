-- The engine makes every transition of a task: by creation, claims, results, timers and operators. Direct calls
-- only prepare states in which the engine itself does not stop; the transitions that they log are not counted.
begin;
select plan(3);

select tasker_test.freeze();
create temporary table made (task uuid, staged integer);

create function pg_temp.stage(p_task uuid) returns uuid language sql as $$
  insert into made select t.task_uuid, t.transition_count from tasker.tasks as t where t.task_uuid = p_task
  returning task;
$$;
create function pg_temp.create_task(p_deadline timestamptz default null) returns void language sql as $$
  insert into made select tasker_test.create_task(p_deadline => p_deadline), 0;
$$;

do $$
declare
  v_state text;
begin
  perform tasker.register_task_template('{"namespace": "test", "name": "nothing", "steps": []}');
  insert into made select tasker_test.create_task('nothing'), 0;

  -- Retried by a timer, retried by an operator, and complete with a resolved step.
  perform pg_temp.create_task();
  perform tasker_test.claim('top');
  perform tasker_test.fail_for_good('top', false);
  perform tasker_test.pass('1 hour');
  perform tasker.fire_due_timers();
  perform tasker_test.claim('top');
  perform tasker_test.fail_for_good('top');
  perform tasker.retry_step(tasker_test.the_step('top'));
  perform tasker_test.run('top', 'left', 'right');
  perform tasker_test.claim('bottom');
  perform tasker_test.fail_for_good('bottom', false);
  perform tasker.resolve_step_manually(tasker_test.the_step('bottom'));

  -- Given up, reset, resolved.
  perform pg_temp.create_task();
  perform tasker_test.claim('top');
  perform tasker_test.fail_for_good('top');
  perform tasker.give_up_task(tasker_test.the_task());
  perform tasker.reset_task(tasker_test.the_task());
  perform tasker_test.claim('top');
  perform tasker_test.fail_for_good('top');
  perform tasker.resolve_task_manually(tasker_test.the_task());

  -- Completed by its last step.
  perform pg_temp.create_task();
  perform tasker_test.run('top', 'left', 'right', 'bottom');
  -- A step of it runs again, fails the task, and runs again.
  perform tasker.rerun_step(tasker_test.the_step('bottom'), 'wrong');
  perform tasker_test.claim('bottom');
  perform tasker_test.fail_for_good('bottom');
  perform tasker.give_up_task(tasker_test.the_task());
  perform tasker.rerun_step(tasker_test.the_step('bottom'), 'wrong');

  -- Cancelled, and past its deadline, in each state.
  for v_state in select s.state from tasker.task_states as s where not s.terminal loop
    perform pg_temp.stage(tasker_test.make_task_in(v_state));
    perform tasker.cancel_task(tasker_test.the_task());
    perform pg_temp.stage(tasker_test.make_task_in(v_state));
    insert into tasker.timers (task_uuid, kind, due_at) values (tasker_test.the_task(), 'task_deadline', tasker.clock());
    perform tasker.fire_due_timers();
  end loop;

  -- Left between two states, with steps that can run, wait or have failed.
  foreach v_state in array '{waiting_for_dependencies, evaluating_results, enqueuing_steps}'::text[] loop
    perform pg_temp.stage(tasker_test.make_task_in(v_state));
    perform tasker.advance_task(tasker_test.the_task());
  end loop;
  perform tasker_test.make_task_in('waiting_for_retry');
  perform tasker_test.move_task(tasker_test.the_task(), 'evaluating_results');
  perform pg_temp.stage(tasker_test.the_task());
  perform tasker.advance_task(tasker_test.the_task());
  perform tasker_test.make_task();
  perform tasker_test.move_step(tasker_test.the_step('top'), 'error');
  perform pg_temp.stage(tasker_test.the_task());
  perform tasker.advance_task(tasker_test.the_task());
end;
$$;

create temporary table walked as
  select distinct l.from_state, l.event, l.to_state
    from made as m
    join tasker.task_transition_log as l
      on l.task_uuid = m.task
     and l.sort_key > m.staged;

create temporary table direct_only (from_state tasker.task_state, event text, to_state tasker.task_state, because text);
insert into direct_only values
  ('enqueuing_steps', 'EnqueueFailed', 'error',
   'the engine enqueues steps in one transaction, which commits or rolls back; another orchestrator may give up'),
  ('evaluating_results', 'NoDependenciesReady', 'waiting_for_dependencies',
   'a graph has no cycle: if no step is in the pipeline, waits or has failed, a pending step is ready and is enqueued or skipped at once');

select set_eq(
  'select m.from_state, m.event, m.to_state from tasker.task_state_machine as m',
  'select w.from_state, w.event, w.to_state from walked as w union all select d.from_state, d.event, d.to_state from direct_only as d',
  'the engine makes every transition except those of the list'
);
select is_empty(
  'select d.* from direct_only as d join walked as w using (from_state, event, to_state)', 'the engine makes no transition of the list'
);
select is_empty('select v from made as m cross join tasker_test.violations(m.task) as v', 'every invariant holds');

select * from finish();
rollback;
