-- ClaimSteps hands ready steps to a worker. Use SqlFunctionExecutor's own ClaimSteps.
-- name: ClaimSteps :many
select * from tasker.claim_steps(
  @namespaces::text[], @worker_uuid, @max_steps, sqlc.narg('lease_seconds'), @handlers::text[], sqlc.narg('request_uuid')
);

-- ClaimStep hands one known step to a worker if the step is ready. Otherwise it returns pgx.ErrNoRows.
-- name: ClaimStep :one
select * from tasker.claim_step(@step_uuid, @worker_uuid, sqlc.narg('lease_seconds'));

-- ExchangeSteps records results and claims new steps. Use SqlFunctionExecutor's own ExchangeSteps. An empty
-- error means no error. A backoff of -1 means that the handler asked for no backoff.
-- name: ExchangeSteps :many
select * from tasker.exchange_steps(
  @worker_uuid, @step_uuids::uuid[], @claim_nos::integer[], @results::jsonb[],
  array_replace(@errors::text[], '', null), @permanent::boolean[],
  array_replace(@backoff_seconds::double precision[], -1, null), @execution_times_ms::bigint[],
  @namespaces::text[], @max_steps, sqlc.narg('lease_seconds'), @handlers::text[], sqlc.narg('request_uuid'),
  @ahead, @waiting::uuid[]
);

-- ExtendLeases renews the leases of running steps. Use SqlFunctionExecutor's own ExtendLeases.
-- name: ExtendLeases :many
select * from tasker.extend_leases(@step_uuids::uuid[], @claim_nos::integer[], sqlc.narg('lease_seconds'));

-- CheckpointStep saves the progress of a running step and renews its lease. The answer is "saved", "stale" or
-- "cancelled".
-- name: CheckpointStep :one
select tasker.checkpoint_step(@step_uuid, @claim_no, @checkpoint, sqlc.narg('lease_seconds'));

-- ReleaseSteps hands claimed steps back. Use SqlFunctionExecutor's own ReleaseSteps.
-- name: ReleaseSteps :many
select * from tasker.release_steps(@step_uuids::uuid[], @claim_nos::integer[]);

-- RegisterWorker registers a worker process under a name. It returns true if the worker is new. No namespaces
-- means all namespaces, and no handlers means any handler. The version of the worker's program may be empty.
-- name: RegisterWorker :one
select tasker.register_worker(@worker_uuid, @name, @namespaces::text[], @handlers::text[], sqlc.narg('version'));

-- HeartbeatWorker records that a worker is alive. It returns false if the worker is not known.
-- name: HeartbeatWorker :one
select tasker.heartbeat_worker(@worker_uuid);

-- GetAncestorResult returns the result of a step on which another step depends, directly or indirectly. It returns
-- no row if there is no result.
-- name: GetAncestorResult :many
select * from tasker.get_ancestor_result(@step_uuid, @name);

-- GetParentResults returns a page of the results of a step's parents. The page begins after the given step number.
-- name: GetParentResults :many
select * from tasker.get_parent_results(@step_uuid, @after_step_no, @max_rows);

-- ClaimDeliveredSteps claims the steps that messages of a broker carry. Use SqlFunctionExecutor's own
-- ClaimDeliveredSteps.
-- name: ClaimDeliveredSteps :many
select * from tasker.claim_delivered_steps(@step_uuids::uuid[], @worker_uuid, sqlc.narg('lease_seconds'));
