begin;
select plan(14);

select tasker_test.freeze();
select tasker_test.create_task();
select tasker_test.run('top');
select tasker_test.claim('left', 'right');
select tasker_test.finish('left', '{"price": 10}');
select tasker_test.finish('right', '{"kept": true}');
select tasker_test.run('bottom');
select is(
  tasker_test.states(), 'complete: top=complete left=complete right=complete bottom=complete', 'the task is complete'
);

select ok(tasker.rerun_step(tasker_test.the_step('left'), 'the price was wrong', 'ann'), 'rerun_step returns true');
select is(
  tasker_test.states(), 'steps_in_process: top=complete left=enqueued right=complete bottom=pending',
  'the step is enqueued, what depends on it waits, the rest is complete'
);
select results_eq(
  $$
  select s.name, s.results, s.attempts, s.pending_parents, s.satisfied_parents
    from tasker.workflow_steps as s
   where s.task_uuid = tasker_test.the_task()
   order by s.step_no
  $$,
  $$
  values
    ('top', '{}'::jsonb, 1, 0, 0), ('left', null, 0, 0, 1), ('right', '{"kept": true}', 1, 0, 1), ('bottom', null, 0, 1, 1)
  $$,
  'what runs again has no result, all attempts, and counts its parents anew'
);
select results_eq(
  $$ select t.complete, t.completed_at, t.open_steps, t.active_steps from tasker.tasks as t where t.task_uuid = tasker_test.the_task() $$,
  $$ values (false, null::timestamptz, 2, 1) $$,
  'the task is open'
);
select is_empty('select tasker_test.violations()', 'every invariant holds');
select is_empty('select * from tasker.check_integrity()', 'check_integrity finds nothing');
select ok(not tasker.rerun_step(tasker_test.the_step('left'), 'the price was wrong', 'ann'), 'a repeat returns false');

select tasker_test.claim('left');
select tasker_test.finish('left', '{"price": 11}');
select tasker_test.run('bottom');
select is(
  tasker_test.states(), 'complete: top=complete left=complete right=complete bottom=complete', 'the task completes again'
);
select results_eq(
  $$
  select a.results, a.replaced_by, a.replaced_reason
    from tasker.get_step_audit_history(tasker_test.the_step('left')) as a
  $$,
  $$ values ('{"price": 11}'::jsonb, null, null), ('{"price": 10}', 'ann', 'the price was wrong') $$,
  'the audit of the step has both results, and who replaced the first one and why'
);
select results_eq(
  $$ select a.results, a.replaced_by, a.replaced_reason from tasker.get_step_audit_history(tasker_test.the_step('bottom')) as a $$,
  $$ values ('{}'::jsonb, null, null), ('{}', 'ann', 'step "left" runs again: the price was wrong') $$,
  'the audit of a step below names the step whose result was wrong'
);
select results_eq(
  $$
  select l.event, l.from_state::text, l.actor, l.reason, l.metadata
    from tasker.task_transition_log as l
   where l.task_uuid = tasker_test.the_task()
     and l.event = 'Rerun'
  $$,
  $$ values ('Rerun', 'complete', 'ann', 'the price was wrong', '{"from_step": "left"}'::jsonb) $$,
  'the log of the task says who opened it and why'
);
select is_empty('select tasker_test.violations()', 'every invariant holds');
select is_empty('select * from tasker.check_integrity()', 'check_integrity finds nothing');

select * from finish();
rollback;
