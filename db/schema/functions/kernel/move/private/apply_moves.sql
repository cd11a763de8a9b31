create or replace function tasker.apply_moves(
  p_moves      tasker.step_moves[],
  p_tasks      tasker.task_facts[],
  p_processor  uuid  default null
)
  returns tasker.step_moves[]
  language plpgsql
as $$
declare
  v_move      tasker.step_moves;
  v_written   tasker.step_moves[] := '{}';
  v_last      tasker.step_moves[];
  v_all       tasker.step_moves[];
  v_level     tasker.step_moves[];
  v_settled   boolean;
  v_began     boolean;
  v_ready     boolean; -- whether steps were enqueued
  v_complete  boolean; -- whether each move completes a step with its result
  v_namespace text; -- the namespace of all tasks, if they have the same
  v_template  uuid; -- the template of all tasks, if they have the same and no added edges
  v_failing   uuid[];
  v_halted    uuid[];
  v_mapped    boolean; -- whether a map may tolerate a failure, or a step may wait for it
  v_word      text;    -- an assignment, unlike PERFORM, starts no executor
begin
  -- Apply a single move by key, if it is not a note of a map nor a failure that a map may tolerate.
  if cardinality(p_moves) = 1 and cardinality(p_tasks) = 1 and p_moves[1].event is not null
     and not (p_moves[1].to_state = 'error' and p_tasks[1].has_added_edges) then
    v_move := tasker.apply_move(p_moves[1], p_tasks[1], p_processor);
    return case when v_move.task_uuid is null then '{}' else array[v_move] end;
  end if;

  select
    array_agg(m.task_uuid) filter (where m.to_state = 'error'),
    bool_or(m.to_state in ('complete', 'cancelled', 'resolved_manually')), bool_or(m.to_state = 'suspended'),
    coalesce(bool_or(m.event in ('Enqueue', 'Resume')), false),
    bool_and(m.from_state = 'in_progress' and m.via_state = 'enqueued_for_orchestration' and m.event = 'Complete')
    into v_failing, v_settled, v_began, v_ready, v_complete
    from unnest(p_moves) as m;
  -- A failure among these moves also halts its task.
  select
    case when bool_and(f.namespace = p_tasks[1].namespace) then p_tasks[1].namespace end,
    case when bool_and(f.named_task_uuid = p_tasks[1].named_task_uuid and not f.has_added_edges) then p_tasks[1].named_task_uuid end,
    coalesce(array_agg(f.task_uuid) filter (
      where tasker.task_halts(f.on_failure, f.failed_steps + coalesce(f.task_uuid = any (v_failing), false)::integer)
    ), '{}'),
    v_failing is not null and bool_or(f.has_added_edges and f.task_uuid = any (v_failing))
    into v_namespace, v_template, v_halted, v_mapped
    from unnest(p_tasks) as f;

  if v_complete then
    v_written := tasker.write_completions(p_moves);
  elsif cardinality(p_moves) > 0 then
    v_written := tasker.write_moves(p_moves, v_namespace);
  end if;
  if cardinality(v_written) < cardinality(p_moves) then
    p_tasks := array(
      select f from unnest(p_tasks) as f where exists (select from unnest(v_written) as m where m.task_uuid = f.task_uuid)
    );
  end if;
  v_all := v_written;
  v_last := v_written;
  if v_mapped then
    -- Repeat this for a map that fails because of these moves, because a step may wait for the failure of the map.
    loop
      v_last := tasker.write_moves(tasker.follow_moves(v_last, 32::smallint), v_namespace);
      v_all := v_all || v_last;
      exit when not exists (select from unnest(v_last) as m where m.to_state = 'error');
    end loop;
    v_last := array(select m from unnest(v_all) as m order by m.task_uuid, m.step_no);
    v_halted := tasker.halted_tasks(p_tasks, v_all);
    v_settled := true;
  end if;
  -- Each iteration goes one level down: a skipped step settles its own edges in the next iteration, and so does a
  -- step that began to wait and finds a kept signal.
  while (v_settled or v_began) and cardinality(v_last) > 0 loop
    v_level := v_last;
    v_last := '{}';
    if v_settled then
      v_last := tasker.settle_children(v_level, v_template, v_halted, v_namespace);
    end if;
    if v_began then
      v_last := array(
        select m
          from unnest(v_last || tasker.write_moves(tasker.follow_moves(v_level, 1::smallint), v_namespace)) as m
         order by m.task_uuid, m.step_no
      );
    end if;
    v_all := v_all || v_last;
    select
      bool_or(m.to_state in ('complete', 'cancelled', 'resolved_manually')), bool_or(m.to_state = 'suspended'),
      v_ready or coalesce(bool_or(m.event in ('Enqueue', 'Resume')), false)
      into v_settled, v_began, v_ready
      from unnest(v_last) as m;
  end loop;

  perform tasker.write_tasks(v_all, p_tasks, p_processor);
  if not v_ready then
    return v_written;
  elsif v_namespace is null then
    perform tasker.announce_queue_rows(array_agg(m.task_uuid), array_agg(m.step_no))
       from unnest(v_all) as m
      where m.event in ('Enqueue', 'Resume');
  elsif p_tasks[1].transport = 'pgmq' then
    perform tasker.announce_steps(v_namespace, array_agg(m.task_uuid), array_agg(m.step_no))
       from unnest(v_all) as m
      where m.event in ('Enqueue', 'Resume')
     having count(*) > 0;
  else
    v_word := tasker.notify_steps_ready(v_namespace);
  end if;
  return v_written;
end;
$$;

comment on function tasker.apply_moves is
$$Applies moves of any number of steps and their consequences: changes the steps, their children and their tasks, and notifies workers and listeners. Evaluates each of the given tasks, even without a move, except tasks whose moves came too late. Returns the moves that were written.

If no worker moves the tasks, the log names p_processor. The moves must be in the order of their keys. The caller holds the tasks' locks and passes their facts.$$;
