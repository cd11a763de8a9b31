create or replace function tasker.undone_steps(p_task_uuid uuid)
  returns integer[]
  language plpgsql
  stable
as $$
declare
  v_effects jsonb;
  v_tasks   uuid[];
  v_undone  integer[] := '{}';
begin
  select
    jsonb_object_agg(coalesce(s.effect_uuid, s.workflow_step_uuid), s.step_no),
    array_agg(distinct tasker.task_uuid_of(coalesce(s.owner_uuid, s.workflow_step_uuid)))
    into v_effects, v_tasks
    from tasker.workflow_steps as s
   where s.task_uuid = p_task_uuid
     and s.undo_no is null;

  -- Begin with the tasks that own the effects. If such a task was cancelled in favour of a fork, the fork owns its
  -- effects since then.
  while cardinality(v_tasks) > 0 loop
    v_undone := v_undone || array(
      select (v_effects ->> s.effect)::integer
        from unnest(v_tasks) as u (task_uuid)
       cross join lateral (
         select coalesce(s.effect_uuid, s.workflow_step_uuid)::text as effect
           from tasker.workflow_steps as s
          where s.task_uuid = u.task_uuid
            and s.undo_level > 0
         offset 0
       ) as s
       where v_effects ? s.effect
    );
    v_tasks := array(
      select (l.metadata ->> 'forked_to')::uuid
        from unnest(v_tasks) as u (task_uuid)
       cross join lateral (
         select l.metadata
           from tasker.task_transition_log as l
          where l.task_uuid = u.task_uuid
            and l.event = 'Cancel'
            and l.metadata ? 'forked_to'
         offset 0
       ) as l
    );
  end loop;
  return v_undone;
end;
$$;

comment on function tasker.undone_steps is
$$Returns the steps of a task whose effects were undone or are planned to be undone, by the task itself or by the task that owns the effect. The owner is the task from which a fork took the result, or a later fork that cancelled the former owner. Also returns steps that were planned to be undone when their task was given up. The cost is linear in the steps of these tasks.$$;
