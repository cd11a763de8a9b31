create or replace view tasker.stream_entries as
select
  0::bigint as item_no,
  '{}'::jsonb as item,
  0::integer as attempt,
  '-infinity'::timestamptz as written_at
where false;

comment on view tasker.stream_entries is
  'Row type: an item of a stream.';
comment on column tasker.stream_entries.written_at is
  'The time when the call that appended the item began to write.';
