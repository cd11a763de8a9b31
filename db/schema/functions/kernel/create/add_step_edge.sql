create or replace function tasker.add_step_edge(
  p_from_step_uuid  uuid,
  p_to_step_uuid    uuid,
  p_name            text      default 'provides',
  p_condition       text      default null
)
  returns boolean
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
  v_task      uuid := tasker.task_uuid_of(p_from_step_uuid);
  v_condition jsonpath := tasker.parse_condition(p_condition);
  v_from      tasker.workflow_steps;
  v_to        tasker.workflow_steps;
begin
  perform tasker.check_bound(p_from_step_uuid);
  if length(p_name) not between 1 and 128 then
    raise exception using
      errcode = 'TK422',
      message = 'the name of an edge is empty or longer than 128 characters',
      hint    = 'The default is "provides".';
  end if;
  perform tasker.lock_open_task(v_task);
  if tasker.detect_cycle(p_from_step_uuid, p_to_step_uuid) then
    raise exception using
      errcode = 'TK409',
      message = format('an edge from step %s to step %s would close a cycle', p_from_step_uuid, p_to_step_uuid),
      hint    = 'The second step already leads to the first, or is the first.';
  end if;

  select s.* into v_from from tasker.workflow_steps as s
   where s.task_uuid = v_task and s.step_no = tasker.step_no_of(p_from_step_uuid);
  if not found then
    perform tasker.raise_step_not_found(p_from_step_uuid);
  end if;
  select s.* into v_to from tasker.workflow_steps as s
   where s.task_uuid = v_task and s.step_no = tasker.step_no_of(p_to_step_uuid)
     for no key update;
  if not found then
    perform tasker.raise_step_not_found(p_to_step_uuid);
  end if;
  if v_to.state <> 'pending' then
    raise exception using
      errcode = 'TK409',
      message = format('step %s is %s and cannot get another dependency', p_to_step_uuid, v_to.state),
      hint    = 'Edges can only be added to steps that are pending.';
  end if;

  if v_to.expansion is not null then
    raise exception using
      errcode = 'TK409',
      message = format('step %s is a map that has begun and cannot get another dependency', p_to_step_uuid),
      hint    = 'Add the edge before the map begins, or to a step after it.';
  end if;

  if exists (
    select
      from tasker.workflow_step_edges as e
     where e.task_uuid = v_task
       and e.from_step_no = v_from.step_no
       and e.to_step_no = v_to.step_no
  ) then
    return false;
  end if;
  insert into tasker.added_step_edges (task_uuid, from_step_no, to_step_no, name, condition)
  values (v_task, v_from.step_no, v_to.step_no, coalesce(p_name, 'provides'), v_condition);

  -- If the first step has already settled, it counts as settled at once.
  update tasker.workflow_steps as s
     set total_parents     = s.total_parents + 1,
         pending_parents   = s.pending_parents + (v_from.state not in ('complete', 'resolved_manually', 'cancelled'))::integer,
         satisfied_parents = s.satisfied_parents + (
           v_from.state in ('complete', 'resolved_manually') and tasker.condition_holds(v_condition, tasker.edge_result(
             v_condition, v_from.results, v_from.expansion, v_task, v_from.step_no
           ))
         )::integer
   where s.task_uuid = v_task
     and s.step_no = v_to.step_no;
  perform tasker.advance_later(v_task);
  return true;
exception
  when lock_not_available then
    perform tasker.raise_task_locked(p_from_step_uuid);
end;
$$;

comment on function tasker.add_step_edge is
$$Makes one step of a task depend on another. Returns true if the edge is new. Returns false if an edge between the two steps exists already, and that edge does not change.

p_condition is a jsonpath predicate on the first step's results. If it is null, any success satisfies the edge. If the first step has already settled, it counts at once. Locks the task, then the second step. Raises TK404 if the task or a step does not exist, TK409 if the edge would close a cycle, the second step is no longer pending or the task has ended, TK422 if the steps belong to different tasks or the condition is not a predicate, TK403 if the caller is bound to other namespaces, TK409 if another session keeps the task locked for 5 seconds.$$;

grant execute on function tasker.add_step_edge
  to tasker_submitter, tasker_worker, tasker_orchestrator, tasker_operator;
