create or replace function tasker.note_queues()
  returns void
  language sql
  set search_path = pg_catalog, pg_temp
begin atomic
  insert into tasker.queue_history as o (bucket, namespace, ready, leased, oldest_seconds)
  select
    date_trunc('minute', tasker.clock(), 'UTC'), n.name, q.ready, q.leased,
    case when n.paused_at is null then coalesce(greatest(extract(epoch from tasker.clock() - q.oldest), 0), 0) else 0 end
  from (
    select
      q.namespace,
      count(*) filter (where q.visible_at <= tasker.clock()) as ready,
      count(*) filter (where q.visible_at > tasker.clock()) as leased,
      min(q.visible_at) filter (where q.visible_at <= tasker.clock()) as oldest
    from tasker.step_queue as q
    group by q.namespace
  ) as q
  join tasker.task_namespaces as n
    on n.name = q.namespace
  on conflict (bucket, namespace) do update
     set ready          = excluded.ready,
         leased         = excluded.leased,
         oldest_seconds = excluded.oldest_seconds;
  delete from tasker.queue_history as o where o.bucket < tasker.clock() - interval '7 days';
end;

comment on function tasker.note_queues is
$$Writes the present lengths of the queues into tasker.queue_history, and deletes rows that are older than a week.$$;
