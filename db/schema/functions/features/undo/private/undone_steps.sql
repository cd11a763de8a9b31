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

  -- The tasks that own the effects, then the forks that they were cancelled for, which own them since.
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
$$Returns the steps of a task whose effects were undone or are planned to be, by the task itself or by the task that owns the effect. The owner is the task that an earlier fork took the effect over from, or a fork that cancelled the former owner. The steps of a task that was given up while it was undone are among them. Linear in the steps of these tasks.$$;
