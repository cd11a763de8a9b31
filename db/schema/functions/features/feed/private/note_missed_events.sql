create or replace function tasker.note_missed_events(p_suffix text)
  returns void
  language plpgsql
  set search_path = pg_catalog, pg_temp
  set plan_cache_mode = force_generic_plan
  set enable_hashjoin = off
  set enable_mergejoin = off
  set enable_seqscan = off
  set jit = off
  set max_parallel_workers_per_gather = 0
as $$
declare
  s        tasker.subscriptions;
  v_missed boolean;
begin
  for s in select o.* from tasker.subscriptions as o order by o.subscription loop
    execute format(
      'select exists (
         select
           from tasker.%1$I as l
          where l.created_at >= $3
            and (l.xact >= $1 or l.xact = any ($2))
       ) or exists (
         select
           from tasker.%2$I as l
          where l.created_at >= $3
            and (l.xact >= $1 or l.xact = any ($2))
       )',
      'step_log_' || p_suffix, 'task_log_' || p_suffix
    )
    into v_missed
    using
      pg_snapshot_xmax(s.snapshot)::text::bigint,
      array(select x.xid::text::bigint from pg_snapshot_xip(s.snapshot) as x (xid)),
      coalesce(greatest(s.place_at, s.since), '-infinity');
    if v_missed then
      insert into tasker.missed_events (subscription, suffix, dropped_at)
      values (s.subscription, p_suffix, tasker.write_clock());
    end if;
  end loop;
end;
$$;

comment on function tasker.note_missed_events is
$$Records the subscriptions that have not delivered all events of a range that is about to be dropped. For a subscription that has delivered all of them, the check is a query of the logs' BRIN indexes. Does not wait for readers.$$;
