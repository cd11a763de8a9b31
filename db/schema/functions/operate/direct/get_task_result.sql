create or replace function tasker.get_task_result(p_task_uuid uuid, p_steps text[] default null)
  returns jsonb
  language plpgsql
  stable
  security definer
  set search_path = pg_catalog, pg_temp
  set plan_cache_mode = force_generic_plan
  set enable_hashjoin = off
  set enable_mergejoin = off
  set enable_seqscan = off
  set jit = off
  set max_parallel_workers_per_gather = 0
as $$
declare
  v_bytes  bigint := tasker.setting_integer('claim_bytes');
  v_task   record;
  v_answer jsonb;
begin
  perform tasker.check_bound(p_task_uuid);
  perform tasker.check_array_size('steps', cardinality(p_steps), 1000);
  select t.state, t.complete, t.named_task_uuid, t.has_added_edges, t.undo, k.on_failure
    into v_task
    from tasker.tasks as t
    join tasker.named_tasks as k
      on k.named_task_uuid = t.named_task_uuid
   where t.task_uuid = p_task_uuid;
  if not found then
    perform tasker.raise_task_not_found(p_task_uuid);
  end if;

  select jsonb_build_object(
      'task_uuid', p_task_uuid,
      'state', v_task.state,
      'complete', v_task.complete,
      'blocked', tasker.task_is_blocked(v_task.state, v_task.on_failure, v_task.undo),
      -- Results beyond the limit are left out. The field omitted has the names of their steps.
      'results', coalesce(jsonb_object_agg(r.name, coalesce(r.results, 'null')) filter (where r.bytes <= v_bytes), '{}'),
      'omitted', coalesce(jsonb_agg(r.name order by r.step_no) filter (where r.bytes > v_bytes), '[]')
    )
    into v_answer
    from (
      select
        s.name, s.results, s.step_no,
        case when s.maps and s.results is null then v_bytes + 1 else 0 end
          + sum(coalesce(octet_length(s.results::text), 4)) over (order by s.step_no) as bytes
        from (
          select
            s.name, s.step_no, s.expansion is not null and s.results is null as maps,
            case
              when s.expansion is not null and s.results is null then tasker.map_results(p_task_uuid, s.step_no, v_bytes)
              else s.results
            end as results
            from tasker.workflow_steps as s
           where s.task_uuid = p_task_uuid
             and s.state in ('complete', 'resolved_manually')
             and s.undo_no is null
             and case
               when p_steps is not null then s.name = any (p_steps)
               else not exists (
                 select from tasker.step_children(p_task_uuid, v_task.named_task_uuid, v_task.has_added_edges, s.step_no)
               )
             end
        ) as s
    ) as r;

  return v_answer || jsonb_build_object('failed', (
    -- A failed step of the graph comes before a failed compensation.
    select jsonb_build_object(
        'step', s.name, 'step_uuid', s.workflow_step_uuid, 'state', s.state, 'attempts', s.attempts, 'error', s.last_error,
        'undo', s.undo_no is not null
      )
      from tasker.workflow_steps as s
     where s.task_uuid = p_task_uuid
       and (s.state = 'error' or v_task.state = 'error' and s.state = 'cancelled' and s.effects & 1024 <> 0 and s.last_error is not null)
     order by s.state <> 'error', s.undo_no is not null, s.last_failure_at, s.step_no
     limit 1
  ));
end;
$$;

comment on function tasker.get_task_result is
$$Returns the outcome of a task as an object with the fields task_uuid, state, complete, blocked, results, omitted and
failed. A blocked task waits for an operator, and is neither being undone nor about to be undone. The field results has
the results of steps that succeeded, by the names of the steps. The result of a map is an array. The field failed is the
step that failed first, with its error, or null if no step has failed for good. Without p_steps the results are those of
the last steps, on which no step depends. Results beyond the setting "claim_bytes" in total are left out, and the field
omitted has the names of their steps. tasker.list_steps(task_uuid) returns these results.

Locks nothing. Raises TK404 if there is no such task, TK403 if the caller is bound to other namespaces, and TK413 for
more than 1000 names.$$;

grant execute on function tasker.get_task_result to tasker_submitter, tasker_worker, tasker_orchestrator, tasker_operator, tasker_reader;
