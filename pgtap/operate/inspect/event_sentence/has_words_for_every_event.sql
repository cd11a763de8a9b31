-- Every event of both state machines: events that a person causes or sees have a sentence of their own, not only a
-- change of states.
begin;
select plan(6);

select is_empty(
  $$
  select m.event, x.sentence
    from (select distinct on (m.event) m.event, m.from_state, m.to_state from tasker.step_state_machine as m order by m.event) as m
   cross join lateral tasker.event_sentence('pay', m.event, m.from_state::text, m.to_state::text, null, null, null, null) as x (sentence)
   where x.sentence is null
      or x.sentence not like 'step "pay" %'
      or x.sentence like '% went from %'
  $$,
  'every event of a step has a sentence of its own'
);
select set_eq(
  $$
  select m.event
    from (select distinct on (m.event) m.event, m.from_state, m.to_state from tasker.task_state_machine as m order by m.event) as m
   cross join lateral tasker.event_sentence(null, m.event, m.from_state::text, m.to_state::text, null, null, null, null) as x (sentence)
   where x.sentence like 'task went from %'
  $$,
  $$
  values
    ('AllStepsCompleted'), ('DependenciesReady'), ('EnqueueFailed'), ('NoDependenciesReady'),
    ('PermanentFailure'), ('ReadyStepsFound'), ('RetryPending'), ('RetryReady'), ('StepCompleted'), ('StepFailed'),
    ('StepsEnqueued'), ('Unblocked')
  $$,
  'only events between states of work are described as a change of states'
);
select is(
  tasker.event_sentence('pay', 'EnqueueForOrchestration', 'in_progress', 'enqueued_as_error_for_orchestration', 'w1', null, 'no money', 12),
  'step "pay" reported a failure after 12 ms: no money', 'a failure has its duration and its error'
);
select is(
  tasker.event_sentence('pay', 'LeaseExpired', 'in_progress', 'enqueued', 'w1', null, null, null), 'step "pay" lost its worker w1', 'a lost step names its worker'
);
select is(tasker.event_sentence(null, 'Cancel', 'pending', 'cancelled', null, 'ann', null, null), 'task was cancelled by ann', 'a cancelled task names the operator');
select is(
  tasker.event_sentence(E'"; %s \\ \n', 'Skip', 'pending', 'cancelled', null, null, null, null), E'step ""; %s \\ \n" was skipped', 'hostile text stays as it is'
);

select * from finish();
rollback;
