create or replace function tasker.insert_tasks(
  p_prototype   tasker.tasks,
  p_task_uuids  uuid[],
  p_contexts    jsonb[],
  p_hashes      bytea[],
  p_steps       integer,
  p_roots       integer
)
  returns uuid[]
  language plpgsql
  set search_path = pg_catalog, pg_temp
  set plan_cache_mode = force_generic_plan
  set enable_hashjoin = off
  set enable_mergejoin = off
  set enable_seqscan = off
  set jit = off
  set max_parallel_workers_per_gather = 0
as $$
declare
  v_inserted uuid[];
begin
  with inserted as (
    insert into tasker.tasks (
      task_uuid, named_task_uuid, state, priority, total_steps, open_steps, active_steps, transition_count,
      started_at, completed_at, deadline, correlation_id, parent_correlation_id, identity_hash,
      initiator, source_system, reason, tags, headers, context
    )
    select
      u.task_uuid,
      p_prototype.named_task_uuid,
      p_prototype.state,
      p_prototype.priority,
      p_steps,
      p_steps,
      case when p_prototype.state = 'steps_in_process' then p_roots else 0 end,
      p_prototype.transition_count,
      p_prototype.started_at,
      p_prototype.completed_at,
      p_prototype.deadline,
      coalesce(p_prototype.correlation_id, u.task_uuid),
      p_prototype.parent_correlation_id,
      u.identity_hash,
      p_prototype.initiator,
      p_prototype.source_system,
      p_prototype.reason,
      p_prototype.tags,
      p_prototype.headers,
      u.context
    from unnest(p_task_uuids, p_contexts, p_hashes) as u (task_uuid, context, identity_hash)
    on conflict (task_uuid) do nothing
    returning task_uuid
  )
  select coalesce(array_agg(i.task_uuid order by i.task_uuid), '{}')
    into v_inserted
    from inserted as i;
  return v_inserted;
end;
$$;

comment on function tasker.insert_tasks(tasker.tasks, uuid[], jsonb[], bytea[], integer, integer) is
$$Inserts the rows of tasks, all like the prototype, and returns the UUIDs of those that did not exist.$$;

revoke all on function tasker.insert_tasks(tasker.tasks, uuid[], jsonb[], bytea[], integer, integer) from public;
