create or replace view tasker.selection_entry_details as
select
  0::integer as entry_no,
  '00000000-0000-0000-0000-000000000000'::uuid as object_uuid,
  '00000000-0000-0000-0000-000000000000'::uuid as task_uuid,
  null::text as namespace,
  null::text as task_name,
  null::text as task_version,
  null::text as step_name,
  null::text as current_state,
  ''::text as state,
  null::timestamptz as acted_at,
  null::uuid as result_uuid,
  null::text as note
where false;

comment on view tasker.selection_entry_details is
  'Row type: an entry of a selection, the present state of its task or step, and the outcome of the mass action for it.';
