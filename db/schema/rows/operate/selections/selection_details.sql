create or replace view tasker.selection_details as
select
  '00000000-0000-0000-0000-000000000000'::uuid as selection_uuid,
  ''::text as kind,
  '{}'::jsonb as filters,
  ''::text as words,
  0::integer as entries,
  false::boolean as more,
  '{}'::text[] as namespaces,
  '-infinity'::timestamptz as created_at,
  ''::text as created_by,
  null::text as action
where false;

comment on view tasker.selection_details is
  'Row type: a selection. The column action is null if the selection has no mass action.';
