create or replace function tasker.next_kept(p_range tasker.partition_ranges, p_move tasker.kept_moves, p_limit integer)
  returns uuid[]
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
  v_tasks     uuid[];
  v_templates uuid[];
begin
  -- The index of the tasks of a template leads only to kept tasks.
  execute format(
    $sql$
      select array_agg(o.task_uuid), array_agg(o.template)
        from (
          select k.template, l.task_uuid
            from unnest($1::uuid[]) with ordinality as k (template, no)
           cross join lateral (
             select t.task_uuid
               from tasker.%I as t
              where t.named_task_uuid = k.template
                and t.task_uuid > case when k.template = $2 then $3 else '00000000-0000-0000-0000-000000000000' end
              order by t.task_uuid
              limit $4
           ) as l
           where $2 is null or k.template >= $2
           order by k.no, l.task_uuid
           limit $4
        ) as o
    $sql$,
    'tasks_' || p_range.suffix
  ) into v_tasks, v_templates using p_move.templates, p_move.template, p_move.task_uuid, p_limit;
  if v_tasks is null then
    return '{}';
  end if;
  update tasker.kept_moves as m
     set template  = v_templates[cardinality(v_tasks)],
         task_uuid = v_tasks[cardinality(v_tasks)],
         tasks     = m.tasks + cardinality(v_tasks)
   where m.starts_at = p_range.starts_at;
  return v_tasks;
end;
$$;

comment on function tasker.next_kept is
$$Returns the next tasks of a range that are kept longer, and records how far the move has come. The caller copies them
in the same transaction.$$;
