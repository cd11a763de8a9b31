-- StartMassAction starts an action that acts at most once on each entry of a selection. It returns false if the same
-- action was started before.
-- name: StartMassAction :one
select tasker.start_mass_action(
  @selection_uuid, @action, @entries, @reason, sqlc.narg('arguments'), sqlc.narg('at_once'), sqlc.narg('per_minute'), sqlc.narg('stop_share'),
  sqlc.narg('canary_seconds'), sqlc.narg('actor')
);

-- GetMassAction returns the mass action on a selection, with its progress, or ErrNotFound if the selection
-- has no mass action.
-- name: GetMassAction :one
select * from tasker.get_mass_action(@selection_uuid);

-- ListMassActions returns a page of mass actions. Actions on the newest selections come first.
-- name: ListMassActions :many
select * from tasker.list_mass_actions(sqlc.narg('state'), sqlc.narg('before'), sqlc.narg('limit'));

-- StopMassAction stops a mass action. It returns false if the action was already stopped or done.
-- name: StopMassAction :one
select tasker.stop_mass_action(@selection_uuid, p_reason => sqlc.narg('act_reason'), p_actor => sqlc.narg('act_actor'));

-- ResumeMassAction continues a stopped mass action. It returns false if the action is running or done.
-- name: ResumeMassAction :one
select tasker.resume_mass_action(@selection_uuid, p_reason => sqlc.narg('act_reason'), p_actor => sqlc.narg('act_actor'));
