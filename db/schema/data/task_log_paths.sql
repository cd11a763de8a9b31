-- down: delete from tasker.task_log_paths;
-- Each path is its states with the events between them: every transition alone, then the paths of tasker.task_paths. A new path
-- takes the next free number of its thousand, and the check of the domain tasker.task_path admits the number. Add that check as
-- "not valid", so that no statement reads the whole log.
insert into tasker.task_log_paths (path, position, after, from_state, event, to_state, shows, constant)
with paths (path, steps) as (
  values
    (1,    '{pending,Start,initializing}'),
    (2,    '{initializing,ReadyStepsFound,enqueuing_steps}'),
    (3,    '{initializing,NoStepsFound,complete}'),
    (4,    '{initializing,NoDependenciesReady,waiting_for_dependencies}'),
    (5,    '{enqueuing_steps,StepsEnqueued,steps_in_process}'),
    (6,    '{steps_in_process,StepCompleted,evaluating_results}'),
    (7,    '{steps_in_process,AllStepsCompleted,evaluating_results}'),
    (8,    '{steps_in_process,StepFailed,waiting_for_retry}'),
    (9,    '{evaluating_results,AllStepsSuccessful,complete}'),
    (10,   '{evaluating_results,ReadyStepsFound,enqueuing_steps}'),
    (11,   '{evaluating_results,NoDependenciesReady,waiting_for_dependencies}'),
    (12,   '{evaluating_results,PermanentFailure,blocked_by_failures}'),
    (13,   '{evaluating_results,RetryPending,waiting_for_retry}'),
    (14,   '{waiting_for_dependencies,DependenciesReady,evaluating_results}'),
    (15,   '{waiting_for_retry,RetryReady,enqueuing_steps}'),
    (16,   '{waiting_for_retry,StepCompleted,evaluating_results}'),
    (17,   '{blocked_by_failures,Unblocked,evaluating_results}'),
    (18,   '{error,Reset,pending}'),
    (19,   '{pending,Start,initializing,NoStepsFound,complete}'),
    (20,   '{steps_in_process,AllStepsCompleted,evaluating_results,AllStepsSuccessful,complete}'),
    (21,   '{waiting_for_dependencies,DependenciesReady,evaluating_results,AllStepsSuccessful,complete}'),
    (22,   '{waiting_for_retry,StepCompleted,evaluating_results,AllStepsSuccessful,complete}'),
    (23,   '{blocked_by_failures,Unblocked,evaluating_results,AllStepsSuccessful,complete}'),
    (24,   '{initializing,ReadyStepsFound,enqueuing_steps,StepsEnqueued,steps_in_process}'),
    (25,   '{evaluating_results,ReadyStepsFound,enqueuing_steps,StepsEnqueued,steps_in_process}'),
    (26,   '{waiting_for_retry,RetryReady,enqueuing_steps,StepsEnqueued,steps_in_process}'),
    (27,   '{enqueuing_steps,StepsEnqueued,steps_in_process,StepFailed,waiting_for_retry}'),
    (28,   '{waiting_for_dependencies,DependenciesReady,evaluating_results,RetryPending,waiting_for_retry}'),
    (29,   '{blocked_by_failures,Unblocked,evaluating_results,RetryPending,waiting_for_retry}'),
    (30,   '{steps_in_process,StepCompleted,evaluating_results,PermanentFailure,blocked_by_failures}'),
    (31,   '{waiting_for_dependencies,DependenciesReady,evaluating_results,PermanentFailure,blocked_by_failures}'),
    (32,   '{waiting_for_retry,StepCompleted,evaluating_results,PermanentFailure,blocked_by_failures}'),
    (33,   '{pending,Start,initializing,NoDependenciesReady,waiting_for_dependencies}'),
    (34,   '{steps_in_process,StepCompleted,evaluating_results,NoDependenciesReady,waiting_for_dependencies}'),
    (35,   '{waiting_for_retry,StepCompleted,evaluating_results,NoDependenciesReady,waiting_for_dependencies}'),
    (36,   '{blocked_by_failures,Unblocked,evaluating_results,NoDependenciesReady,waiting_for_dependencies}'),
    (37,   '{enqueuing_steps,StepsEnqueued,steps_in_process,AllStepsCompleted,evaluating_results,AllStepsSuccessful,complete}'),
    (38,   '{pending,Start,initializing,ReadyStepsFound,enqueuing_steps,StepsEnqueued,steps_in_process}'),
    (39,   '{steps_in_process,StepCompleted,evaluating_results,ReadyStepsFound,enqueuing_steps,StepsEnqueued,steps_in_process}'),
    (40,   '{waiting_for_dependencies,DependenciesReady,evaluating_results,ReadyStepsFound,enqueuing_steps,StepsEnqueued,steps_in_process}'),
    (41,   '{blocked_by_failures,Unblocked,evaluating_results,ReadyStepsFound,enqueuing_steps,StepsEnqueued,steps_in_process}'),
    (42,   '{initializing,NoDependenciesReady,waiting_for_dependencies,DependenciesReady,evaluating_results,RetryPending,waiting_for_retry}'),
    (43,   '{initializing,NoDependenciesReady,waiting_for_dependencies,DependenciesReady,evaluating_results,PermanentFailure,blocked_by_failures}'),
    (44,   '{enqueuing_steps,StepsEnqueued,steps_in_process,StepCompleted,evaluating_results,PermanentFailure,blocked_by_failures}'),
    (45,   '{enqueuing_steps,StepsEnqueued,steps_in_process,StepCompleted,evaluating_results,NoDependenciesReady,waiting_for_dependencies}'),
    (46,   '{pending,Start,initializing,NoDependenciesReady,waiting_for_dependencies,DependenciesReady,evaluating_results,RetryPending,waiting_for_retry}'),
    (47,   '{pending,Start,initializing,NoDependenciesReady,waiting_for_dependencies,DependenciesReady,evaluating_results,PermanentFailure,blocked_by_failures}'),
    (48,   '{complete,Rerun,pending}'),
    (49,   '{error,Rerun,pending}'),
    (1001, '{enqueuing_steps,EnqueueFailed,error}'),
    (1002, '{blocked_by_failures,GiveUp,error}'),
    (1003, '{pending,Timeout,error}'),
    (1004, '{initializing,Timeout,error}'),
    (1005, '{enqueuing_steps,Timeout,error}'),
    (1006, '{steps_in_process,Timeout,error}'),
    (1007, '{evaluating_results,Timeout,error}'),
    (1008, '{waiting_for_dependencies,Timeout,error}'),
    (1009, '{waiting_for_retry,Timeout,error}'),
    (1010, '{blocked_by_failures,Timeout,error}'),
    (1011, '{evaluating_results,PermanentFailure,blocked_by_failures,GiveUp,error}'),
    (1012, '{steps_in_process,StepCompleted,evaluating_results,PermanentFailure,blocked_by_failures,GiveUp,error}'),
    (1013, '{waiting_for_dependencies,DependenciesReady,evaluating_results,PermanentFailure,blocked_by_failures,GiveUp,error}'),
    (1014, '{waiting_for_retry,StepCompleted,evaluating_results,PermanentFailure,blocked_by_failures,GiveUp,error}'),
    (1015, '{initializing,NoDependenciesReady,waiting_for_dependencies,DependenciesReady,evaluating_results,PermanentFailure,blocked_by_failures,GiveUp,error}'),
    (1016, '{enqueuing_steps,StepsEnqueued,steps_in_process,StepCompleted,evaluating_results,PermanentFailure,blocked_by_failures,GiveUp,error}'),
    (1017, '{pending,Start,initializing,NoDependenciesReady,waiting_for_dependencies,DependenciesReady,evaluating_results,PermanentFailure,blocked_by_failures,GiveUp,error}'),
    (2001, '{pending,Cancel,cancelled}'),
    (2002, '{initializing,Cancel,cancelled}'),
    (2003, '{enqueuing_steps,Cancel,cancelled}'),
    (2004, '{steps_in_process,Cancel,cancelled}'),
    (2005, '{evaluating_results,Cancel,cancelled}'),
    (2006, '{waiting_for_dependencies,Cancel,cancelled}'),
    (2007, '{waiting_for_retry,Cancel,cancelled}'),
    (2008, '{blocked_by_failures,Cancel,cancelled}'),
    (3001, '{blocked_by_failures,ManualResolution,resolved_manually}')
),
moves as (
  select
    p.path, i.position, cardinality(s.steps) / 2 - i.position as after, cardinality(s.steps) / 2 as length,
    s.steps[2 * i.position - 1]::tasker.task_state as from_state, s.steps[2 * i.position] as event,
    s.steps[2 * i.position + 1]::tasker.task_state as to_state
  from paths as p
  cross join lateral (select p.steps::text[] as steps) as s
  cross join lateral generate_series(1, cardinality(s.steps) / 2) as i (position)
)
select
  m.path, m.position, m.after, m.from_state, m.event, m.to_state, s.shows,
  case when s.shows = 'k' then case m.event when 'GiveUp' then '{"on_failure": "fail"}'::jsonb else '{"event": "ProcessorCrashed"}' end end
from moves as m
cross join lateral (
  select case
    when m.length = 1 then 'm'::"char"
    -- The engine never stops in these states, so the processor that left the task there is gone.
    when m.position = 1 and m.from_state in ('initializing', 'enqueuing_steps', 'evaluating_results') then 'k'
    when m.event in ('StepCompleted', 'StepFailed') then 'm'
    when m.event in ('StepsEnqueued', 'PermanentFailure') then 'o'
    when m.event = 'ReadyStepsFound' then 'c'
    when m.event = 'GiveUp' then 'k'
  end as shows
) as s;
