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
  'Steps of all keys that a worker has claimed, including steps whose lease has ended and that no claim has taken back yet.';
comment on column tasker.limit_details.waiting is
  'Steps of all keys that are enqueued.';
comment on column tasker.limit_details.keys is
  'Keys with a step that waits or runs.';
comment on column tasker.limit_details.oldest_seconds is
  'The time for which the first waiting step has waited. 0 if no step waits.';
