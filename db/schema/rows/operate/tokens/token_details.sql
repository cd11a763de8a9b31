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
  'Row type: an access token without its hash.';
comment on column tasker.token_details.namespaces is
  'The namespaces that the access covers. "*" alone means all namespaces. An empty array means no namespace.';
comment on column tasker.token_details.status is
  'valid, expired, revoked, or unusable: the token''s role does not exist any longer, or a token may no longer have that role.';
