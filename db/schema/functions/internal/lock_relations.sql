create or replace function tasker.lock_relations(p_relations regclass[])
  returns boolean
  language plpgsql
  set search_path = pg_catalog, pg_temp
  set lock_timeout = '1s'
as $$
declare
  v_until    timestamptz := clock_timestamp() + tasker.partition_lock_budget();
  v_relation regclass;
begin
  foreach v_relation in array p_relations loop
    -- What is left of the time for all of them: the first are held while the next are waited for.
    perform set_config(
      'lock_timeout',
      greatest(ceil(extract(epoch from v_until - clock_timestamp()) * 1000), 1)::text || 'ms',
      true
    );
    execute format('lock table only %s in access exclusive mode', v_relation);
  end loop;
  return true;
exception when lock_not_available or deadlock_detected then
  return false;
end;
$$;

comment on function tasker.lock_relations(regclass[]) is
$$Locks tables against everybody, in this order, within the time that one drop may wait; true if it has them all, else it has none.$$;

revoke all on function tasker.lock_relations(regclass[]) from public;
