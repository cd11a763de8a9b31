create or replace function tasker.roots_to_claim(p_named_task_uuid uuid, p_namespace text, p_handlers text[], p_limit integer)
  returns integer[]
  language plpgsql
  stable
as $$
begin
  return array(
    select s.step_no
      from tasker.settings_now as c
     cross join tasker.named_tasks_named_steps as s
     where s.named_task_uuid = p_named_task_uuid
       and s.total_parents = 0
       and s.await is null
       and s.for_each is null
       and s.limit_no is null
       and case
         when p_handlers is null then s.named_step_uuid <> all (c.handled_here)
         else (select h.name from tasker.named_steps as h where h.named_step_uuid = s.named_step_uuid) = any (p_handlers)
       end
       and not tasker.is_paused(p_namespace, s.named_step_uuid, c)
     order by s.priority desc, s.step_no
     limit p_limit
  );
end;
$$;

comment on function tasker.roots_to_claim is
$$Returns the numbers of the root steps that a worker gets when it creates a task from the template. The worker has the handlers of these steps, and the handlers are not paused. The steps are in the order of priority. The function omits steps that name a limit, because only claims start such steps. Steps that the database runs itself are handed only to a worker that names their handlers.$$;
