create or replace view tasker.queue_lengths as
select
  '-infinity'::timestamptz as bucket_start,
  0::bigint as ready,
  0::bigint as leased,
  0::double precision as oldest_seconds
where false;

comment on view tasker.queue_lengths is
  'Row type: the greatest length of the queues within a span of time: the numbers of ready and of leased steps, summed over all namespaces, and the wait of the oldest ready step.';
