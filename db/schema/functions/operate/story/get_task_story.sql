create or replace function tasker.get_task_story(p_task_uuid uuid, p_limit integer default 1000)
  returns setof tasker.task_story_parts
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
  v_task  tasker.task_details;
  v_step  tasker.workflow_steps;
  v_part  tasker.task_story_parts;
  v_from  timestamptz;
  v_until timestamptz;
  v_no    integer;
  v_place integer := 0;
begin
  p_limit := coalesce(p_limit, 1000);
  perform tasker.check_limit(p_limit, 10000);
  select t.* into v_task from tasker.get_task(p_task_uuid) as t;
  v_from := v_task.requested_at;
  v_until := greatest(v_from, coalesce(v_task.completed_at, tasker.clock()));

  if coalesce(v_task.started_at, v_until) > v_from then
    v_place := 1;
    return query
    select
      1, null::uuid, null::integer, null::text, 'start', v_from, least(coalesce(v_task.started_at, v_until), v_until),
      extract(epoch from least(coalesce(v_task.started_at, v_until), v_until) - v_from)::double precision, null::text;
    v_from := least(coalesce(v_task.started_at, v_until), v_until);
  end if;

  foreach v_no in array tasker.critical_path(p_task_uuid) loop
    select s.*
      into strict v_step
      from tasker.workflow_steps as s
     where s.task_uuid = p_task_uuid
       and s.step_no = v_no;
    for v_part in select p.* from tasker.step_story(v_step, v_from, v_until, 1000) as p loop
      v_place := v_place + 1;
      exit when v_place > p_limit;
      v_part.place := v_place;
      v_from := v_part.ended_at;
      return next v_part;
    end loop;
    exit when v_place > p_limit;
  end loop;

  if v_from < v_until then
    return query
    select
      least(v_place, p_limit) + 1, null::uuid, null::integer, null::text, case when v_place > p_limit then 'unread' else 'engine' end, v_from, v_until,
      extract(epoch from v_until - v_from)::double precision, null::text;
  end if;
end;
$$;

comment on function tasker.get_task_story is
$$Returns on which work and waits a task spent its time, along its critical path. The steps of this path waited for one
another, so only they decided how long the task took. The parts follow each other without a gap from the request to the
end of the task, or to now.

Reads the rows of the task's steps, the edges of the steps on the path and the first 1,000 transitions of each. Returns
at most p_limit parts (default 1,000, at most 10,000) and one part for the remaining time. Raises TK404 if there is no
such task, TK422 for a limit out of range, and TK403 if the caller is bound to other namespaces.$$;

grant execute on function tasker.get_task_story
  to tasker_submitter, tasker_worker, tasker_orchestrator, tasker_operator, tasker_reader;
