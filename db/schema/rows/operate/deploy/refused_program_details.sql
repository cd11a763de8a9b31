create or replace view tasker.refused_program_details as
select
  ''::text as namespace,
  ''::text as name,
  ''::text as version,
  '{}'::text[] as handlers,
  '{}'::jsonb as differences,
  null::text as registered_types,
  null::text as registered_by,
  null::timestamptz as registered_at,
  ''::text as refused_types,
  ''::text as refused_by,
  null::text as program,
  'epoch'::timestamptz as first_refused_at,
  'epoch'::timestamptz as last_refused_at,
  0::bigint as refusals,
  ''::text as finding
where false;

comment on view tasker.refused_program_details is
  'Row type: a program that was refused under a version of a template that another program had registered with other types.';
comment on column tasker.refused_program_details.handlers is
  'The handlers of the steps whose results have different types in the two programs.';
comment on column tasker.refused_program_details.differences is
  'An array of objects with three fields. The field of is "$context" or the step with the result. The fields registered and named have the two types.';
comment on column tasker.refused_program_details.registered_types is
  'The digest of the types that are registered.';
comment on column tasker.refused_program_details.registered_by is
  'The role, the token or the person that last registered types for the version. Null if the log of administration has no such entry.';
comment on column tasker.refused_program_details.refused_types is
  'The digest of the types that the refused program named.';
comment on column tasker.refused_program_details.program is
  'The application_name of the refused program. Null if the program had none.';
comment on column tasker.refused_program_details.finding is
  'The finding in words, as a sentence without a full stop.';
