create or replace view tasker.task_template_summaries as
select
  '00000000-0000-0000-0000-000000000000'::uuid as named_task_uuid,
  ''::text as namespace,
  ''::text as name,
  ''::text as version,
  null::text as description,
  ''::text as identity_strategy,
  ''::text as on_failure,
  0::integer as step_count,
  '-infinity'::timestamptz as created_at,
  null::timestamptz as retired_at
where false;

comment on view tasker.task_template_summaries is
  'Row type: a registered template in a list, without its steps.';
