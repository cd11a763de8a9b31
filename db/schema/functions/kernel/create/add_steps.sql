create or replace function tasker.add_steps(p_task_uuid uuid, p_steps jsonb)
  returns setof tasker.step_additions
  language plpgsql
  security definer
  set search_path = pg_catalog, pg_temp
  set lock_timeout = '5s'
  set plan_cache_mode = force_generic_plan
  set enable_hashjoin = off
  set enable_mergejoin = off
  set enable_seqscan = off
  set jit = off
  set max_parallel_workers_per_gather = 0
as $$
declare
  v_steps   jsonb;
  v_new     jsonb;
  v_numbers jsonb;
  v_last    integer;
begin
  perform tasker.check_bound(p_task_uuid);
  perform tasker.check_depth('array of steps', p_steps);
  perform tasker.lock_open_task(p_task_uuid);
  v_steps := tasker.normalize_added_steps(p_task_uuid, p_steps);
  perform tasker.check_bound_namespaces(array(
    select distinct s.value #>> '{task,namespace}' from jsonb_array_elements(v_steps) as s (value)
  ));

  select coalesce(max(s.step_no), 0), coalesce(jsonb_object_agg(s.name, s.step_no order by s.step_no), '{}')
    into v_last, v_numbers
    from tasker.workflow_steps as s
   where s.task_uuid = p_task_uuid;
  select coalesce(jsonb_agg(e.value order by e.no), '[]')
    into v_new
    from jsonb_array_elements(v_steps) with ordinality as e (value, no)
   where not v_numbers ? (e.value ->> 'name');

  if v_new <> '[]' then
    perform tasker.insert_handlers(v_new);
    perform tasker.register_steps(tasker.namespace_of_task(p_task_uuid), v_new);
    perform tasker.insert_added_steps(p_task_uuid, v_last, v_new);
    perform tasker.steps_added(p_task_uuid, v_last);
    select v_numbers || jsonb_object_agg(e.value ->> 'name', v_last + e.no)
      into v_numbers
      from jsonb_array_elements(v_new) with ordinality as e (value, no);
    perform tasker.insert_added_edges(p_task_uuid, v_last, v_new, v_numbers);
    perform tasker.count_parents(p_task_uuid, v_last);
    if jsonb_path_exists(v_new, '$[*].compensate') then
      perform tasker.check_undo_room(p_task_uuid);
    end if;
    update tasker.tasks as t
       set total_steps = t.total_steps + jsonb_array_length(v_new),
           open_steps  = t.open_steps + jsonb_array_length(v_new),
           undo        = coalesce(t.undo, case when jsonb_path_exists(v_new, '$[*].compensate') then '{}'::jsonb end),
           updated_at  = greatest(t.updated_at, tasker.write_clock())
     where t.task_uuid = p_task_uuid;
    perform tasker.advance_later(p_task_uuid);
  end if;

  return query
  select n.step_no, tasker.step_uuid(p_task_uuid, n.step_no), e.value ->> 'name', n.step_no > v_last
    from jsonb_array_elements(v_steps) with ordinality as e (value, no)
   cross join lateral (
     select (v_numbers ->> (e.value ->> 'name'))::integer as step_no
   ) as n
   order by e.no;
exception
  when lock_not_available then
    perform tasker.raise_task_locked(p_task_uuid);
end;
$$;

comment on function tasker.add_steps is
$$Adds steps to a running task, written as in a template. The steps may depend on each other and on steps of the task. Returns a row for each step, in order.

Idempotent by name: a step that already exists does not change, and its row has created = false. The call adds all new steps or none. Parents that have already settled count at once. An orchestrator or a claim then enqueues the ready steps. The cost is linear in the number of the task's steps.

Locks the task. Raises TK404 if there is no such task, TK409 if it has ended, TK422 if a step is invalid (the error names the field) or the task would have more than 65,535 steps, TK403 if the caller is bound to other namespaces, TK409 if another session keeps the task locked for 5 seconds.$$;

grant execute on function tasker.add_steps
  to tasker_submitter, tasker_worker, tasker_orchestrator, tasker_operator;
