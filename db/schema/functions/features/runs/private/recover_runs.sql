create or replace function tasker.recover_runs(p_limit integer)
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
  v_gone  uuid[];
  v_heads uuid[];
begin
  -- Delete the places of tasks that no longer exist.
  with gone as (
    delete from tasker.runs as r
     where r.task_uuid in (
       select o.task_uuid
         from tasker.runs as o
        where not exists (select from tasker.tasks as t where t.task_uuid = o.task_uuid)
        limit p_limit
          for update skip locked
     )
    returning r.task_uuid
  )
  select coalesce(array_agg(g.task_uuid), '{}') into v_gone from gone as g;

  -- Write a note for the first task in each line, unless that task has a note already.
  v_heads := array(
    select distinct on (r.namespace, r.name, r.run_key) r.task_uuid
      from tasker.runs as r
     where r.state in ('waiting', 'ended')
       and r.line_at <= tasker.clock()
       and not exists (select from tasker.timers as m where m.task_uuid = r.task_uuid and m.kind = 'serve_run')
     order by r.namespace, r.name, r.run_key, r.state, r.rank desc, r.line_at, r.line_no
     limit p_limit
  );
  v_heads := tasker.lock_tasks(v_heads);
  if v_heads <> '{}' then
    perform tasker.note_runs(v_heads, tasker.clock());
  end if;
  return cardinality(v_gone);
end;
$$;

comment on function tasker.recover_runs is
$$Deletes the rows of failed tasks that blocked a sequence and that retention has dropped. Then writes a note for the first task in each line, so that it can get a place. Returns the number of deleted rows. Skips locked tasks.$$;
