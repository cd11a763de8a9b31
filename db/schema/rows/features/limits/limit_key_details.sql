create or replace view tasker.limit_key_details as
select
  ''::text as limit_key,
  0::bigint as in_use,
  0::bigint as waiting,
  0::double precision as oldest_seconds,
  null::timestamptz as next_start_at
where false;

comment on view tasker.limit_key_details is
  'Row type: a key of a limit and what stands in it.';
comment on column tasker.limit_key_details.next_start_at is
  'When the rate allows the next start; null without a rate, or if that is now.';
