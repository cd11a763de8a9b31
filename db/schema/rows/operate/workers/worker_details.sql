create or replace view tasker.worker_details as
select
  '00000000-0000-0000-0000-000000000000'::uuid as worker_uuid,
  ''::text as name,
  '{}'::text[] as namespaces,
  '-infinity'::timestamptz as registered_at,
  '-infinity'::timestamptz as last_seen_at,
  0::bigint as claimed_count,
  ''::text as login,
  null::text as role,
  null::text as version
where false;

comment on view tasker.worker_details is
  'Row type: a worker process as lists show it.';
