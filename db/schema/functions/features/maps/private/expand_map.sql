create or replace function tasker.expand_map(
  p_task_uuid   uuid,
  p_step_no     integer,
  p_limit       integer,
  p_head_start  interval,
  p_processor   uuid
)
  returns integer
  language plpgsql
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_task    tasker.task_facts := (tasker.task_facts(array[p_task_uuid]))[1];
  v_map     tasker.workflow_steps;
  v_array   tasker.map_arrays;
  v_problem text;
  v_last    integer;
  v_left    integer;
  v_count   integer := 0;
  v_numbers integer[];
begin
  select s.*
    into v_map
    from tasker.workflow_steps as s
   where s.task_uuid = p_task_uuid
     and s.step_no = p_step_no;
  -- Check the task's state each time, because the task may have ended since or have stopped after a failure. A reset of
  -- the task writes the note again.
  if v_task.state in ('complete', 'error', 'cancelled', 'resolved_manually') then
    perform tasker.clear_map_note(p_task_uuid, p_step_no);
    return 0;
  elsif v_map.state <> 'pending'
     or tasker.task_halts(v_task.on_failure, v_task.failed_steps)
     or v_map.expansion is null and v_map.pending_parents > 0 then
    perform tasker.clear_map_note(p_task_uuid, p_step_no);
    perform tasker.apply_moves('{}', array[v_task], p_processor);
    return 0;
  end if;

  v_left := coalesce((v_map.expansion ->> 'elements')::integer - (v_map.expansion ->> 'expanded')::integer, 1);
  if v_left > 0 then
    v_map.expansion := coalesce(v_map.expansion, tasker.new_expansion(v_map));
    -- A map with max_parallel gets only as many instances as may start now.
    v_array := tasker.map_array(
      v_map, greatest(least(p_limit, (v_map.for_each ->> 'max_parallel')::integer - v_map.pending_parents), 0)
    );
    select max(s.step_no) into v_last from tasker.workflow_steps as s where s.task_uuid = p_task_uuid;
    v_left := v_array.size - (v_map.expansion ->> 'expanded')::integer;
    v_problem := coalesce(v_array.problem, tasker.map_room_problem(v_map, v_left, v_last));
    if v_problem is not null then
      perform tasker.clear_map_note(p_task_uuid, p_step_no);
      perform tasker.end_map(v_map, v_task, v_problem, p_processor);
      return 0;
    end if;
    v_count := jsonb_array_length(v_array.elements);
    if v_count > 0 then
      v_numbers := tasker.insert_instances(v_map, v_task.namespace, v_array.elements, v_last);
    end if;
    v_map.expansion := v_map.expansion || jsonb_strip_nulls(jsonb_build_object(
      'elements', v_array.size,
      'others', v_last - (v_map.expansion ->> 'expanded')::integer,
      'expanded', (v_map.expansion ->> 'expanded')::integer + v_count,
      'last_no', v_array.last_no
    ));
    -- The instances count as parents of the map. The map's own join was satisfied when the map began.
    update tasker.workflow_steps as s
       set total_parents   = s.total_parents + v_count,
           pending_parents = s.pending_parents + v_count,
           join_mode       = 'settled',
           expansion       = v_map.expansion,
           moved_at        = greatest(s.moved_at, tasker.write_clock())
     where s.task_uuid = p_task_uuid
       and s.step_no = p_step_no;
  end if;

  if v_left > v_count and (v_count = p_limit or not v_map.for_each ? 'max_parallel') then
    -- Other transactions insert the rest, after other due timers.
    perform tasker.postpone_map_note(p_task_uuid, p_step_no, p_head_start);
  else
    perform tasker.clear_map_note(p_task_uuid, p_step_no);
  end if;
  if v_count > 0 then
    perform tasker.start_instances(v_task, v_numbers, v_map.await is not null, p_processor);
  elsif v_left <= 0 and v_map.pending_parents = 0 then
    perform tasker.end_map(v_map, v_task, null, p_processor);
  else
    -- No step moves, but the task may be blocked now that the note is deleted.
    perform tasker.apply_moves('{}', array[v_task], p_processor);
  end if;
  return v_count;
end;
$$;

comment on function tasker.expand_map is
$$Does the due work of one map: inserts at most p_limit instances, and not more than max_parallel allows, or ends the map when all instances have settled. The remaining instances are due p_head_start later. Returns the number of inserted instances. If the map no longer waits, or its task has ended or has stopped after a failure, only deletes the map's note. The caller holds the task's lock.$$;
