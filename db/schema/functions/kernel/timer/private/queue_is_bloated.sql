create or replace function tasker.queue_is_bloated()
  returns boolean
  language sql
  stable
begin atomic
  -- Autovacuum removes dead rows from about 5,000 on, so the queue has more of them only under an old snapshot or
  -- between two runs of autovacuum. A search that begins at a mark costs a few probes for each handler.
  select pg_stat_get_dead_tuples('tasker.step_queue'::regclass) > 10000 + 100 * pg_stat_get_live_tuples('tasker.named_steps'::regclass);
end;

comment on function tasker.queue_is_bloated is
$$Returns whether the queue has so many dead rows that it is worth remembering where the live rows begin. The answer comes from statistics, which are about a second old.$$;
