create or replace function tasker.list_streams(
  p_uuid           uuid,
  p_name           text     default null,
  p_after_step_no  integer  default null,
  p_after_name     text     default null,
  p_limit          integer  default 100
)
  returns setof tasker.stream_details
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
  v_no integer := tasker.step_no_of(p_uuid);
begin
  p_limit := coalesce(p_limit, 100);
  perform tasker.check_limit(p_limit, 10000);
  perform tasker.check_bound(p_uuid);
  if v_no > 0 then
    perform tasker.check_step_exists(p_uuid);
  elsif not exists (select from tasker.tasks as t where t.task_uuid = p_uuid) then
    perform tasker.raise_task_not_found(p_uuid);
  end if;
  return query
  select h.task_uuid, tasker.step_uuid(h.task_uuid, h.step_no), h.step_no, s.name, h.name, h.value,
         h.first_no, h.last_no, h.bytes, h.attempt, h.changed_at
    from tasker.step_streams as h
    join tasker.workflow_steps as s
      on s.task_uuid = h.task_uuid
     and s.step_no = h.step_no
   where h.task_uuid = tasker.task_uuid_of(p_uuid)
     and h.step_no between case when v_no > 0 then v_no else 0 end and case when v_no > 0 then v_no else 2147483647 end
     and (p_name is null or h.name = p_name)
     and (p_after_step_no is null or (h.step_no, h.name) > (p_after_step_no, coalesce(p_after_name, '')))
   order by h.step_no, h.name
   limit p_limit;
end;
$$;

comment on function tasker.list_streams is
$$Returns the values and streams of a task, or of one step, in the order of steps and names. The last step number and name of a page are p_after_step_no and p_after_name of the next page. With p_name, returns only the values and streams of this name. A reader that waits for a change of a value compares last_no.

Raises TK404 if there is no such task or step, TK422 for a limit out of range, TK403 if the caller is bound to other namespaces.$$;

grant execute on function tasker.list_streams
  to tasker_worker, tasker_orchestrator, tasker_operator, tasker_reader;
