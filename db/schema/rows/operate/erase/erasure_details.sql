create or replace view tasker.erasure_details as
select
  '00000000-0000-0000-0000-000000000000'::uuid as task_uuid,
  ''::text as namespace,
  '00000000-0000-0000-0000-000000000000'::uuid as root_uuid,
  '-infinity'::timestamptz as erased_at,
  ''::text as erased_by,
  ''::text as reason,
  0::integer as steps,
  ''::text as digest,
  ''::text as remains,
  false::boolean as dropped
where false;

comment on view tasker.erasure_details is
  'Row type: an erasure and its proof.';
comment on column tasker.erasure_details.digest is
  'SHA-256, in hexadecimal digits, of the rows of the task before the erasure.';
comment on column tasker.erasure_details.remains is
  'SHA-256, in hexadecimal digits, of the rows that the erasure left.';
comment on column tasker.erasure_details.dropped is
  'Whether retention has dropped the task since.';
