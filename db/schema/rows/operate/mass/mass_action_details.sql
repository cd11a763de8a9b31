create or replace view tasker.mass_action_details as
select
  '00000000-0000-0000-0000-000000000000'::uuid as selection_uuid,
  ''::text as kind,
  ''::text as words,
  0::integer as entries,
  ''::text as action,
  '{}'::jsonb as arguments,
  ''::text as reason,
  ''::text as state,
  0::smallint as stage,
  false::boolean as canary,
  0::integer as canary_seconds,
  null::integer as per_minute,
  0::double precision as stop_share,
  '-infinity'::timestamptz as started_at,
  ''::text as started_by,
  null::text as stopped_by,
  null::text as stopped_why,
  null::timestamptz as ended_at,
  null::timestamptz as ran_at,
  0::integer as waits,
  0::integer as open,
  0::integer as passed,
  0::integer as failed,
  0::integer as skipped,
  '{}'::text[] as namespaces
where false;

comment on view tasker.mass_action_details is
  'Row type: a mass action, its selection in words, and its progress.';
