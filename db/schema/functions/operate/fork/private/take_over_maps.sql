create or replace function tasker.take_over_maps(
  p_old    tasker.tasks,
  p_new    uuid,
  p_same   integer[],
  p_below  integer[],
  p_owns   boolean,
  p_actor  text
)
  returns void
  language plpgsql
as $$
declare
  v_map     record;
  v_last    integer;
  v_old_nos integer[] := '{}';
  v_new_nos integer[] := '{}';
  v_ended   integer[] := '{}';
  v_sources integer[] := '{}';
  v_noted   integer[] := '{}';
begin
  for v_map in
    select n as new, o as old
      from tasker.workflow_steps as n
     cross join lateral (
       select o
         from tasker.workflow_steps as o
        where o.task_uuid = p_old.task_uuid
          and o.step_no = p_same[n.step_no]
       offset 0
     ) as o
     where n.task_uuid = p_new
       and n.for_each is not null
       and p_below[n.step_no] < 0
       and (o).for_each is not null
     order by n.step_no
  loop
    if tasker.is_taken_over(v_map.old) then
      v_ended := v_ended || (v_map.new).step_no;
      v_sources := v_sources || (v_map.old).step_no;
      continue when (v_map.old).expansion is null;
    else
      -- Copy only a map that has begun. It runs over the same array if the source of the array is taken over.
      continue when (v_map.old).expansion is null
                 or (v_map.old).for_each <> (v_map.new).for_each
                 or not tasker.parents_taken_over(p_new, (v_map.new).step_no, v_ended);
    end if;
    v_last := tasker.last_before_instances(v_map.new, (v_map.old).expansion);
    v_old_nos := v_old_nos || array(
      select i.step_no
        from tasker.map_instances(p_old.task_uuid, (v_map.old).step_no) as i
       order by i.step_no
    );
    perform tasker.copy_instances(v_map.old, v_map.new, v_last);
    v_new_nos := v_new_nos || array(
      select i.step_no
        from tasker.workflow_steps as i
       where i.task_uuid = p_new
         and i.step_no > v_last
       order by i.step_no
    );
    if ((v_map.old).expansion ->> 'expanded')::integer < ((v_map.old).expansion ->> 'elements')::integer then
      v_noted := v_noted || (v_map.new).step_no;
    end if;
  end loop;
  if v_new_nos = '{}' and v_ended = '{}' then
    return;
  end if;

  select coalesce(array_agg(u.old_no order by u.new_no), '{}'), coalesce(array_agg(u.new_no order by u.new_no), '{}')
    into v_old_nos, v_new_nos
    from unnest(v_old_nos, v_new_nos) as u (old_no, new_no)
   cross join lateral (
     select
       from tasker.workflow_steps as o
      where o.task_uuid = p_old.task_uuid
        and o.step_no = u.old_no
        and tasker.is_taken_over(o)
     offset 0
   ) as o;
  perform tasker.take_over_results(p_old.task_uuid, v_old_nos, p_new, v_new_nos, p_owns, p_actor);
  perform tasker.take_over_results(p_old.task_uuid, v_sources, p_new, v_ended, p_owns, p_actor);
  perform tasker.count_parents(p_new, 0);
  if v_noted <> '{}' then
    perform tasker.note_maps(array_fill(p_new, array[cardinality(v_noted)]), v_noted);
  end if;
end;
$$;

comment on function tasker.take_over_maps is
$$Copies the instances of maps of another task to the same maps of a new task, for each map for which p_below has -1.
Finished instances keep their results, and all other instances are pending. A finished map stays finished. A map that
has begun continues, unless a step that it depends on runs again. The caller holds the lock of the old task.$$;
