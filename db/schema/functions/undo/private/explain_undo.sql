create or replace function tasker.explain_undo(p_task_uuid uuid, p_step_no integer)
  returns text
  language plpgsql
  stable
  set search_path = pg_catalog, pg_temp
  set plan_cache_mode = force_generic_plan
  set enable_hashjoin = off
  set enable_mergejoin = off
  set enable_seqscan = off
  set jit = off
  set max_parallel_workers_per_gather = 0
as $$
begin
  return (
    select case
        when s.undo_no is null and tasker.is_undone(t.undo) then format(
          ' Its task is being undone, and will be %s.', t.undo ->> 'to_state'
        )
        when s.undo_no is not null then format(' It undoes step "%s".', u.name) || case
          when s.state = 'error' and not t.complete then format(
            ' Nothing more is undone until retry_step, resolve_step_manually or complete_step_manually settles it; give_up_task ends the task, which will be %s, without.',
            t.undo ->> 'to_state'
          )
          else ''
        end
      end
      from tasker.tasks as t
      join tasker.workflow_steps as s
        on s.task_uuid = t.task_uuid
      left join tasker.workflow_steps as u
        on u.task_uuid = s.task_uuid
       and u.step_no = s.undo_no
     where t.task_uuid = p_task_uuid
       and s.step_no = p_step_no
  );
end;
$$;

comment on function tasker.explain_undo(uuid, integer) is
$$Says in words what a step undoes, or that its task is being undone; null if neither.$$;

revoke all on function tasker.explain_undo(uuid, integer) from public;
