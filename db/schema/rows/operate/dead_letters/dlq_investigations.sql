create or replace view tasker.dlq_investigations as
select
  '00000000-0000-0000-0000-000000000000'::uuid as dlq_entry_uuid,
  '00000000-0000-0000-0000-000000000000'::uuid as task_uuid,
  null::text as namespace_name,
  null::text as task_name,
  'pending'::tasker.task_state as original_state,
  ''::text as dlq_reason,
  '-infinity'::timestamptz as dlq_timestamp,
  0::numeric as minutes_in_dlq,
  0::numeric as priority_score,
  null::text as resolution_notes,
  '{}'::jsonb as metadata
where false;

comment on view tasker.dlq_investigations is
  'Row type: an open investigation.';
comment on column tasker.dlq_investigations.priority_score is
  'The urgency: 1000 for a cycle, 500 for used-up attempts, 100 for staleness, 50 for missing workers, 10 otherwise, plus 1 for each minute.';
