create or replace function tasker.describe_claim(p_move tasker.step_moves, p_settings tasker.settings_now)
  returns tasker.claimed_steps
  language plpgsql
  stable
as $$
declare
  v_share   bigint := p_settings.claim_bytes;
  v_step    tasker.claimed_steps;
  v_parents integer;
  v_named   uuid;
  v_added   boolean;
  v_bytes   bigint;
  v_array   text; -- the parent step whose result is the map's array; an instance gets only its own element of this array
  v_round   integer;
  v_undo_no integer; -- 0: the step waits for a failure
begin
  select
    s.workflow_step_uuid, s.claim_no, s.task_uuid, s.step_no, k.namespace, k.name, k.version, s.name, h.name,
    s.attempts, s.max_attempts, s.lost_count, s.priority, s.lease_until, s.timeout_seconds,
    t.correlation_id, t.parent_correlation_id, t.headers, s.inputs, s.checkpoint,
    case when s.attempts > 1 then s.last_error end, t.context, null,
    s.total_parents, t.named_task_uuid, t.has_added_edges, octet_length(t.context::text),
    case when s.map_no is not null then tasker.array_step(s.task_uuid, s.map_no) end,
    s.function_round, coalesce(s.undo_no, case when s.effects & 4096 <> 0 then 0 end)
    into
      v_step.step_uuid, v_step.claim_no, v_step.task_uuid, v_step.step_no, v_step.namespace, v_step.task_name,
      v_step.task_version, v_step.name, v_step.handler,
      v_step.attempt, v_step.max_attempts, v_step.lost_count, v_step.priority, v_step.lease_until, v_step.timeout_seconds,
      v_step.correlation_id, v_step.parent_correlation_id, v_step.headers, v_step.inputs, v_step.checkpoint,
      v_step.last_error, v_step.context, v_step.parent_results,
      v_parents, v_named, v_added, v_bytes, v_array, v_round, v_undo_no
    from tasker.workflow_steps as s
   cross join tasker.tasks as t
    join tasker.creation_plans as k
      on k.named_task_uuid = t.named_task_uuid
    join tasker.named_steps as h
      on h.named_step_uuid = s.named_step_uuid
   where s.task_uuid = p_move.task_uuid
     and s.step_no = p_move.step_no
     and t.task_uuid = p_move.task_uuid;
  if v_bytes > v_share then
    v_step.context := null;
  end if;

  v_share := v_share - v_bytes;
  if v_parents = 0 then
    v_step.parent_results := '{}';
  elsif v_parents > tasker.gathered_at_once(p_settings) then
    v_step.parent_results := tasker.gather_parent_results(v_step.task_uuid, v_step.step_no, v_share);
  else
    select
      coalesce(sum(octet_length(r.results::text)), 0),
      case when bool_and(r.known) is not false then coalesce(jsonb_object_agg(p.name, r.results), '{}') end
      into v_bytes, v_step.parent_results
      from tasker.step_parents(p_move.task_uuid, v_named, v_added, p_move.step_no) as e
     cross join lateral (
       select p.name, p.results, p.state, p.step_no, p.expansion is not null and p.results is null as maps
         from tasker.workflow_steps as p
        where p.task_uuid = p_move.task_uuid
          and p.step_no = e.from_step_no
       offset 0
     ) as p
     cross join lateral (
       select x.results, not p.maps or x.results is not null as known
         from (
           select case when p.maps then tasker.composed_result(p_move.task_uuid, p.step_no, v_share) else p.results end as results
         ) as x
       offset 0
     ) as r
     where p.state in ('complete', 'resolved_manually')
       and p.name is distinct from v_array;
    if v_bytes > v_share then
      v_step.parent_results := null;
    end if;
  end if;
  if v_round is not null then
    v_step.kept := tasker.handed_kept(v_step.task_uuid, v_step.step_no, v_round, v_share);
  end if;
  if v_undo_no is not null then
    v_step.inputs := tasker.handed_inputs(v_step.task_uuid, v_step.step_no, v_undo_no, v_step.inputs, v_share);
  end if;
  return v_step;
end;
$$;

comment on function tasker.describe_claim is
$$Returns the data that the handler of a claimed step needs, as tasker.describe_claims does for many steps.$$;
