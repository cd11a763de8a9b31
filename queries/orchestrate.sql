-- ClaimSteps hands ready steps to a worker. Use SqlFunctionExecutor's own ClaimSteps.
-- name: ClaimSteps :many
select * from tasker.claim_steps(
  @namespaces::text[], @worker_uuid, @max_steps, sqlc.narg('lease_seconds'), @handlers::text[], sqlc.narg('request_uuid')
);

-- ClaimStep hands one known step to a worker if it is ready; pgx.ErrNoRows if it is not.
-- name: ClaimStep :one
select * from tasker.claim_step(@step_uuid, @worker_uuid, sqlc.narg('lease_seconds'));

-- CompleteSteps records results. Use SqlFunctionExecutor's own CompleteSteps.
-- name: CompleteSteps :many
select * from tasker.complete_steps(
  @step_uuids::uuid[], @claim_nos::integer[], @results::jsonb[], @execution_times_ms::bigint[]
);

-- FailSteps records failures. Use SqlFunctionExecutor's own FailSteps. A backoff of -1 is none.
-- name: FailSteps :many
select * from tasker.fail_steps(
  @step_uuids::uuid[], @claim_nos::integer[], @errors::text[], @permanent::boolean[],
  array_replace(@backoff_seconds::integer[], -1, null), @execution_times_ms::bigint[]
);

-- ExchangeSteps is results in, new steps out. Use SqlFunctionExecutor's own ExchangeSteps. An empty
-- error is none, a backoff of -1 is none.
-- name: ExchangeSteps :many
select * from tasker.exchange_steps(
  @worker_uuid, @step_uuids::uuid[], @claim_nos::integer[], @results::jsonb[],
  array_replace(@errors::text[], '', null), @permanent::boolean[],
  array_replace(@backoff_seconds::integer[], -1, null), @execution_times_ms::bigint[],
  @namespaces::text[], @max_steps, sqlc.narg('lease_seconds'), @handlers::text[], sqlc.narg('request_uuid')
);

-- ExtendLeases renews the leases of running steps. Use SqlFunctionExecutor's own ExtendLeases.
-- name: ExtendLeases :many
select * from tasker.extend_leases(@step_uuids::uuid[], @claim_nos::integer[], sqlc.narg('lease_seconds'));

-- CheckpointStep keeps how far a running step has come and renews its lease: saved, stale or cancelled.
-- name: CheckpointStep :one
select tasker.checkpoint_step(@step_uuid, @claim_no, @checkpoint, sqlc.narg('lease_seconds'));

-- ReleaseSteps hands claimed steps back. Use SqlFunctionExecutor's own ReleaseSteps.
-- name: ReleaseSteps :many
select * from tasker.release_steps(@step_uuids::uuid[], @claim_nos::integer[]);

-- RegisterWorker enters a worker process under a name; true if it is new. Nil for all namespaces.
-- name: RegisterWorker :one
select tasker.register_worker(@worker_uuid, @name, @namespaces::text[]);

-- HeartbeatWorker says that a worker lives; false if it is not known.
-- name: HeartbeatWorker :one
select tasker.heartbeat_worker(@worker_uuid);

-- ListWorkers returns worker processes, the one seen last first; nil for all.
-- name: ListWorkers :many
select * from tasker.list_workers(sqlc.narg('seen_within'));

-- Orchestrate does all that an orchestrator has to do, at most so much of each.
-- name: Orchestrate :one
select * from tasker.orchestrate(@max_items);

-- FireDueTimers does what is due and returns how many timers that were.
-- name: FireDueTimers :one
select tasker.fire_due_timers(@max_items);

-- ProcessStepResults processes deferred results and returns how many.
-- name: ProcessStepResults :one
select tasker.process_step_results(@max_items);

-- ProcessTaskRequests creates the tasks that messages ask for and returns how many.
-- name: ProcessTaskRequests :one
select tasker.process_task_requests(@max_items);

-- NextDueAt returns when there is something to do next, nil if nothing is due ever. Nil for all namespaces.
-- name: NextDueAt :one
select * from tasker.next_due_at(@namespaces::text[], @orchestrator);

-- AdvanceTask starts a task or moves it on, and returns the state that it is in then.
-- name: AdvanceTask :one
select tasker.advance_task(@task_uuid);

-- ClaimTaskForFinalization gives one of several orchestrators the finalisation of a task whose steps are
-- all done; false for the others.
-- name: ClaimTaskForFinalization :one
select tasker.claim_task_for_finalization(@task_uuid, @processor_uuid, sqlc.narg('lease_seconds'));

-- FinalizeTaskCompletion completes a task whose steps are all done; false if it is not that far, has
-- ended, or another processor claims it.
-- name: FinalizeTaskCompletion :one
select tasker.finalize_task_completion(@task_uuid, sqlc.narg('processor_uuid'));
