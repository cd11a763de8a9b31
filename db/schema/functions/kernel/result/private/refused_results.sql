create or replace function tasker.refused_results(
  p_results   tasker.step_results[],
  p_locked    uuid[],
  p_held      boolean[],
  p_bytes     integer
)
  returns text[]
  language plpgsql
  stable
as $$
begin
  return array(
    select case
        when p_locked is not null and not (r.held and tasker.task_uuid_of(r.step_uuid) = any (p_locked)) then 'busy'
        when r.error is null and (octet_length(r.result::text) > p_bytes or tasker.is_too_deep(r.result)) then 'too_large'
      end
      from unnest(p_results, p_held) with ordinality as r (
        step_uuid, claim_no, result, error, permanent, backoff_seconds, execution_time_ms, held, position
      )
     order by r.position
  );
end;
$$;

comment on function tasker.refused_results is
$$Returns, for each result, the reason why it is refused before it is recorded: "busy" if its task or step could not be locked, "too_large", or null if it is not refused. p_locked and p_held are null if the caller waits for every task and step. Returns null instead of an array of nulls.$$;
