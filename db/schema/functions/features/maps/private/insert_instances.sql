create or replace function tasker.insert_instances(
  p_map        tasker.workflow_steps,
  p_namespace  text,
  p_elements   jsonb,
  p_last       integer
)
  returns integer[]
  language plpgsql
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_now     timestamptz := tasker.write_clock();
  v_from    integer     := p_map.expansion ->> 'expanded';
  v_count   integer     := jsonb_array_length(p_elements);
  -- An instance has a handler, or waits for a task.
  v_event   text              := case when p_map.await is null then 'Enqueue' else 'Suspend' end;
  v_state   tasker.step_state := case when p_map.await is null then 'enqueued' else 'suspended' end;
  v_key     jsonpath;
  v_context jsonb;
begin
  if p_map.limit_no is not null then
    select k.limit_key, t.context
      into v_key, v_context
      from tasker.tasks as t
      join tasker.named_tasks_named_steps as k
        on k.named_task_uuid = t.named_task_uuid
       and k.step_no = p_map.step_no
     where t.task_uuid = p_map.task_uuid;
  end if;

  insert into tasker.workflow_steps (
    task_uuid, step_no, workflow_step_uuid, named_step_uuid, name, state, join_mode, total_parents, satisfied_parents,
    max_attempts, retryable, priority, transition_count, timeout_seconds, backoff_base_seconds, backoff_multiplier,
    max_backoff_seconds, inputs, await, map_no, limit_no, limit_key, compensate_uuid, effects
  )
  select
    p_map.task_uuid, p_last + e.place, tasker.step_uuid(p_map.task_uuid, p_last + e.place), p_map.named_step_uuid,
    format('%s[%s]', p_map.name, v_from + e.place - 1), v_state, 'settled',
    jsonb_array_length(p_map.expansion -> 'parents'), (p_map.expansion ->> 'satisfied')::integer,
    p_map.max_attempts, p_map.retryable, p_map.priority, 1, p_map.timeout_seconds, p_map.backoff_base_seconds,
    p_map.backoff_multiplier, p_map.max_backoff_seconds,
    p_map.inputs || jsonb_build_object('element', e.value, 'index', v_from + e.place - 1), p_map.await, p_map.step_no,
    p_map.limit_no,
    -- The path of the limit's key may lead into the element.
    case when v_key is null then p_map.limit_key else tasker.limit_key_of(
      v_key, v_context, p_map.inputs || jsonb_build_object('element', e.value, 'index', v_from + e.place - 1)
    ) end,
    p_map.compensate_uuid, p_map.effects
  from (
    select q.value, q.place::integer as place
      from jsonb_array_elements(p_elements) with ordinality as q (value, place)
  ) as e;

  perform tasker.write_ready(
    array(
      select tasker.step_move(
        p_task_uuid => p_map.task_uuid, p_step_no => p_last + n, p_from_state => 'pending', p_event => v_event,
        p_to_state => v_state, p_claim_no => 0, p_transition_count => 1, p_priority => p_map.priority,
        p_named_step_uuid => p_map.named_step_uuid, p_moved_at => v_now, p_effects => p_map.effects
      )
        from generate_series(1, v_count) as n
    ),
    p_namespace, v_now, tasker.effects_of_move(p_map.effects, 'pending', v_state)
  );

  -- The parents of the map are also the parents of its instances, so that the instances' handlers get the
  -- same results.
  insert into tasker.added_step_edges (task_uuid, from_step_no, to_step_no, condition)
  select p_map.task_uuid, e.from_step_no, p_last + n, e.condition
    from jsonb_array_elements(p_map.expansion -> 'parents') as p (value)
   cross join lateral (
     select e.from_step_no, e.condition
       from tasker.workflow_step_edges as e
      where e.task_uuid = p_map.task_uuid
        and e.from_step_no = p.value::integer
        and e.to_step_no = p_map.step_no
     offset 0
   ) as e
   cross join generate_series(1, v_count) as n
  union all
  select p_map.task_uuid, p_last + n, p_map.step_no, null
    from generate_series(1, v_count) as n;
  return array(select generate_series(p_last + 1, p_last + v_count));
end;
$$;

comment on function tasker.insert_instances is
$$Inserts the instances of a map for the next elements of its array, with step numbers above p_last. The instances are enqueued, or suspended if each of them starts a task. Inserts the steps, their log, their queue rows, the edges from the map's parents to the instances, and the edges from the instances to the map. Returns the step numbers of the instances. The caller holds the task's lock and updates the counters of the map and of the task.$$;
