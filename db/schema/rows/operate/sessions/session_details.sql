create or replace view tasker.session_details as
select
  '00000000-0000-0000-0000-000000000000'::uuid as session_uuid,
  ''::text as status,
  ''::text as person,
  ''::text as issuer,
  ''::text as subject,
  null::text as email,
  null::text as role_name,
  '{}'::text[] as namespaces,
  '-infinity'::timestamptz as created_at,
  '-infinity'::timestamptz as signed_in_at,
  '-infinity'::timestamptz as seen_at,
  '-infinity'::timestamptz as refresh_at,
  '-infinity'::timestamptz as ends_at,
  null::timestamptz as ended_at,
  null::text as ended_by,
  false::boolean as refresh_due,
  false::boolean as touch_due
where false;

comment on view tasker.session_details is
  'Row type: the session of a person who has signed in, without its secrets.';
comment on column tasker.session_details.status is
  'valid, idle (too long unused), expired, ended, or unmapped: no access map gives the person access.';
comment on column tasker.session_details.person is
  'The name of the person in histories: "person", the e-mail address and the subject.';
comment on column tasker.session_details.role_name is
  'The role that the access maps give the person now. Null if no access map gives a role.';
comment on column tasker.session_details.refresh_due is
  'Whether the claims must be asked for again before the session is used.';
comment on column tasker.session_details.touch_due is
  'Whether the caller should call tasker.touch_session to record that the session is in use.';
