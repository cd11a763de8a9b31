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
  if p_effects & 128 <> 0 then
    v_ok := tasker.contexts_given(p_task_uuids);
  end if;
  if p_effects & ~128 <> 0 then
    v_ok := tasker.moved(tasker.root_moves(p_named_task_uuid, p_task_uuids, p_at), p_effects);
  end if;
end;
$$;

comment on function tasker.roots_born is
$$Hands the first steps of new tasks that start at once to the features that they concern: maps are noted, and the first moves of all other steps go through the door tasker.moved, if they have effects. Contexts with attributes go through the door tasker.contexts_given. Their rows have been inserted.$$;
