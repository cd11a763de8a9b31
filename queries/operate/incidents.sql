-- ListIncidents returns the open incidents, the most severe first. If incident is given, it returns only the named
-- incident, even if that incident ended within the last week.
-- name: ListIncidents :many
select * from tasker.list_incidents(sqlc.narg('incident'), sqlc.narg('limit'));

-- GetReadiness returns whether a server can do its work, and describes the state of the system without disclosing
-- data.
-- name: GetReadiness :one
select * from tasker.get_readiness();

-- ListIncidentRules returns the rules that decide when an incident opens and how severe it is.
-- name: ListIncidentRules :many
select * from tasker.list_incident_rules();

-- ListIncidentSteps returns a page of the failed steps that count for one cause.
-- name: ListIncidentSteps :many
select * from tasker.list_incident_steps(@incident, sqlc.narg('after'), sqlc.narg('limit'));

-- ListIncidentShares returns versions, workers and tenants, each with its share of the failures of a cause and its
-- share of all attempts.
-- name: ListIncidentShares :many
select * from tasker.list_incident_shares(@incident);

-- GetStepIncident returns the open incident for the cause of a step's last failure. The answer is empty if no such
-- incident is open.
-- name: GetStepIncident :one
select coalesce(tasker.get_step_incident(@step_uuid), '')::text as incident;

-- AcknowledgeIncident records that a person takes care of an open incident until the given time. Without a time, this
-- holds while the incident is open. It returns false if the incident was acknowledged in the same way before, and
-- ErrNotFound if no such incident is open.
-- name: AcknowledgeIncident :one
select tasker.acknowledge_incident(
  @incident, sqlc.narg('until'), p_reason => sqlc.narg('act_reason'), p_actor => sqlc.narg('act_actor')
);
