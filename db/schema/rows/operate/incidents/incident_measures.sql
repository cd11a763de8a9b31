create or replace view tasker.incident_measures as
select
  ''::text as incident,
  ''::text as kind,
  ''::text as rule,
  null::text as namespace,
  ''::text as subject,
  ''::text as what,
  0::smallint as severity,
  '-infinity'::timestamptz as since,
  0::bigint as entries,
  '{}'::jsonb as figures
where false;

comment on view tasker.incident_measures is
  'Row type: the present measurement of an incident by one rule.';
