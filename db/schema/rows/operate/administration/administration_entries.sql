create or replace view tasker.administration_entries as
select
  0::bigint as entry_no,
  '-infinity'::timestamptz as logged_at,
  ''::text as kind,
  ''::text as object,
  null::text[] as namespaces,
  ''::text as action,
  null::text as call,
  ''::text as login,
  null::text as role,
  null::text as token,
  null::text as actor,
  null::jsonb as was,
  null::jsonb as becomes,
  null::text as reason
where false;

comment on view tasker.administration_entries is
  'Row type: a change of an object that belongs to no task.';
comment on column tasker.administration_entries.namespaces is
  'The namespaces that the object belongs to. Null if the object concerns all namespaces.';
comment on column tasker.administration_entries.call is
  'The function that changed the object. Null if a statement of the owner changed it directly.';
comment on column tasker.administration_entries.actor is
  'The name that the caller gave for itself, or else the name that is stored in the object.';
comment on column tasker.administration_entries.was is
  'The object before the change. Null if the change created the object.';
comment on column tasker.administration_entries.becomes is
  'The object after the change. Null if the change deleted the object.';
comment on column tasker.administration_entries.reason is
  'The reason that the caller gave for the change.';
