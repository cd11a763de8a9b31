create or replace view tasker.queue_lengths as
select
  '-infinity'::timestamptz as bucket_start,
  0::bigint as ready,
  0::bigint as leased,
  0::double precision as oldest_seconds
where false;

comment on view tasker.queue_lengths is
  'Row type: the largest length of the queues in a part of time: the sums of ready and leased steps of all namespaces, and the wait of the oldest ready step.';
