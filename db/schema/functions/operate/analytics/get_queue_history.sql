create or replace function tasker.get_queue_history(
  p_since      timestamptz  default null,
  p_bucket     interval     default null,
  p_namespace  text         default null
)
  returns setof tasker.queue_lengths
  language plpgsql
  stable
  security definer
  set search_path = pg_catalog, pg_temp
  set jit = off
  set timezone = 'UTC'
as $$
declare
  v_bound  text[] := tasker.bound_namespaces();
  v_since  timestamptz := greatest(tasker.report_since(p_since, interval '1 hour'), tasker.clock() - interval '7 days');
  v_bucket interval := coalesce(p_bucket, interval '1 minute');
  v_origin constant timestamptz := '2000-01-01 00:00:00Z';
begin
  perform tasker.check_bound_namespaces(array[p_namespace]);
  perform tasker.check_periods(v_since, v_bucket);
  v_since := date_bin(v_bucket, v_since, v_origin);

  return query
  select b.start, coalesce(w.ready, 0), coalesce(w.leased, 0), coalesce(w.oldest_seconds, 0)
    from generate_series(v_since, tasker.clock(), v_bucket) as b (start)
    left join (
      select date_bin(v_bucket, m.bucket, v_origin) as start, max(m.ready)::bigint as ready, max(m.leased)::bigint as leased, max(m.oldest_seconds) as oldest_seconds
        from (
          select h.bucket, sum(h.ready) as ready, sum(h.leased) as leased, max(h.oldest_seconds) as oldest_seconds
            from tasker.queue_history as h
           where h.bucket >= v_since
             and (p_namespace is null or h.namespace = p_namespace)
             and (v_bound is null or h.namespace = any (v_bound))
           group by h.bucket
        ) as m
       group by 1
    ) as w
      on w.start = b.start
   order by b.start;
end;
$$;

comment on function tasker.get_queue_history is
$$Returns the largest length of each queue in each period of length p_bucket (default: a minute) since p_since (default:
the last hour, at most a week). A bound caller sees only its own namespaces.

The maintenance duty "rollups" measures the queues once a minute, so it misses a queue that fills and empties in
between. Raises TK422 for a time or a period that is out of range, and TK403 if the caller is bound to other namespaces.$$;

grant execute on function tasker.get_queue_history to tasker_orchestrator, tasker_operator, tasker_reader;
