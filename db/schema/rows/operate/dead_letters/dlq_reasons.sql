create or replace view tasker.dlq_reasons as
select
  ''::text as dlq_reason,
  0::bigint as total_entries,
  0::bigint as pending,
  0::bigint as manually_resolved,
  0::bigint as permanently_failed,
  0::bigint as cancelled,
  '-infinity'::timestamptz as oldest_entry,
  '-infinity'::timestamptz as newest_entry,
  null::numeric as avg_resolution_minutes
where false;

comment on view tasker.dlq_reasons is
  'Row type: the numbers of dead-letter entries of one reason, for each way in which they ended.';
comment on column tasker.dlq_reasons.avg_resolution_minutes is
  'The average number of minutes until an entry was resolved. Null if no entry was resolved yet.';
