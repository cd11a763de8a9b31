-- states: what states mean and what may follow them, as data
-- Composed from db/schema: edit there, then compose again. Frozen by the first release tag.

-- migrate:up
set local citus.enable_ddl_propagation = off; -- Citus would repeat this on its worker nodes
set local role tasker_owner;

-- >>> db/schema/tables/kernel/state/task_states.sql
create table tasker.task_states (
  state               tasker.task_state  not null,
  terminal            boolean            not null,
  requires_ownership  boolean            not null,
  active              boolean            not null,
  waiting             boolean            not null,
  can_be_processed    boolean            not null,
  description         text               not null,

  constraint task_states_pkey
    primary key (state),
  constraint task_states_one_kind_check
    check (terminal::int + active::int + waiting::int <= 1)
);

comment on table tasker.task_states is
  'The meaning of each state of a task. Functions and documentation read this data. Only a migration changes it.';
-- <<<

-- >>> db/schema/data/task_states.sql
-- down: delete from tasker.task_states;
insert into tasker.task_states (
  state, terminal, requires_ownership, active, waiting, can_be_processed, description
)
values
  ('pending',                  false, false, false, false, true,  'Created, not started.'),
  ('initializing',             false, true,  true,  false, false, 'Its first ready steps are being found.'),
  ('enqueuing_steps',          false, true,  true,  false, false, 'Ready steps are being put into the queue.'),
  ('steps_in_process',         false, true,  true,  false, false, 'Steps are in the queue or with workers.'),
  ('evaluating_results',       false, true,  true,  false, false, 'The next transition is being decided.'),
  ('waiting_for_dependencies', false, false, false, true,  true,  'Open steps remain, none of them ready.'),
  ('waiting_for_retry',        false, false, false, true,  true,  'Only steps that wait for their next attempt remain.'),
  ('blocked_by_failures',      false, false, false, true,  false, 'A step failed for good and nothing else can move: an operator decides.'),
  ('complete',                 true,  false, false, false, false, 'Every step is done.'),
  ('error',                    true,  false, false, false, false, 'Failed for good; an operator may reset it.'),
  ('cancelled',                true,  false, false, false, false, 'Called off.'),
  ('resolved_manually',        true,  false, false, false, false, 'Settled by an operator.');
-- <<<

-- >>> db/schema/tables/kernel/state/task_state_machine.sql
create table tasker.task_state_machine (
  from_state  tasker.task_state  not null,
  event       text               not null,
  to_state    tasker.task_state  not null,
  position    smallint           not null,

  constraint task_state_machine_pkey
    primary key (from_state, event, to_state),
  constraint task_state_machine_from_state_fkey
    foreign key (from_state) references tasker.task_states (state),
  constraint task_state_machine_to_state_fkey
    foreign key (to_state) references tasker.task_states (state),
  constraint task_state_machine_position_key
    unique (from_state, to_state, position),
  constraint task_state_machine_no_self_edge_check
    check (from_state <> to_state),
  constraint task_state_machine_event_check
    check (event ~ '^[A-Z][A-Za-z]+$')
);

create index task_state_machine_to_state_idx
  on tasker.task_state_machine (to_state);

comment on index tasker.task_state_machine_to_state_idx is
  'Serves the foreign key to task_states.';

comment on table tasker.task_state_machine is
  'Every transition that a task may make. A transition that is not here cannot be logged, and so cannot happen.';
comment on column tasker.task_state_machine.position is
  'The rank among the events between the same two states. A caller that names no event means the event with rank 1.';
-- <<<

-- >>> db/schema/data/task_state_machine.sql
-- down: delete from tasker.task_state_machine;
insert into tasker.task_state_machine (from_state, event, to_state, position)
values
  ('pending',                  'Start',               'initializing',             1),
  ('initializing',             'ReadyStepsFound',     'enqueuing_steps',          1),
  ('initializing',             'NoStepsFound',        'complete',                 1),
  ('initializing',             'NoDependenciesReady', 'waiting_for_dependencies', 1),
  ('enqueuing_steps',          'StepsEnqueued',       'steps_in_process',         1),
  ('enqueuing_steps',          'EnqueueFailed',       'error',                    1),
  ('steps_in_process',         'StepCompleted',       'evaluating_results',       1),
  ('steps_in_process',         'AllStepsCompleted',   'evaluating_results',       2),
  ('steps_in_process',         'StepFailed',          'waiting_for_retry',        1),
  ('evaluating_results',       'AllStepsSuccessful',  'complete',                 1),
  ('evaluating_results',       'ReadyStepsFound',     'enqueuing_steps',          1),
  ('evaluating_results',       'NoDependenciesReady', 'waiting_for_dependencies', 1),
  ('evaluating_results',       'PermanentFailure',    'blocked_by_failures',      1),
  ('evaluating_results',       'RetryPending',        'waiting_for_retry',        1),
  ('waiting_for_dependencies', 'DependenciesReady',   'evaluating_results',       1),
  ('waiting_for_retry',        'RetryReady',          'enqueuing_steps',          1),
  ('waiting_for_retry',        'StepCompleted',       'evaluating_results',       1),
  ('blocked_by_failures',      'Unblocked',           'evaluating_results',       1),
  ('blocked_by_failures',      'GiveUp',              'error',                    1),
  ('blocked_by_failures',      'ManualResolution',    'resolved_manually',        1),
  ('error',                    'Reset',               'pending',                  1),
  -- A step of the task runs again (tasker.rerun_step).
  ('error',                    'Rerun',               'pending',                  2),
  ('complete',                 'Rerun',               'pending',                  1);

-- Every state that is not terminal can be cancelled or time out. Where another event already
-- leads to error, Timeout has position 2.
insert into tasker.task_state_machine (from_state, event, to_state, position)
select
  s.state,
  e.event,
  e.to_state,
  1 + (
    select count(*)
      from tasker.task_state_machine as m
     where m.from_state = s.state
       and m.to_state = e.to_state
  )
from tasker.task_states as s
cross join (values
  ('Cancel', 'cancelled'::tasker.task_state),
  ('Timeout', 'error'::tasker.task_state)
) as e (event, to_state)
where not s.terminal;
-- <<<

-- >>> db/schema/tables/kernel/state/step_states.sql
create table tasker.step_states (
  state                   tasker.step_state  not null,
  terminal                boolean            not null,
  error                   boolean            not null,
  active                  boolean            not null,
  in_processing_pipeline  boolean            not null,
  ready_for_claiming      boolean            not null,
  satisfies_dependencies  boolean            not null,
  settles_dependencies    boolean            not null,
  description             text               not null,

  constraint step_states_pkey
    primary key (state),
  constraint step_states_active_check
    check (in_processing_pipeline or not (active or ready_for_claiming)),
  constraint step_states_terminal_check
    check (not (terminal and in_processing_pipeline)),
  constraint step_states_settles_check
    check (settles_dependencies or not satisfies_dependencies)
);

comment on table tasker.step_states is
  'The meaning of each state of a step. Functions and documentation read this data. Only a migration changes it.';
comment on column tasker.step_states.settles_dependencies is
  'Whether children stop waiting for a step in this state, whether or not their edge is satisfied. A failed step is not settled: it blocks its children.';
-- <<<

-- >>> db/schema/data/step_states.sql
-- down: delete from tasker.step_states;
insert into tasker.step_states (
  state, terminal, error, active, in_processing_pipeline, ready_for_claiming,
  satisfies_dependencies, settles_dependencies, description
)
values
  ('pending',                             false, false, false, false, false, false, false, 'Waits for its parents, or to be enqueued.'),
  ('enqueued',                            false, false, false, true,  true,  false, false, 'In the queue, not yet claimed.'),
  ('in_progress',                         false, false, true,  true,  false, false, false, 'Claimed by a worker, under a lease.'),
  ('enqueued_for_orchestration',          false, false, false, true,  false, false, false, 'Its result is recorded and waits to be processed.'),
  ('enqueued_as_error_for_orchestration', false, false, false, true,  false, false, false, 'Its failure is recorded and waits to be processed.'),
  ('waiting_for_retry',                   false, false, false, false, false, false, false, 'Failed; its next attempt is due later.'),
  ('suspended',                           false, false, false, false, false, false, false, 'Waits, without a worker, for a signal, a time or another task.'),
  ('complete',                            true,  false, false, false, false, true,  true,  'Done.'),
  ('error',                               true,  true,  false, false, false, false, false, 'Failed for good; an operator may retry or resolve it.'),
  ('cancelled',                           true,  false, false, false, false, false, true,  'Cancelled, or skipped because its condition did not hold.'),
  ('resolved_manually',                   true,  false, false, false, false, true,  true,  'Settled by an operator.');
-- <<<

-- >>> db/schema/tables/kernel/state/step_state_machine.sql
create table tasker.step_state_machine (
  from_state  tasker.step_state  not null,
  event       text               not null,
  to_state    tasker.step_state  not null,
  position    smallint           not null,

  constraint step_state_machine_pkey
    primary key (from_state, event, to_state),
  constraint step_state_machine_from_state_fkey
    foreign key (from_state) references tasker.step_states (state),
  constraint step_state_machine_to_state_fkey
    foreign key (to_state) references tasker.step_states (state),
  constraint step_state_machine_position_key
    unique (from_state, to_state, position),
  constraint step_state_machine_no_self_edge_check
    check (from_state <> to_state),
  constraint step_state_machine_event_check
    check (event ~ '^[A-Z][A-Za-z]+$')
);

create index step_state_machine_to_state_idx
  on tasker.step_state_machine (to_state);

comment on index tasker.step_state_machine_to_state_idx is
  'Serves the foreign key to step_states.';

comment on table tasker.step_state_machine is
  'Every transition that a step may make. A transition that is not here cannot be logged, and so cannot happen.';
comment on column tasker.step_state_machine.position is
  'The rank among the events between the same two states. A caller that names no event means the event with rank 1.';
-- <<<

-- >>> db/schema/data/step_state_machine.sql
-- down: delete from tasker.step_state_machine;
insert into tasker.step_state_machine (from_state, event, to_state, position)
values
  ('pending',                             'Enqueue',                 'enqueued',                            1),
  ('pending',                             'Fail',                    'error',                               1),
  ('enqueued',                            'Start',                   'in_progress',                         1),
  ('enqueued',                            'Fail',                    'error',                               1),
  ('in_progress',                         'EnqueueForOrchestration', 'enqueued_for_orchestration',          1),
  ('in_progress',                         'EnqueueForOrchestration', 'enqueued_as_error_for_orchestration', 1),
  ('in_progress',                         'Release',                 'enqueued',                            1),
  ('in_progress',                         'LeaseExpired',            'enqueued',                            2),
  ('enqueued_for_orchestration',          'Complete',                'complete',                            1),
  ('enqueued_as_error_for_orchestration', 'WaitForRetry',            'waiting_for_retry',                   1),
  ('enqueued_as_error_for_orchestration', 'Fail',                    'error',                               1),
  ('waiting_for_retry',                   'Retry',                   'pending',                             1),
  ('waiting_for_retry',                   'Fail',                    'error',                               1),
  ('pending',                             'Suspend',                 'suspended',                           1),
  ('in_progress',                         'Suspend',                 'suspended',                           1),
  ('enqueued_for_orchestration',          'Suspend',                 'suspended',                           1),
  ('suspended',                           'Resume',                  'enqueued',                            1),
  ('suspended',                           'EnqueueForOrchestration', 'enqueued_for_orchestration',          1),
  ('suspended',                           'EnqueueForOrchestration', 'enqueued_as_error_for_orchestration', 1),
  ('suspended',                           'Fail',                    'error',                               1),
  ('error',                               'Retry',                   'pending',                             1),
  ('error',                               'Reset',                   'pending',                             2),
  ('error',                               'Cancel',                  'cancelled',                           1);

-- Every state that is neither done nor failed can be cancelled. Every state that is not done can be
-- settled by hand, with results or without.
insert into tasker.step_state_machine (from_state, event, to_state, position)
select
  s.state,
  'Cancel',
  'cancelled',
  1
from tasker.step_states as s
where not s.terminal;

insert into tasker.step_state_machine (from_state, event, to_state, position)
values
  ('pending',   'Skip', 'cancelled', 2),
  ('suspended', 'Skip', 'cancelled', 2),
  -- Maps: an instance whose failure is allowed, and the map itself, which no handler runs.
  ('error',   'Tolerate', 'cancelled', 2),
  ('pending', 'Complete', 'complete',  2);

insert into tasker.step_state_machine (from_state, event, to_state, position)
select
  s.state,
  'ResolveManually',
  'resolved_manually',
  1
from tasker.step_states as s
where not s.terminal
   or s.state = 'error';

insert into tasker.step_state_machine (from_state, event, to_state, position)
values
  ('pending',           'CompleteManually', 'complete', 1),
  ('enqueued',          'CompleteManually', 'complete', 1),
  ('in_progress',       'CompleteManually', 'complete', 1),
  ('waiting_for_retry', 'CompleteManually', 'complete', 1),
  ('suspended',         'CompleteManually', 'complete', 1),
  ('error',             'CompleteManually', 'complete', 1);

-- A step whose result must be corrected runs again. Each step that depends on it also runs again
-- (tasker.rerun_step).
insert into tasker.step_state_machine (from_state, event, to_state, position)
select
  s.state,
  'Rerun',
  'pending',
  1 + (
    select count(*)
      from tasker.step_state_machine as m
     where m.from_state = s.state
       and m.to_state = 'pending'
  )
from tasker.step_states as s
where s.state <> 'pending';
-- <<<

-- >>> db/schema/tables/kernel/state/step_sweeps.sql
create table tasker.step_sweeps (
  sweep        text               not null,
  start_state  tasker.step_state  not null,
  position     smallint           not null,
  from_state   tasker.step_state  not null,
  event        text               not null,
  to_state     tasker.step_state  not null,
  last         boolean            not null,

  constraint step_sweeps_pkey
    primary key (sweep, start_state, position),
  constraint step_sweeps_transition_fkey
    foreign key (from_state, event, to_state)
    references tasker.step_state_machine (from_state, event, to_state),
  constraint step_sweeps_sweep_check
    check (sweep in ('cancel', 'fail', 'reset', 'undo')),
  constraint step_sweeps_first_check
    check (position > 1 or from_state = start_state)
);

create index step_sweeps_transition_idx
  on tasker.step_sweeps (from_state, event, to_state);

comment on index tasker.step_sweeps_transition_idx is
  'Serves the foreign key to step_state_machine.';

comment on table tasker.step_sweeps is
  'How a task''s steps move when the task is cancelled, fails, is reset or is undone: the transitions for each state of a step.';
-- <<<

-- >>> db/schema/data/step_sweeps.sql
-- down: delete from tasker.step_sweeps;
-- Cancel: every open step is cancelled for good.
insert into tasker.step_sweeps (sweep, start_state, position, from_state, event, to_state, last)
select
  'cancel',
  s.state,
  1,
  s.state,
  'Cancel',
  'cancelled',
  true
from tasker.step_states as s
where not s.terminal;

-- Fail: steps that run or would run fail, so that a reset can bring them back. Recorded results are kept. Steps that
-- have not started stay pending.
insert into tasker.step_sweeps (sweep, start_state, position, from_state, event, to_state, last)
values
  ('fail', 'enqueued', 1, 'enqueued', 'Fail', 'error', true),
  ('fail', 'in_progress', 1,
   'in_progress', 'EnqueueForOrchestration', 'enqueued_as_error_for_orchestration', false),
  ('fail', 'in_progress', 2,
   'enqueued_as_error_for_orchestration', 'Fail', 'error', true),
  ('fail', 'enqueued_for_orchestration', 1,
   'enqueued_for_orchestration', 'Complete', 'complete', true),
  ('fail', 'enqueued_as_error_for_orchestration', 1,
   'enqueued_as_error_for_orchestration', 'Fail', 'error', true),
  ('fail', 'waiting_for_retry', 1, 'waiting_for_retry', 'Fail', 'error', true),
  ('fail', 'suspended', 1, 'suspended', 'Fail', 'error', true);

-- Undo: steps that have not started are cancelled. Recorded results are kept. Steps in progress end first.
insert into tasker.step_sweeps (sweep, start_state, position, from_state, event, to_state, last)
values
  ('undo', 'pending', 1, 'pending', 'Cancel', 'cancelled', true),
  ('undo', 'enqueued', 1, 'enqueued', 'Cancel', 'cancelled', true),
  ('undo', 'waiting_for_retry', 1, 'waiting_for_retry', 'Cancel', 'cancelled', true),
  ('undo', 'suspended', 1, 'suspended', 'Cancel', 'cancelled', true),
  ('undo', 'enqueued_for_orchestration', 1,
   'enqueued_for_orchestration', 'Complete', 'complete', true),
  ('undo', 'enqueued_as_error_for_orchestration', 1,
   'enqueued_as_error_for_orchestration', 'Fail', 'error', true);

-- Reset: failed steps start again. Finished steps stay finished.
insert into tasker.step_sweeps (sweep, start_state, position, from_state, event, to_state, last)
values
  ('reset', 'error', 1, 'error', 'Reset', 'pending', true);
-- <<<

-- >>> db/schema/tables/kernel/state/step_log_paths.sql
create table tasker.step_log_paths (
  path         tasker.step_path   not null,
  position     smallint           not null,
  after        smallint           not null,
  start_state  tasker.step_state  not null,
  from_state   tasker.step_state  not null,
  event        text               not null,
  to_state     tasker.step_state  not null,

  constraint step_log_paths_pkey
    primary key (path, position),
  constraint step_log_paths_transition_fkey
    foreign key (from_state, event, to_state)
    references tasker.step_state_machine (from_state, event, to_state),
  constraint step_log_paths_first_check
    check (position > 1 or from_state = start_state)
);

create index step_log_paths_transition_idx
  on tasker.step_log_paths (from_state, event, to_state, start_state, after);

comment on index tasker.step_log_paths_transition_idx is
  'Serves the foreign key to step_state_machine, and the writers, which look a path up by its start and its last transition.';

comment on table tasker.step_log_paths is
  'The transitions of each path that the step log may name, in order. A path that is not here cannot be logged, and so no step can take that path. A row is never changed or deleted, because the log has only the number of a path.';
comment on column tasker.step_log_paths.after is
  'The number of transitions of the path that follow this one. The sort_key of the transition is the log row''s sort_key minus this number.';
-- <<<

-- >>> db/schema/data/step_log_paths.sql
-- down: delete from tasker.step_log_paths;
-- Each path is its states with the events between them. A new path takes the next free number of its thousand, and the check of
-- the domain tasker.step_path admits the number. Add that check as "not valid", so that no statement reads the whole log.
insert into tasker.step_log_paths (path, position, after, start_state, from_state, event, to_state)
with paths (path, steps) as (
  values
    (1,    '{pending,Enqueue,enqueued}'),
    (2,    '{pending,Fail,error}'),
    (3,    '{enqueued,Start,in_progress}'),
    (4,    '{enqueued,Fail,error}'),
    (5,    '{in_progress,EnqueueForOrchestration,enqueued_for_orchestration}'),
    (6,    '{in_progress,Release,enqueued}'),
    (7,    '{in_progress,LeaseExpired,enqueued}'),
    (8,    '{enqueued_for_orchestration,Complete,complete}'),
    (9,    '{enqueued_as_error_for_orchestration,WaitForRetry,waiting_for_retry}'),
    (10,   '{enqueued_as_error_for_orchestration,Fail,error}'),
    (11,   '{waiting_for_retry,Retry,pending}'),
    (12,   '{waiting_for_retry,Fail,error}'),
    (13,   '{pending,Suspend,suspended}'),
    (14,   '{in_progress,Suspend,suspended}'),
    (15,   '{enqueued_for_orchestration,Suspend,suspended}'),
    (16,   '{suspended,Resume,enqueued}'),
    (17,   '{suspended,EnqueueForOrchestration,enqueued_for_orchestration}'),
    (18,   '{suspended,Fail,error}'),
    (19,   '{error,Retry,pending}'),
    (20,   '{error,Reset,pending}'),
    (21,   '{error,Cancel,cancelled}'),
    (22,   '{pending,Cancel,cancelled}'),
    (23,   '{enqueued,Cancel,cancelled}'),
    (24,   '{in_progress,Cancel,cancelled}'),
    (25,   '{enqueued_for_orchestration,Cancel,cancelled}'),
    (26,   '{enqueued_as_error_for_orchestration,Cancel,cancelled}'),
    (27,   '{waiting_for_retry,Cancel,cancelled}'),
    (28,   '{suspended,Cancel,cancelled}'),
    (29,   '{pending,Skip,cancelled}'),
    (30,   '{suspended,Skip,cancelled}'),
    (31,   '{error,Tolerate,cancelled}'),
    (32,   '{pending,Complete,complete}'),
    (33,   '{pending,ResolveManually,resolved_manually}'),
    (34,   '{enqueued,ResolveManually,resolved_manually}'),
    (35,   '{in_progress,ResolveManually,resolved_manually}'),
    (36,   '{enqueued_for_orchestration,ResolveManually,resolved_manually}'),
    (37,   '{enqueued_as_error_for_orchestration,ResolveManually,resolved_manually}'),
    (38,   '{waiting_for_retry,ResolveManually,resolved_manually}'),
    (39,   '{error,ResolveManually,resolved_manually}'),
    (40,   '{suspended,ResolveManually,resolved_manually}'),
    (41,   '{pending,CompleteManually,complete}'),
    (42,   '{enqueued,CompleteManually,complete}'),
    (43,   '{in_progress,CompleteManually,complete}'),
    (44,   '{waiting_for_retry,CompleteManually,complete}'),
    (45,   '{suspended,CompleteManually,complete}'),
    (46,   '{error,CompleteManually,complete}'),
    (47,   '{in_progress,EnqueueForOrchestration,enqueued_for_orchestration,Complete,complete}'),
    (48,   '{in_progress,EnqueueForOrchestration,enqueued_for_orchestration,Suspend,suspended}'),
    (49,   '{in_progress,EnqueueForOrchestration,enqueued_for_orchestration,Cancel,cancelled}'),
    (50,   '{in_progress,EnqueueForOrchestration,enqueued_for_orchestration,ResolveManually,resolved_manually}'),
    (51,   '{suspended,EnqueueForOrchestration,enqueued_for_orchestration,Complete,complete}'),
    (52,   '{suspended,EnqueueForOrchestration,enqueued_for_orchestration,Suspend,suspended}'),
    (53,   '{suspended,EnqueueForOrchestration,enqueued_for_orchestration,Cancel,cancelled}'),
    (54,   '{suspended,EnqueueForOrchestration,enqueued_for_orchestration,ResolveManually,resolved_manually}'),
    (55,   '{waiting_for_retry,Retry,pending,Enqueue,enqueued}'),
    (56,   '{waiting_for_retry,Retry,pending,Suspend,suspended}'),
    (57,   '{complete,Rerun,pending}'),
    (58,   '{resolved_manually,Rerun,pending}'),
    (59,   '{error,Rerun,pending}'),
    (60,   '{cancelled,Rerun,pending}'),
    (61,   '{enqueued,Rerun,pending}'),
    (62,   '{in_progress,Rerun,pending}'),
    (63,   '{enqueued_for_orchestration,Rerun,pending}'),
    (64,   '{enqueued_as_error_for_orchestration,Rerun,pending}'),
    (65,   '{waiting_for_retry,Rerun,pending}'),
    (66,   '{suspended,Rerun,pending}'),
    (67,   '{complete,Rerun,pending,Skip,cancelled}'),
    (68,   '{resolved_manually,Rerun,pending,Skip,cancelled}'),
    (69,   '{error,Rerun,pending,Skip,cancelled}'),
    (70,   '{cancelled,Rerun,pending,Skip,cancelled}'),
    (71,   '{enqueued,Rerun,pending,Skip,cancelled}'),
    (72,   '{in_progress,Rerun,pending,Skip,cancelled}'),
    (73,   '{enqueued_for_orchestration,Rerun,pending,Skip,cancelled}'),
    (74,   '{enqueued_as_error_for_orchestration,Rerun,pending,Skip,cancelled}'),
    (75,   '{waiting_for_retry,Rerun,pending,Skip,cancelled}'),
    (76,   '{suspended,Rerun,pending,Skip,cancelled}'),
    (77,   '{pending,Fail,error,Tolerate,cancelled}'),
    (1001, '{in_progress,EnqueueForOrchestration,enqueued_as_error_for_orchestration}'),
    (1002, '{suspended,EnqueueForOrchestration,enqueued_as_error_for_orchestration}'),
    (1003, '{in_progress,EnqueueForOrchestration,enqueued_as_error_for_orchestration,WaitForRetry,waiting_for_retry}'),
    (1004, '{in_progress,EnqueueForOrchestration,enqueued_as_error_for_orchestration,Fail,error}'),
    (1005, '{in_progress,EnqueueForOrchestration,enqueued_as_error_for_orchestration,Cancel,cancelled}'),
    (1006, '{in_progress,EnqueueForOrchestration,enqueued_as_error_for_orchestration,ResolveManually,resolved_manually}'),
    (1007, '{suspended,EnqueueForOrchestration,enqueued_as_error_for_orchestration,WaitForRetry,waiting_for_retry}'),
    (1008, '{suspended,EnqueueForOrchestration,enqueued_as_error_for_orchestration,Fail,error}'),
    (1009, '{suspended,EnqueueForOrchestration,enqueued_as_error_for_orchestration,Cancel,cancelled}'),
    (1010, '{suspended,EnqueueForOrchestration,enqueued_as_error_for_orchestration,ResolveManually,resolved_manually}')
)
select
  p.path, i.position, cardinality(s.steps) / 2 - i.position, s.steps[1]::tasker.step_state,
  s.steps[2 * i.position - 1]::tasker.step_state, s.steps[2 * i.position], s.steps[2 * i.position + 1]::tasker.step_state
from paths as p
cross join lateral (select p.steps::text[] as steps) as s
cross join lateral generate_series(1, cardinality(s.steps) / 2) as i (position);
-- <<<

-- >>> db/schema/tables/kernel/state/task_log_paths.sql
create table tasker.task_log_paths (
  path        tasker.task_path   not null,
  position    smallint           not null,
  after       smallint           not null,
  from_state  tasker.task_state  not null,
  event       text               not null,
  to_state    tasker.task_state  not null,
  shows       "char",
  constant    jsonb,

  constraint task_log_paths_pkey
    primary key (path, position),
  constraint task_log_paths_transition_fkey
    foreign key (from_state, event, to_state)
    references tasker.task_state_machine (from_state, event, to_state),
  constraint task_log_paths_shows_check
    check (shows in ('m', 'o', 'c', 'k') and (shows = 'k') = (constant is not null) or shows is null and constant is null)
);

create index task_log_paths_transition_idx
  on tasker.task_log_paths (from_state, event, to_state);

comment on index tasker.task_log_paths_transition_idx is
  'Serves the foreign key to task_state_machine, and the writers, which look up the path of one transition.';

comment on table tasker.task_log_paths is
  'The transitions of each path that the task log may name, in order. A path that is not here cannot be logged, and so no task can take that path. A row is never changed or deleted, because the log has only the number of a path.';
comment on column tasker.task_log_paths.after is
  'The number of transitions of the path that follow this one. The sort_key of the transition is the log row''s sort_key minus this number.';
comment on column tasker.task_log_paths.shows is
  'The metadata that the transition shows: m for the log row''s metadata, o for the log row''s outcome, c for the count in the outcome, k for the constant. Null if the transition shows no metadata.';
-- <<<

-- >>> db/schema/data/task_log_paths.sql
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
-- <<<

-- >>> db/schema/tables/kernel/state/task_paths.sql
create table tasker.task_paths (
  outcome         text               not null,
  start_state     tasker.task_state  not null,
  position        smallint           not null,
  from_state      tasker.task_state  not null,
  event           text               not null,
  to_state        tasker.task_state  not null,
  last            boolean            not null,
  path            tasker.task_path   not null,
  metadata_event  text,
  outcome_event   text,

  constraint task_paths_pkey
    primary key (outcome, start_state, position),
  constraint task_paths_transition_fkey
    foreign key (from_state, event, to_state)
    references tasker.task_state_machine (from_state, event, to_state),
  constraint task_paths_outcome_check
    check (outcome in ('complete', 'enqueued', 'running', 'retrying', 'blocked', 'failed', 'waiting')),
  constraint task_paths_first_check
    check (position > 1 or from_state = start_state)
);

create index task_paths_transition_idx
  on tasker.task_paths (from_state, event, to_state);

comment on index tasker.task_paths_transition_idx is
  'Serves the foreign key to task_state_machine.';

comment on table tasker.task_paths is
  'How a task moves when it is evaluated: the transitions for each outcome and each state of the task. If there is no row, the task stays in its state.';
comment on column tasker.task_paths.outcome is
  'complete: every step is done; enqueued: some steps were just enqueued; running: steps are in the processing pipeline, but none was just enqueued; retrying: the only steps that can still move wait for a retry; blocked: a step has failed and no step can move; failed: as blocked, but the template has on_failure: fail; waiting: open steps remain, but none is ready.';
comment on column tasker.task_paths.path is
  'The number of the whole path, which the task log stores.';
comment on column tasker.task_paths.metadata_event is
  'The event of the path whose metadata (tasker.task_move_metadata) the log row has as metadata.';
comment on column tasker.task_paths.outcome_event is
  'The event of the path whose metadata the log row has as outcome.';
-- <<<

-- >>> db/schema/data/task_paths.sql
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
-- <<<

-- >>> db/schema/functions/kernel/state/private/parse_task_state.sql
create or replace function tasker.parse_task_state(p_state text)
  returns tasker.task_state
  language plpgsql
  stable
  set search_path = pg_catalog, pg_temp
as $$
begin
  -- Compare instead of catching a failed cast, because an exception block costs a subtransaction in each
  -- call.
  if p_state is null or not p_state = any (enum_range(null::tasker.task_state)::text[]) then
    raise exception using
      errcode = 'TK422',
      message = case
        when p_state is null then 'the state of a task is null'
        else format('"%s" is not a state of a task', left(p_state, 100))
      end,
      hint    = format('It must be one of %s.', array_to_string(enum_range(null::tasker.task_state), ', '));
  end if;
  return p_state::tasker.task_state;
end;
$$;

comment on function tasker.parse_task_state is
$$Converts a text to a state of a task. Raises TK422 for null and for any other text.$$;
-- <<<

-- >>> db/schema/functions/kernel/state/private/parse_step_state.sql
create or replace function tasker.parse_step_state(p_state text)
  returns tasker.step_state
  language plpgsql
  stable
  set search_path = pg_catalog, pg_temp
as $$
begin
  -- Compare instead of catching a failed cast, because an exception block costs a subtransaction in each
  -- call.
  if p_state is null or not p_state = any (enum_range(null::tasker.step_state)::text[]) then
    raise exception using
      errcode = 'TK422',
      message = case
        when p_state is null then 'the state of a step is null'
        else format('"%s" is not a state of a step', left(p_state, 100))
      end,
      hint    = format('It must be one of %s.', array_to_string(enum_range(null::tasker.step_state), ', '));
  end if;
  return p_state::tasker.step_state;
end;
$$;

comment on function tasker.parse_step_state is
$$Converts a text to a state of a step. Raises TK422 for null and for any other text.$$;
-- <<<

-- >>> db/schema/functions/kernel/state/private/task_event.sql
create or replace function tasker.task_event(
  p_from_state  tasker.task_state,
  p_to_state    tasker.task_state,
  p_event       text
)
  returns text
  language plpgsql
  stable
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_event text;
begin
  select m.event
    into v_event
    from tasker.task_state_machine as m
   where m.from_state = p_from_state
     and m.to_state = p_to_state
     and m.event = coalesce(p_event, m.event)
   order by m.position
   limit 1;

  if not found then
    raise exception using
      errcode = 'TK409',
      message = format(
        'a task cannot go from %s to %s%s',
        p_from_state, p_to_state,
        case when p_event is not null then format(' by event "%s"', left(p_event, 100)) end
      ),
      detail  = coalesce(
        'Allowed transitions: ' || (
          select string_agg(format('%s by %s', m.to_state, m.event), ', ' order by m.to_state, m.position)
            from tasker.task_state_machine as m
           where m.from_state = p_from_state
        ) || '.',
        format('No transition leaves %s.', p_from_state)
      ),
      hint    = 'tasker.list_task_transitions() shows every transition that is allowed.';
  end if;
  return v_event;
end;
$$;

comment on function tasker.task_event is
$$Returns the event that moves a task from one state to another: the named event, or the usual event for null. Raises TK409 if there is no such event.$$;
-- <<<

-- >>> db/schema/functions/kernel/state/private/step_event.sql
create or replace function tasker.step_event(
  p_from_state  tasker.step_state,
  p_to_state    tasker.step_state,
  p_event       text
)
  returns text
  language plpgsql
  stable
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_event text;
begin
  select m.event
    into v_event
    from tasker.step_state_machine as m
   where m.from_state = p_from_state
     and m.to_state = p_to_state
     and m.event = coalesce(p_event, m.event)
   order by m.position
   limit 1;

  if not found then
    raise exception using
      errcode = 'TK409',
      message = format(
        'a step cannot go from %s to %s%s',
        p_from_state, p_to_state,
        case when p_event is not null then format(' by event "%s"', left(p_event, 100)) end
      ),
      detail  = coalesce(
        'Allowed transitions: ' || (
          select string_agg(format('%s by %s', m.to_state, m.event), ', ' order by m.to_state, m.position)
            from tasker.step_state_machine as m
           where m.from_state = p_from_state
        ) || '.',
        format('No transition leaves %s.', p_from_state)
      ),
      hint    = 'tasker.list_step_transitions() shows every transition that is allowed.';
  end if;
  return v_event;
end;
$$;

comment on function tasker.step_event is
$$Returns the event that moves a step from one state to another: the named event, or the usual event for null. Raises TK409 if there is no such event.$$;
-- <<<

-- >>> db/schema/functions/operate/inspect/list_task_states.sql
create or replace function tasker.list_task_states()
  returns setof tasker.task_states
  language plpgsql
  stable
  security definer
  set search_path = pg_catalog, pg_temp
as $$
begin
  return query
  select s.*
    from tasker.task_states as s
   order by s.state;
end;
$$;

comment on function tasker.list_task_states is
$$Returns the states of a task with their meaning.$$;

grant execute on function tasker.list_task_states
  to tasker_submitter, tasker_worker, tasker_orchestrator, tasker_operator, tasker_reader;
-- <<<

-- >>> db/schema/functions/operate/inspect/list_task_transitions.sql
create or replace function tasker.list_task_transitions()
  returns setof tasker.task_state_machine
  language plpgsql
  stable
  security definer
  set search_path = pg_catalog, pg_temp
as $$
begin
  return query
  select m.*
    from tasker.task_state_machine as m
   order by m.from_state, m.to_state, m.position;
end;
$$;

comment on function tasker.list_task_transitions is
$$Returns every transition that a task may make, with its old state, its event and its new state.$$;

grant execute on function tasker.list_task_transitions
  to tasker_submitter, tasker_worker, tasker_orchestrator, tasker_operator, tasker_reader;
-- <<<

-- >>> db/schema/functions/compat/states/task_state_is_terminal.sql
create or replace function tasker.task_state_is_terminal(p_state text)
  returns boolean
  language sql
  stable
  security definer
  set search_path = pg_catalog, pg_temp
begin atomic
  select s.terminal
    from tasker.task_states as s
   where s.state = tasker.parse_task_state(p_state);
end;

comment on function tasker.task_state_is_terminal is
$$Returns true if a task in this state has ended. Raises TK422 if there is no such state.$$;

grant execute on function tasker.task_state_is_terminal
  to tasker_submitter, tasker_worker, tasker_orchestrator, tasker_operator, tasker_reader;
-- <<<

-- >>> db/schema/functions/compat/states/task_state_requires_ownership.sql
create or replace function tasker.task_state_requires_ownership(p_state text)
  returns boolean
  language sql
  stable
  security definer
  set search_path = pg_catalog, pg_temp
begin atomic
  select s.requires_ownership
    from tasker.task_states as s
   where s.state = tasker.parse_task_state(p_state);
end;

comment on function tasker.task_state_requires_ownership is
$$Returns true if a task in this state belongs to the processor that moved the task to this state. Raises TK422 if there is no such state.$$;

grant execute on function tasker.task_state_requires_ownership
  to tasker_submitter, tasker_worker, tasker_orchestrator, tasker_operator, tasker_reader;
-- <<<

-- >>> db/schema/functions/compat/states/task_state_is_active.sql
create or replace function tasker.task_state_is_active(p_state text)
  returns boolean
  language sql
  stable
  security definer
  set search_path = pg_catalog, pg_temp
begin atomic
  select s.active
    from tasker.task_states as s
   where s.state = tasker.parse_task_state(p_state);
end;

comment on function tasker.task_state_is_active is
$$Returns true if the engine is processing a task in this state, or its steps are running. Raises TK422 if there is no such state.$$;

grant execute on function tasker.task_state_is_active
  to tasker_submitter, tasker_worker, tasker_orchestrator, tasker_operator, tasker_reader;
-- <<<

-- >>> db/schema/functions/compat/states/task_state_is_waiting.sql
create or replace function tasker.task_state_is_waiting(p_state text)
  returns boolean
  language sql
  stable
  security definer
  set search_path = pg_catalog, pg_temp
begin atomic
  select s.waiting
    from tasker.task_states as s
   where s.state = tasker.parse_task_state(p_state);
end;

comment on function tasker.task_state_is_waiting is
$$Returns true if a task in this state waits for dependencies, for a retry or for an operator. Raises TK422 if there is no such state.$$;

grant execute on function tasker.task_state_is_waiting
  to tasker_submitter, tasker_worker, tasker_orchestrator, tasker_operator, tasker_reader;
-- <<<

-- >>> db/schema/functions/compat/states/task_state_can_be_processed.sql
create or replace function tasker.task_state_can_be_processed(p_state text)
  returns boolean
  language sql
  stable
  security definer
  set search_path = pg_catalog, pg_temp
begin atomic
  select s.can_be_processed
    from tasker.task_states as s
   where s.state = tasker.parse_task_state(p_state);
end;

comment on function tasker.task_state_can_be_processed is
$$Returns true if an orchestrator may process a task in this state. Raises TK422 if there is no such state.$$;

grant execute on function tasker.task_state_can_be_processed
  to tasker_submitter, tasker_worker, tasker_orchestrator, tasker_operator, tasker_reader;
-- <<<

-- >>> db/schema/functions/operate/inspect/list_step_states.sql
create or replace function tasker.list_step_states()
  returns setof tasker.step_states
  language plpgsql
  stable
  security definer
  set search_path = pg_catalog, pg_temp
as $$
begin
  return query
  select s.*
    from tasker.step_states as s
   order by s.state;
end;
$$;

comment on function tasker.list_step_states is
$$Returns the states of a step with their meaning.$$;

grant execute on function tasker.list_step_states
  to tasker_submitter, tasker_worker, tasker_orchestrator, tasker_operator, tasker_reader;
-- <<<

-- >>> db/schema/functions/operate/inspect/list_step_transitions.sql
create or replace function tasker.list_step_transitions()
  returns setof tasker.step_state_machine
  language plpgsql
  stable
  security definer
  set search_path = pg_catalog, pg_temp
as $$
begin
  return query
  select m.*
    from tasker.step_state_machine as m
   order by m.from_state, m.to_state, m.position;
end;
$$;

comment on function tasker.list_step_transitions is
$$Returns every transition that a step may make, with its old state, its event and its new state.$$;

grant execute on function tasker.list_step_transitions
  to tasker_submitter, tasker_worker, tasker_orchestrator, tasker_operator, tasker_reader;
-- <<<

-- >>> db/schema/functions/compat/states/step_state_is_terminal.sql
create or replace function tasker.step_state_is_terminal(p_state text)
  returns boolean
  language sql
  stable
  security definer
  set search_path = pg_catalog, pg_temp
begin atomic
  select s.terminal
    from tasker.step_states as s
   where s.state = tasker.parse_step_state(p_state);
end;

comment on function tasker.step_state_is_terminal is
$$Returns true if a step in this state has ended. Raises TK422 if there is no such state.$$;

grant execute on function tasker.step_state_is_terminal
  to tasker_submitter, tasker_worker, tasker_orchestrator, tasker_operator, tasker_reader;
-- <<<

-- >>> db/schema/functions/compat/states/step_state_is_error.sql
create or replace function tasker.step_state_is_error(p_state text)
  returns boolean
  language sql
  stable
  security definer
  set search_path = pg_catalog, pg_temp
begin atomic
  select s.error
    from tasker.step_states as s
   where s.state = tasker.parse_step_state(p_state);
end;

comment on function tasker.step_state_is_error is
$$Returns true if a step in this state has failed for good. Raises TK422 if there is no such state.$$;

grant execute on function tasker.step_state_is_error
  to tasker_submitter, tasker_worker, tasker_orchestrator, tasker_operator, tasker_reader;
-- <<<

-- >>> db/schema/functions/compat/states/step_state_is_active.sql
create or replace function tasker.step_state_is_active(p_state text)
  returns boolean
  language sql
  stable
  security definer
  set search_path = pg_catalog, pg_temp
begin atomic
  select s.active
    from tasker.step_states as s
   where s.state = tasker.parse_step_state(p_state);
end;

comment on function tasker.step_state_is_active is
$$Returns true if a worker has claimed a step in this state. Raises TK422 if there is no such state.$$;

grant execute on function tasker.step_state_is_active
  to tasker_submitter, tasker_worker, tasker_orchestrator, tasker_operator, tasker_reader;
-- <<<

-- >>> db/schema/functions/compat/states/step_state_is_in_processing_pipeline.sql
create or replace function tasker.step_state_is_in_processing_pipeline(p_state text)
  returns boolean
  language sql
  stable
  security definer
  set search_path = pg_catalog, pg_temp
begin atomic
  select s.in_processing_pipeline
    from tasker.step_states as s
   where s.state = tasker.parse_step_state(p_state);
end;

comment on function tasker.step_state_is_in_processing_pipeline is
$$Returns true if a step in this state has been enqueued and its result has not been processed yet. Raises TK422 if there is no such state.$$;

grant execute on function tasker.step_state_is_in_processing_pipeline
  to tasker_submitter, tasker_worker, tasker_orchestrator, tasker_operator, tasker_reader;
-- <<<

-- >>> db/schema/functions/compat/states/step_state_is_ready_for_claiming.sql
create or replace function tasker.step_state_is_ready_for_claiming(p_state text)
  returns boolean
  language sql
  stable
  security definer
  set search_path = pg_catalog, pg_temp
begin atomic
  select s.ready_for_claiming
    from tasker.step_states as s
   where s.state = tasker.parse_step_state(p_state);
end;

comment on function tasker.step_state_is_ready_for_claiming is
$$Returns true if a worker may claim a step in this state. Raises TK422 if there is no such state.$$;

grant execute on function tasker.step_state_is_ready_for_claiming
  to tasker_submitter, tasker_worker, tasker_orchestrator, tasker_operator, tasker_reader;
-- <<<

-- >>> db/schema/functions/compat/states/step_state_satisfies_dependencies.sql
create or replace function tasker.step_state_satisfies_dependencies(p_state text)
  returns boolean
  language sql
  stable
  security definer
  set search_path = pg_catalog, pg_temp
begin atomic
  select s.satisfies_dependencies
    from tasker.step_states as s
   where s.state = tasker.parse_step_state(p_state);
end;

comment on function tasker.step_state_satisfies_dependencies is
$$Returns true if a step in this state satisfies the dependency of the steps that depend on it. Raises TK422 if there is no such state.$$;

grant execute on function tasker.step_state_satisfies_dependencies
  to tasker_submitter, tasker_worker, tasker_orchestrator, tasker_operator, tasker_reader;
-- <<<

insert into tasker.schema_builds (version, files) values ('20261121000400', 'data/step_log_paths 0348b1aa48ce3073
data/step_state_machine 682088e34d5674fd
data/step_states debae424db171e21
data/step_sweeps 83f956f1bb019f53
data/task_log_paths 5122adcb73a66775
data/task_paths cf4ccbce27c0dc7f
data/task_state_machine a5c81ac2c05a0215
data/task_states 94f5bd165c9453e4
functions/compat/states/step_state_is_active db3e216a2e29b98b
functions/compat/states/step_state_is_error 73d63c668dda907a
functions/compat/states/step_state_is_in_processing_pipeline f25523a524004bbd
functions/compat/states/step_state_is_ready_for_claiming 056fc04f96684c3f
functions/compat/states/step_state_is_terminal 77d1439059f90ac3
functions/compat/states/step_state_satisfies_dependencies 11459e4875515bf4
functions/compat/states/task_state_can_be_processed e657961aa24ea5b0
functions/compat/states/task_state_is_active 455f95815fccf781
functions/compat/states/task_state_is_terminal aaa065b494885fc2
functions/compat/states/task_state_is_waiting c29fc376323eb651
functions/compat/states/task_state_requires_ownership 6ca8caac0eda919a
functions/kernel/state/private/parse_step_state 42a4d419517f539b
functions/kernel/state/private/parse_task_state fe8fb0ef9415fffc
functions/kernel/state/private/step_event fccc4c0da983cea8
functions/kernel/state/private/task_event c031e341dab766c7
functions/operate/inspect/list_step_states 7834b1edc8473273
functions/operate/inspect/list_step_transitions 00efb93e571e6ae0
functions/operate/inspect/list_task_states 355ea70f3e3dd0e8
functions/operate/inspect/list_task_transitions 32d00e9505a8a901
tables/kernel/state/step_log_paths 0e7d44f4d602d1fa
tables/kernel/state/step_state_machine bac0d473b1e67f0b
tables/kernel/state/step_states dfda2796a8ab9606
tables/kernel/state/step_sweeps 85a27ab8ccce6792
tables/kernel/state/task_log_paths 6e56f92866cb2bdf
tables/kernel/state/task_paths 3e0f56a7497259e7
tables/kernel/state/task_state_machine d02384365cf8c343
tables/kernel/state/task_states 9bae996e3fb04982
');

reset role;

-- migrate:down
set local citus.enable_ddl_propagation = off; -- Citus would repeat this on its worker nodes
set local role tasker_owner;

delete from tasker.schema_builds where version = '20261121000400';

drop function tasker.step_state_satisfies_dependencies;
drop function tasker.step_state_is_ready_for_claiming;
drop function tasker.step_state_is_in_processing_pipeline;
drop function tasker.step_state_is_active;
drop function tasker.step_state_is_error;
drop function tasker.step_state_is_terminal;
drop function tasker.list_step_transitions;
drop function tasker.list_step_states;
drop function tasker.task_state_can_be_processed;
drop function tasker.task_state_is_waiting;
drop function tasker.task_state_is_active;
drop function tasker.task_state_requires_ownership;
drop function tasker.task_state_is_terminal;
drop function tasker.list_task_transitions;
drop function tasker.list_task_states;
drop function tasker.step_event;
drop function tasker.task_event;
drop function tasker.parse_step_state;
drop function tasker.parse_task_state;
delete from tasker.task_paths;
drop table tasker.task_paths;
delete from tasker.task_log_paths;
drop table tasker.task_log_paths;
delete from tasker.step_log_paths;
drop table tasker.step_log_paths;
delete from tasker.step_sweeps;
drop table tasker.step_sweeps;
delete from tasker.step_state_machine;
drop table tasker.step_state_machine;
delete from tasker.step_states;
drop table tasker.step_states;
delete from tasker.task_state_machine;
drop table tasker.task_state_machine;
delete from tasker.task_states;
drop table tasker.task_states;

reset role;
