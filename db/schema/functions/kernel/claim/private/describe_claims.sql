create or replace function tasker.describe_claims(p_moves tasker.step_moves[], p_settings tasker.settings_now)
  returns setof tasker.claimed_steps
  language plpgsql
  stable
as $$
declare
  -- Each step has the same share, so that a step with large data cannot take the shares of the other steps.
  v_share bigint  := p_settings.claim_bytes / greatest(cardinality(p_moves), 1);
  v_few   integer := tasker.gathered_at_once(p_settings);
  v_tasks uuid[]  := array(select distinct s.task_uuid from unnest(p_moves) as s order by s.task_uuid);
  v_first uuid    := v_tasks[1];
  v_last  uuid    := v_tasks[cardinality(v_tasks)];
begin
  return query
  select
    s.workflow_step_uuid, s.claim_no, s.task_uuid, s.step_no, k.namespace, k.name, k.version, s.name,
    (select h.name from tasker.named_steps as h where h.named_step_uuid = s.named_step_uuid),
    s.attempts, s.max_attempts, s.lost_count, s.priority, s.lease_until, s.timeout_seconds,
    t.correlation_id, t.parent_correlation_id, t.headers,
    case
      when s.undo_no is not null or s.effects & 4096 <> 0
        then tasker.handed_inputs(s.task_uuid, s.step_no, coalesce(s.undo_no, 0), s.inputs, v_share - t.bytes)
      else s.inputs
    end,
    s.checkpoint,
    case when s.attempts > 1 then s.last_error end,
    case when t.bytes <= v_share then t.context end,
    case
      when s.total_parents = 0 then '{}'::jsonb
      when s.total_parents > v_few then tasker.gather_parent_results(s.task_uuid, s.step_no, v_share - t.bytes)
      when r.bytes <= v_share - t.bytes and r.known then r.results
    end,
    case when s.function_round is not null then tasker.handed_kept(s.task_uuid, s.step_no, s.function_round, v_share - t.bytes) end
  from unnest(p_moves) with ordinality as m
  cross join lateral (
    select
      s.task_uuid, s.step_no, s.workflow_step_uuid, s.claim_no, s.name, s.named_step_uuid, s.attempts, s.max_attempts,
      s.lost_count, s.priority, s.lease_until, s.timeout_seconds, s.inputs, s.checkpoint, s.last_error, s.total_parents,
      case when s.map_no is not null then tasker.array_step(s.task_uuid, s.map_no) end as array_step,
      s.function_round, s.undo_no, s.effects
      from tasker.workflow_steps as s
     where s.task_uuid = m.task_uuid
       and s.task_uuid between v_first and v_last
       and s.step_no = m.step_no
    offset 0
  ) as s
  cross join lateral (
    select
      t.named_task_uuid, t.has_added_edges, t.correlation_id, t.parent_correlation_id, t.headers, t.context,
      octet_length(t.context::text) as bytes
      from tasker.tasks as t
     where t.task_uuid = s.task_uuid
       and t.task_uuid between v_first and v_last
    offset 0
  ) as t
  join tasker.creation_plans as k
    on k.named_task_uuid = t.named_task_uuid
  left join lateral (
    select
      coalesce(sum(octet_length(x.results::text)), 0) as bytes,
      coalesce(jsonb_object_agg(p.name, x.results), '{}') as results,
      bool_and(not p.maps or x.results is not null) is not false as known
    from tasker.step_parents(s.task_uuid, t.named_task_uuid, t.has_added_edges, s.step_no) as e
    cross join lateral (
      select p.name, p.results, p.state, p.step_no, p.expansion is not null and p.results is null as maps
        from tasker.workflow_steps as p
       where p.task_uuid = s.task_uuid
         and p.task_uuid between v_first and v_last
         and p.step_no = e.from_step_no
      offset 0
    ) as p
    cross join lateral (
      select
        case when p.maps then tasker.composed_result(s.task_uuid, p.step_no, v_share - t.bytes) else p.results end as results
      offset 0
    ) as x
    where s.total_parents between 1 and v_few
      and p.state in ('complete', 'resolved_manually')
      and p.name is distinct from s.array_step
  ) as r
    on true
  order by m.ordinality;
end;
$$;

comment on function tasker.describe_claims is
$$Returns the data that the handlers of claimed steps need, one row for each step in order. Each step has the same share of the setting "claim_bytes". A context, parents' results, or the result of a step that is to be undone are omitted if they are larger than this share.$$;
