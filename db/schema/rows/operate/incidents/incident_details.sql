create or replace view tasker.incident_details as
select
  ''::text as incident,
  ''::text as severity,
  ''::text as kind,
  ''::text as rule,
  null::text as namespace,
  ''::text as subject,
  ''::text as what,
  ''::text as next_step,
  '-infinity'::timestamptz as since,
  '-infinity'::timestamptz as judged_at,
  null::timestamptz as ended_at,
  0::bigint as entries,
  ''::text as part_of,
  null::text as acknowledged_by,
  null::timestamptz as acknowledged_at,
  null::timestamptz as acknowledged_until,
  null::text as acknowledged_reason,
  '{}'::jsonb as figures,
  ''::text as runbook
where false;

comment on view tasker.incident_details is
  'Row type: an incident as lists show it.';
comment on column tasker.incident_details.severity is
  'act_now, look_today or information.';
comment on column tasker.incident_details.namespace is
  'Null if the incident concerns the whole database.';
comment on column tasker.incident_details.entries is
  'The number of steps, tasks, entries or workers that the incident concerns. An incident of the kind failing counts all steps. In incidents of other kinds, the number 10,001 means more than 10,000.';
comment on column tasker.incident_details.part_of is
  'The first incident of the same handler that began within five minutes of this incident. The incident itself if there is no such incident.';
comment on column tasker.incident_details.figures is
  'The figures that were measured for the incident. For failures they are the numbers in the last minute and in the last five minutes, the present and the usual share, and the number in each minute of the last hour.';
comment on column tasker.incident_details.runbook is
  'The address of the page with instructions for incidents of its kind: the setting runbook.';
