create or replace function tasker.begin_sql_attempt(p_namespaces text[], p_timeout text)
  returns boolean
  language plpgsql
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_slot    tasker.sql_slots;
  v_seconds integer;
begin
  perform tasker.refuse_recovery();
  perform set_config('tasker.sql_step', '', true);
  v_slot := tasker.take_sql_slot(tasker.sql_namespaces(p_namespaces), true);
  if v_slot.slot_no is null then
    perform tasker.fill_sql_slots();
    return false;
  end if;
  select a.timeout_seconds into v_seconds from tasker.sql_attempts as a where a.slot_no = v_slot.slot_no;
  perform set_config('tasker.sql_step', format('%s %s', v_slot.slot_no, replace(p_timeout, ' ', '')), true);
  if v_seconds is not null then
    perform set_config('statement_timeout', least(v_seconds::bigint * 1000, 2147483647)::text, true);
  end if;
  return true;
end;
$$;

comment on function tasker.begin_sql_attempt is
$$Does the work of tasker.begin_sql_step. p_timeout is the session's statement_timeout.$$;
