create or replace view tasker.limit_details as
select
  ''::text as namespace,
  ''::text as name,
  null::integer as concurrency,
  null::integer as rate,
  0::integer as per_seconds,
  0::integer as burst,
  0::bigint as in_use,
  0::bigint as waiting,
  0::bigint as keys,
  0::double precision as oldest_seconds,
  '{}'::text[] as handlers,
  '-infinity'::timestamptz as updated_at,
  ''::text as updated_by
where false;

comment on view tasker.limit_details is
  'Row type: a limit and the steps in it.';
comment on column tasker.limit_details.in_use is
  'The number of claimed steps of all keys. It includes steps whose lease has ended but which no other claim has taken yet.';
comment on column tasker.limit_details.waiting is
  'The number of enqueued steps of all keys.';
comment on column tasker.limit_details.keys is
  'The number of keys with a step that waits or runs.';
comment on column tasker.limit_details.oldest_seconds is
  'The number of seconds that the oldest waiting step has waited. 0 if no step waits.';
