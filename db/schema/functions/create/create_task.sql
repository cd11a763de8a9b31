create or replace function tasker.create_task(
  p_namespace              text,
  p_name                   text,
  p_context                jsonb        default '{}',
  p_version                text         default null,
  p_identity_key           text         default null,
  p_task_uuid              uuid         default null,
  p_priority               integer      default null,
  p_tags                   text[]       default null,
  p_initiator              text         default null,
  p_source_system          text         default null,
  p_reason                 text         default null,
  p_correlation_id         uuid         default null,
  p_parent_correlation_id  uuid         default null,
  p_headers                jsonb        default null,
  p_start_at               timestamptz  default null,
  p_deferred               boolean      default null,
  p_deadline               timestamptz  default null,
  p_identity_ttl           interval     default null
)
  returns setof tasker.task_creations
  language plpgsql
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
  v_creations tasker.task_creations[];
  v_ok        text;
begin
  v_ok := tasker.check_bound_namespaces(array[p_namespace]);
  v_creations := tasker.make_tasks(
    p_namespace, p_name, array[p_context], p_version,
    case when p_identity_key is not null then array[p_identity_key] end,
    case when p_task_uuid is not null then array[p_task_uuid] end,
    p_priority, p_tags, p_initiator, p_source_system, p_reason, p_correlation_id, p_parent_correlation_id,
    p_headers, p_start_at, p_deferred, p_deadline, p_identity_ttl
  );
  return next v_creations[1];
end;
$$;

comment on function tasker.create_task(
  text, text, jsonb, text, text, uuid, integer, text[], text, text, text, uuid, uuid, jsonb,
  timestamptz, boolean, timestamptz, interval
) is
$$Makes one task of a template and returns its UUID, and whether this call made it: create_tasks for a single context, with the same arguments, locks and errors.$$;

revoke all on function tasker.create_task(
  text, text, jsonb, text, text, uuid, integer, text[], text, text, text, uuid, uuid, jsonb,
  timestamptz, boolean, timestamptz, interval
) from public;
grant execute on function tasker.create_task(
  text, text, jsonb, text, text, uuid, integer, text[], text, text, text, uuid, uuid, jsonb,
  timestamptz, boolean, timestamptz, interval
) to tasker_submitter, tasker_worker, tasker_orchestrator, tasker_operator;
