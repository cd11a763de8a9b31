create or replace function tasker.backfill_step_result_audit(
  p_since  timestamptz  default null,
  p_until  timestamptz  default null,
  p_limit  integer      default null
)
  returns bigint
  language plpgsql
  security definer
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_from   uuid := '00000000-0000-0000-0000-000000000000';
  v_to     uuid := 'ffffffff-ffff-ffff-ffff-ffffffffffff';
  v_filled bigint;
begin
  perform tasker.check_page_size(p_limit);
  if isfinite(p_since) then
    v_from := tasker.uuid_v7_floor(p_since);
  end if;
  if isfinite(p_until) then
    v_to := tasker.uuid_v7_floor(p_until);
  end if;

  with filled as (
    insert into tasker.workflow_step_result_audit (
      task_uuid, step_no, sort_key, recorded_at, worker_uuid, correlation_id, success, execution_time_ms
    )
    select
      l.task_uuid,
      l.step_no,
      l.sort_key,
      l.created_at,
      l.worker_uuid,
      t.correlation_id,
      l.to_state <> 'enqueued_as_error_for_orchestration',
      l.execution_time_ms
    from tasker.workflow_step_transition_log as l
    join tasker.tasks as t
      on t.task_uuid = l.task_uuid
    where l.task_uuid >= v_from
      and l.task_uuid < v_to
      and l.event in ('EnqueueForOrchestration', 'CompleteManually')
      and not exists (
        select
          from tasker.workflow_step_result_audit as a
         where a.task_uuid = l.task_uuid
           and a.step_no = l.step_no
           and a.sort_key = l.sort_key
      )
    limit coalesce(p_limit, 10000)
    on conflict do nothing
    returning 1
  )
  select count(*) into v_filled from filled;
  return v_filled;
end;
$$;

comment on function tasker.backfill_step_result_audit(timestamptz, timestamptz, integer) is
$$Writes the audit rows of results that have none, because they were recorded before there was an audit or brought in from elsewhere, and returns how many. For the tasks made from p_since until before p_until; null: all there are.

Attribution is what the log says; unknown workers stay null. Up to p_limit rows a call (default and maximum 10,000): call it until it returns 0. Idempotent. Locks no row: it only inserts. Raises TK422 for a limit out of bounds.$$;

revoke all on function tasker.backfill_step_result_audit(timestamptz, timestamptz, integer) from public;
grant execute on function tasker.backfill_step_result_audit(timestamptz, timestamptz, integer)
  to tasker_operator;
