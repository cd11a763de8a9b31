create or replace function tasker.lock_run_key(p_namespace text, p_name text, p_key text, p_wait boolean)
  returns boolean
  language plpgsql
as $$
declare
  v_lock bigint := hashtextextended(jsonb_build_array('tasker.runs', p_namespace, p_name, p_key)::text, 0);
begin
  if p_wait then
    perform pg_advisory_xact_lock(v_lock);
    return true;
  end if;
  return pg_try_advisory_xact_lock(v_lock);
end;
$$;

comment on function tasker.lock_run_key is
$$Locks a key of a template's runs until the transaction ends. With p_wait, waits for the lock. Otherwise returns false if another transaction holds the key. Only creations that may be skipped or refused wait, because they hold no task that another transaction can see.$$;
