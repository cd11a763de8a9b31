create or replace function tasker.roots_born(
  p_named_task_uuid  uuid,
  p_task_uuids       uuid[],
  p_at               timestamptz,
  p_effects          smallint
)
  returns void
  language plpgsql
as $$
declare
  v_ok text; -- an assignment, unlike PERFORM, starts no executor
begin
  perform tasker.maps_ready(array_agg(u.task_uuid), array_agg(s.step_no))
     from unnest(p_task_uuids) as u (task_uuid)
    cross join tasker.named_tasks_named_steps as s
    where s.named_task_uuid = p_named_task_uuid
      and s.total_parents = 0
      and s.for_each is not null
   having count(*) > 0;
  if p_effects & 130 <> 0 then
    v_ok := tasker.contexts_given(p_task_uuids, p_effects);
  end if;
  if p_effects & ~130 <> 0 then
    v_ok := tasker.moved(tasker.root_moves(p_named_task_uuid, p_task_uuids, p_at), p_effects);
  end if;
end;
$$;

comment on function tasker.roots_born is
$$Passes the first steps of new tasks that start at once to the features that handle them. It writes notes for maps, and passes the first moves of other steps that have effects to the door tasker.moved. It passes contexts with attributes or bounds of limits to the door tasker.contexts_given. The rows of tasks and steps have been inserted.$$;
