-- down: delete from tasker.task_paths;
-- Each path is its events in order. The state machine has the states between them.
insert into tasker.task_paths (outcome, start_state, position, from_state, event, to_state, last, path, metadata_event, outcome_event)
with recursive paths (outcome, start_state, events) as (
  values
    ('complete', 'pending',                  '{Start,NoStepsFound}'),
    ('complete', 'initializing',             '{NoStepsFound}'),
    ('complete', 'enqueuing_steps',          '{StepsEnqueued,AllStepsCompleted,AllStepsSuccessful}'),
    ('complete', 'steps_in_process',         '{AllStepsCompleted,AllStepsSuccessful}'),
    ('complete', 'evaluating_results',       '{AllStepsSuccessful}'),
    ('complete', 'waiting_for_dependencies', '{DependenciesReady,AllStepsSuccessful}'),
    ('complete', 'waiting_for_retry',        '{StepCompleted,AllStepsSuccessful}'),
    ('complete', 'blocked_by_failures',      '{Unblocked,AllStepsSuccessful}'),

    ('enqueued', 'pending',                  '{Start,ReadyStepsFound,StepsEnqueued}'),
    ('enqueued', 'initializing',             '{ReadyStepsFound,StepsEnqueued}'),
    ('enqueued', 'enqueuing_steps',          '{StepsEnqueued}'),
    ('enqueued', 'steps_in_process',         '{StepCompleted,ReadyStepsFound,StepsEnqueued}'),
    ('enqueued', 'evaluating_results',       '{ReadyStepsFound,StepsEnqueued}'),
    ('enqueued', 'waiting_for_dependencies', '{DependenciesReady,ReadyStepsFound,StepsEnqueued}'),
    ('enqueued', 'waiting_for_retry',        '{RetryReady,StepsEnqueued}'),
    ('enqueued', 'blocked_by_failures',      '{Unblocked,ReadyStepsFound,StepsEnqueued}'),

    ('running',  'pending',                  '{Start,ReadyStepsFound,StepsEnqueued}'),
    ('running',  'initializing',             '{ReadyStepsFound,StepsEnqueued}'),
    ('running',  'enqueuing_steps',          '{StepsEnqueued}'),
    ('running',  'evaluating_results',       '{ReadyStepsFound,StepsEnqueued}'),
    ('running',  'waiting_for_dependencies', '{DependenciesReady,ReadyStepsFound,StepsEnqueued}'),
    ('running',  'waiting_for_retry',        '{RetryReady,StepsEnqueued}'),
    ('running',  'blocked_by_failures',      '{Unblocked,ReadyStepsFound,StepsEnqueued}'),

    ('retrying', 'pending',                  '{Start,NoDependenciesReady,DependenciesReady,RetryPending}'),
    ('retrying', 'initializing',             '{NoDependenciesReady,DependenciesReady,RetryPending}'),
    ('retrying', 'enqueuing_steps',          '{StepsEnqueued,StepFailed}'),
    ('retrying', 'steps_in_process',         '{StepFailed}'),
    ('retrying', 'evaluating_results',       '{RetryPending}'),
    ('retrying', 'waiting_for_dependencies', '{DependenciesReady,RetryPending}'),
    ('retrying', 'blocked_by_failures',      '{Unblocked,RetryPending}'),

    ('blocked',  'pending',                  '{Start,NoDependenciesReady,DependenciesReady,PermanentFailure}'),
    ('blocked',  'initializing',             '{NoDependenciesReady,DependenciesReady,PermanentFailure}'),
    ('blocked',  'enqueuing_steps',          '{StepsEnqueued,StepCompleted,PermanentFailure}'),
    ('blocked',  'steps_in_process',         '{StepCompleted,PermanentFailure}'),
    ('blocked',  'evaluating_results',       '{PermanentFailure}'),
    ('blocked',  'waiting_for_dependencies', '{DependenciesReady,PermanentFailure}'),
    ('blocked',  'waiting_for_retry',        '{StepCompleted,PermanentFailure}'),

    ('failed',   'pending',                  '{Start,NoDependenciesReady,DependenciesReady,PermanentFailure,GiveUp}'),
    ('failed',   'initializing',             '{NoDependenciesReady,DependenciesReady,PermanentFailure,GiveUp}'),
    ('failed',   'enqueuing_steps',          '{StepsEnqueued,StepCompleted,PermanentFailure,GiveUp}'),
    ('failed',   'steps_in_process',         '{StepCompleted,PermanentFailure,GiveUp}'),
    ('failed',   'evaluating_results',       '{PermanentFailure,GiveUp}'),
    ('failed',   'waiting_for_dependencies', '{DependenciesReady,PermanentFailure,GiveUp}'),
    ('failed',   'waiting_for_retry',        '{StepCompleted,PermanentFailure,GiveUp}'),
    ('failed',   'blocked_by_failures',      '{GiveUp}'),

    ('waiting',  'pending',                  '{Start,NoDependenciesReady}'),
    ('waiting',  'initializing',             '{NoDependenciesReady}'),
    ('waiting',  'enqueuing_steps',          '{StepsEnqueued,StepCompleted,NoDependenciesReady}'),
    ('waiting',  'steps_in_process',         '{StepCompleted,NoDependenciesReady}'),
    ('waiting',  'evaluating_results',       '{NoDependenciesReady}'),
    ('waiting',  'waiting_for_retry',        '{StepCompleted,NoDependenciesReady}'),
    ('waiting',  'blocked_by_failures',      '{Unblocked,NoDependenciesReady}')
),
walked (outcome, start_state, events, position, from_state, event, to_state) as (
  select
    p.outcome, p.start_state::tasker.task_state, p.events::text[],
    1, m.from_state, m.event, m.to_state
  from paths as p
  join tasker.task_state_machine as m
    on m.from_state = p.start_state::tasker.task_state
   and m.event = (p.events::text[])[1]
  union all
  select
    w.outcome, w.start_state, w.events,
    w.position + 1, m.from_state, m.event, m.to_state
  from walked as w
  join tasker.task_state_machine as m
    on m.from_state = w.to_state
   and m.event = w.events[w.position + 1]
)
select
  w.outcome,
  w.start_state,
  w.position,
  w.from_state,
  w.event,
  w.to_state,
  w.position = cardinality(w.events),
  l.path,
  l.metadata_event,
  l.outcome_event
from walked as w
join (
  select
    p.path, min(p.from_state) filter (where p.position = 1) as start_state, array_agg(p.event order by p.position) as events,
    min(p.event) filter (where p.shows = 'm') as metadata_event, min(p.event) filter (where p.shows = 'o') as outcome_event
    from tasker.task_log_paths as p
   group by p.path
) as l
  on l.start_state = w.start_state::tasker.task_state
 and l.events = w.events;
