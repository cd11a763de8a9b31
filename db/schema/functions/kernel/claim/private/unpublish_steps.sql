create or replace function tasker.unpublish_steps(p_namespace text)
  returns integer
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
  v_steps integer;
begin
  update tasker.step_queue as q
     set lane       = tasker.table_lane(q.lane),
         visible_at = tasker.write_clock()
   where q.namespace = p_namespace
     and q.lane in ('published_high', 'published_normal', 'published_low');
  get diagnostics v_steps = row_count;
  if v_steps > 0 then
    perform tasker.notify_steps_ready(p_namespace);
  end if;
  return v_steps;
end;
$$;

comment on function tasker.unpublish_steps is
$$Returns the published steps of a namespace to the lanes that workers claim from, wakes workers, and returns the number of these steps. A message that arrives later either finds that its step is gone, or claims the step first.

Locks queue rows. The caller holds the namespace.$$;
