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
  'Rows that may be taken now: by workers, in lane results by an orchestrator. In lane running, the rows whose lease has ended.';
comment on column tasker.queue_health.leased_steps is
  'Rows that are not visible yet: under a live lease, or handed back with a delay.';
comment on column tasker.queue_health.oldest_ready_seconds is
  'The time for which the oldest ready row has been ready, 0 if there is none.';
comment on column tasker.queue_health.oldest_served_seconds is
  'The same without steps whose handler no running worker of the namespace has. Such steps wait for a program, not for a free place. If no worker runs, all steps count.';
