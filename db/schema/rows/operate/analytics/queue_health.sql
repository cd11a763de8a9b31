create or replace view tasker.queue_health as
select
  ''::text as namespace_name,
  ''::text as lane,
  0::bigint as ready_steps,
  0::bigint as leased_steps,
  0::double precision as oldest_ready_seconds,
  0::double precision as oldest_served_seconds,
  false::boolean as paused
where false;

comment on view tasker.queue_health is
  'Row type: how long the queue of a namespace''s lane is, and how long its first row has waited.';
comment on column tasker.queue_health.ready_steps is
  'The number of rows that may be taken now, by workers or, in the lane results, by an orchestrator. In the lane running, the number of rows whose lease has ended.';
comment on column tasker.queue_health.leased_steps is
  'The number of rows that are not visible yet, because their lease has not ended or because they were handed back with a delay.';
comment on column tasker.queue_health.oldest_ready_seconds is
  'The number of seconds for which the oldest ready row has been ready. 0 if no row is ready.';
comment on column tasker.queue_health.oldest_served_seconds is
  'The same as oldest_ready_seconds, but without the steps whose handler no running worker of the namespace has: such steps wait for a program, not for a free place in a worker. If no worker runs, all steps count.';
