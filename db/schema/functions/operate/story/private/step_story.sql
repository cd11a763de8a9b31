create or replace function tasker.step_story(p_step tasker.workflow_steps, p_from timestamptz, p_until timestamptz, p_limit integer)
  returns setof tasker.task_story_parts
  language plpgsql
  stable
  set search_path = pg_catalog, pg_temp
  set plan_cache_mode = force_generic_plan
  set enable_hashjoin = off
  set enable_mergejoin = off
  set enable_seqscan = off
  set jit = off
  set max_parallel_workers_per_gather = 0
as $$
begin
  return query
  with moves as (
    select
      l.sort_key,
      l.created_at as began_at,
      l.to_state::text as state,
      case when l.to_state = 'suspended' then coalesce(p_step.await, l.metadata -> 'wait') end as wait,
      l.reason,
      lead(l.created_at) over (order by l.sort_key) as next_at
    from (
      select 0 as sort_key, p_step.created_at, 'pending'::tasker.step_state as to_state, null::jsonb as metadata, null::text as reason
      union all
      (
        select l.sort_key, l.created_at, l.to_state, l.metadata, l.reason
          from tasker.workflow_step_transition_log as l
         where l.task_uuid = p_step.task_uuid
           and l.step_no = p_step.step_no
         order by l.row_key, l.sort_key
         limit p_limit - 1
      )
    ) as l
  )
  select
    0, p_step.workflow_step_uuid, p_step.step_no, p_step.name,
    case
      when m.next_at is null and m.sort_key < p_step.transition_count then 'unread'
      else tasker.story_kind(m.state, m.wait)
    end,
    greatest(m.began_at, p_from), x.ended_at,
    extract(epoch from x.ended_at - greatest(m.began_at, p_from))::double precision,
    m.reason
  from moves as m
  cross join lateral (
    select least(coalesce(m.next_at, case when m.sort_key < p_step.transition_count then p_step.moved_at end, p_until), p_until) as ended_at
  ) as x
  -- A settled step takes no more time. The time after it belongs to the next step.
  where (m.next_at is not null or m.sort_key < p_step.transition_count or m.state not in ('complete', 'cancelled', 'resolved_manually'))
    and x.ended_at > greatest(m.began_at, p_from)
  order by m.sort_key;
end;
$$;

comment on function tasker.step_story is
$$Returns on which work and waits one step spent the time between p_from and p_until. Reads the first p_limit
transitions of the step. The time after these transitions has the kind "unread".$$;
