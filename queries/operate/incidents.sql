-- ListIncidents returns the open incidents, the most severe first. With incident, it returns only the named incident, even if that
-- incident has ended within the last week.
-- name: ListIncidents :many
select * from tasker.list_incidents(sqlc.narg('incident'), sqlc.narg('limit'));

-- GetReadiness returns whether a server can do its work, and the state of the system in words that name no
-- data.
-- name: GetReadiness :one
select * from tasker.get_readiness();

-- ListIncidentRules returns the rules by which incidents are judged.
-- name: ListIncidentRules :many
select * from tasker.list_incident_rules();

-- ListIncidentSteps returns the steps that stand failed for a cause, in pages.
-- name: ListIncidentSteps :many
select * from tasker.list_incident_steps(@incident, sqlc.narg('after'), sqlc.narg('limit'));

-- ListIncidentShares returns the versions, workers and tenants with their shares of the failures of a cause, beside their shares of the
-- attempts.
-- name: ListIncidentShares :many
select * from tasker.list_incident_shares(@incident);

-- GetStepIncident returns the open incident of the cause for which a step failed last. The answer is empty if
-- no such incident is open.
-- name: GetStepIncident :one
select coalesce(tasker.get_step_incident(@step_uuid), '')::text as incident;

-- AcknowledgeIncident notes that a person takes care of an open incident until a time, or while the incident is open if no time is
-- given. It returns false if the incident was acknowledged in the same way before, and ErrNotFound if no such incident is open.
-- name: AcknowledgeIncident :one
select tasker.acknowledge_incident(
  @incident, sqlc.narg('until'), p_reason => sqlc.narg('act_reason'), p_actor => sqlc.narg('act_actor')
);
