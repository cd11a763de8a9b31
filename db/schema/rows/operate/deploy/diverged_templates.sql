create or replace view tasker.diverged_templates as
select
  ''::text as namespace,
  ''::text as name,
  ''::text as version,
  null::text as types_digest,
  0::bigint as steps,
  '00000000-0000-0000-0000-000000000000'::uuid as step_uuid
where false;

comment on view tasker.diverged_templates is
  'Row type: a version of a template whose steps wait for a program that fits their kept results.';
comment on column tasker.diverged_templates.types_digest is
  'The digest of the types that programs registered for the version. Null if no program registered types.';
comment on column tasker.diverged_templates.step_uuid is
  'One of the steps that wait.';
