create or replace function tasker.replace_instances(p_task_uuid uuid, p_step_nos integer[], p_replaced integer[])
  returns void
  language plpgsql
as $$
begin
  -- When the task is decided again, new notes are written for maps that are ready.
  delete from tasker.timers as m
   where m.task_uuid = p_task_uuid
     and m.step_no = any (p_step_nos)
     and m.kind = 'expand_map';
  if p_replaced <> '{}' then
    delete from tasker.added_step_edges as e
     using unnest(p_replaced) as u (step_no), tasker.workflow_steps as i
     where e.task_uuid = p_task_uuid
       and i.task_uuid = p_task_uuid
       and i.step_no = u.step_no
       and (e.to_step_no = u.step_no or e.from_step_no = u.step_no and e.to_step_no = i.map_no);
  end if;
  -- Reset only maps without remaining instances: a map that lost all its instances, or had none because its array was
  -- empty. If only single instances of a map run again, the map keeps its other instances.
  update tasker.workflow_steps as s
     set expansion = null,
         join_mode = coalesce(s.expansion ->> 'join', 'all')
   where s.task_uuid = p_task_uuid
     and s.step_no = any (p_step_nos)
     and s.for_each is not null
     and s.expansion is not null
     and not exists (select from tasker.map_instances(p_task_uuid, s.step_no));
end;
$$;

comment on function tasker.replace_instances is
$$Makes maps of a task begin again. Their instances (p_replaced) lose their edges, and so no longer belong to the maps. A map's array is read again when its parents have settled. Deletes the notes of the maps among p_step_nos. The door steps_rerun calls this function, so the caller holds the locks of the steps and their task, and counts the parents of the maps afterwards.$$;
