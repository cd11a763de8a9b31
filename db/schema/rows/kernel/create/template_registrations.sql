create or replace view tasker.template_registrations as
select
  '00000000-0000-0000-0000-000000000000'::uuid as named_task_uuid,
  ''::text as namespace,
  ''::text as name,
  ''::text as version,
  0::integer as step_count,
  ''::bytea as content_hash,
  false::boolean as created,
  null::timestamptz as retired_at
where false;

comment on view tasker.template_registrations is
  'Row type: the outcome of a registration.';
comment on column tasker.template_registrations.created is
  'Whether this call registered the version. False if the same content was already registered.';
