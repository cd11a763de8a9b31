create or replace function tasker.find_tasks_by_short_id(p_short_id text)
  returns setof tasker.task_details
  language plpgsql
  stable
  security definer
  set search_path = pg_catalog, pg_temp
  set plan_cache_mode = force_generic_plan
  set enable_hashjoin = off
  set enable_mergejoin = off
  set enable_seqscan = off
  set jit = off
  set max_parallel_workers_per_gather = 0
as $$
declare
  v_digits text := tasker.check_short_id(p_short_id);
begin
  -- Read only keys, from the newest end of the index. So these digits need no index of their own, which every new task
  -- would have to write.
  return query
  select d.*
    from tasker.describe_tasks(array(
      select t.task_uuid
        from (
          select t.task_uuid
            from tasker.tasks as t
           where t.task_uuid >= tasker.uuid_v7_floor(tasker.clock() - interval '30 days')
           order by t.task_uuid desc
           limit 200000
        ) as t
       where substr(t.task_uuid::text, 25, length(v_digits)) = v_digits
       limit 100
    )) as d
   order by d.task_uuid desc
   limit 10;
end;
$$;

comment on function tasker.find_tasks_by_short_id is
$$Returns at most 10 tasks whose short id begins with these 4 to 8 digits, newest first, without their contexts. The
short id is the beginning of the last group of a task's UUID, which is random. A bound caller finds only tasks of its
own namespaces.

Searches the 200,000 newest tasks of the last 30 days, and reads only their keys. The cost does not depend on the number
of older tasks. To find an older task, use its whole UUID. Raises TK422 for a text that is no short id.$$;

grant execute on function tasker.find_tasks_by_short_id to tasker_worker, tasker_orchestrator, tasker_operator, tasker_reader;
