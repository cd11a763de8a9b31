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
  'The number of steps, tasks, entries or workers that the incident concerns. The kind failing counts all steps. For other kinds, 10,001 stands for more than 10,000.';
comment on column tasker.incident_details.part_of is
  'The first incident of the same handler that began within five minutes of this incident. The incident itself if there is no such incident.';
comment on column tasker.incident_details.figures is
  'The measured figures of its kind: for failures the counts of the last minute and five minutes, the share beside the usual share, and an hour by minutes.';
comment on column tasker.incident_details.runbook is
  'The address of the page with instructions for incidents of its kind: the setting runbook.';
