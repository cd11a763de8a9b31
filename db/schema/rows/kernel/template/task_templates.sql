create or replace view tasker.task_templates as
select
  '00000000-0000-0000-0000-000000000000'::uuid as named_task_uuid,
  ''::text as namespace,
  ''::text as name,
  ''::text as version,
  null::text as description,
  ''::text as identity_strategy,
  ''::text as on_failure,
  0::integer as step_count,
  ''::bytea as content_hash,
  '-infinity'::timestamptz as created_at,
  null::timestamptz as retired_at,
  '{}'::jsonb as template
where false;

comment on view tasker.task_templates is
  'Row type: a registered template.';
comment on column tasker.task_templates.template is
  'The template in its normal form, defaults filled in. Registering it again changes nothing.';
