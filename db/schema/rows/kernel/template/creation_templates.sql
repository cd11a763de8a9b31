create or replace view tasker.creation_templates as
select
  '00000000-0000-0000-0000-000000000000'::uuid as named_task_uuid,
  ''::text as version,
  ''::text as identity_strategy,
  'pending'::tasker.task_state as state,
  false::boolean as complete,
  false::boolean as has_maps,
  0::integer as total_steps,
  0::integer as active_steps,
  0::integer as suspended_steps,
  0::integer as transition_count,
  0::smallint as root_effects,
  0::smallint as path,
  null::jsonb as ready,
  null::jsonb as undo,
  ''::text as transport,
  ''::text as notify,
  false::boolean as paused,
  0::integer as context_bytes,
  null::timestamptz as range_ends_at,
  false::boolean as any_bound,
  null::timestamptz as retired_at,
  null::jsonb as input_schema,
  null::jsonb as runs
where false;

comment on view tasker.creation_templates is
  'Row type: the facts about a template, its namespace and the settings that the creation of a task needs. One query reads them from tasker.creation_plans and tasker.settings_now.';
comment on column tasker.creation_templates.range_ends_at is
  'The end of the time that ranges cover without a gap from now on, or else the end of the newest range that has begun. UUIDs of new tasks lie before this time. Null if no range has begun.';
