create or replace function tasker.refused_results(
  p_task_uuids  uuid[],
  p_deferred    boolean[],
  p_locked      uuid[],
  p_results     jsonb[],
  p_errors      text[],
  p_held        boolean[]
)
  returns text[]
  language plpgsql
  stable
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_limit integer := tasker.setting_integer('result_bytes');
begin
  if p_held is null and not exists (
    select
      from unnest(p_results, p_errors) as u (result, error)
     where u.error is null
       and octet_length(u.result::text) > v_limit
  ) then
    return null;
  end if;

  return array(
    select case
        when not (u.held and (u.deferred or u.task_uuid = any (p_locked))) then 'busy'
        when u.error is null and octet_length(u.result::text) > v_limit then 'too_large'
      end
      from unnest(p_task_uuids, p_deferred, p_results, p_errors, p_held) with ordinality
        as u (task_uuid, deferred, result, error, held, position)
     order by u.position
  );
end;
$$;

comment on function tasker.refused_results(uuid[], boolean[], uuid[], jsonb[], text[], boolean[]) is
$$For each result why it is not even tried: busy, if its task or its step could not be locked, too_large; null if there is no such reason. p_held is null if every step is waited for. Null instead of an array of nulls.$$;

revoke all on function tasker.refused_results(uuid[], boolean[], uuid[], jsonb[], text[], boolean[]) from public;
