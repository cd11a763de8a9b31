create or replace function tasker.queue_is_bloated()
  returns boolean
  language sql
  stable
begin atomic
  -- Autovacuum removes 5,000, so the queue has more only under an old snapshot or between two runs of autovacuum. To begin
  -- at a mark costs a few probes for each handler.
  select pg_stat_get_dead_tuples('tasker.step_queue'::regclass) > 10000 + 100 * pg_stat_get_live_tuples('tasker.named_steps'::regclass);
end;

comment on function tasker.queue_is_bloated is
$$Returns whether the queue has so many dead rows that it pays to remember where the live rows begin. By statistics, which are a second old.$$;
