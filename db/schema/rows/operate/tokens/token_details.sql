create or replace view tasker.token_details as
select
  ''::text as name,
  ''::text as role_name,
  '{}'::text[] as namespaces,
  ''::text as status,
  '-infinity'::timestamptz as created_at,
  ''::text as created_by,
  null::timestamptz as expires_at,
  null::timestamptz as revoked_at,
  null::text as revoked_by
where false;

comment on view tasker.token_details is
  'Row type: an access token as people see it, without its hash.';
comment on column tasker.token_details.namespaces is
  '"*" alone is all namespaces, none is nothing.';
comment on column tasker.token_details.status is
  'valid, expired, revoked, or unusable: its role is gone, or is no longer one that a token may have.';
