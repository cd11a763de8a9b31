create or replace view tasker.creation_templates as
select
  '00000000-0000-0000-0000-000000000000'::uuid as named_task_uuid,
  ''::text as version,
  ''::text as identity_strategy,
  0::integer as total_steps,
  0::integer as root_steps,
  0::integer as waiting_roots,
  false::boolean as has_maps,
  ''::text as transport,
  false::boolean as paused,
  0::integer as context_bytes,
  null::timestamptz as range_ends_at,
  0::smallint as root_effects,
  false::boolean as has_compensations,
  ''::text as notify,
  false::boolean as any_bound
where false;

comment on view tasker.creation_templates is
  'Row type: all that creation needs of a template, its namespace and the settings, from one query.';
comment on column tasker.creation_templates.range_ends_at is
  'The end of the newest range that has begun: UUIDs of new tasks lie before it. Null if there is none.';
