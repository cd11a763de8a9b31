create or replace function tasker.lock_relations(p_relations regclass[])
  returns regclass
  language plpgsql
  set search_path = pg_catalog, pg_temp
  set lock_timeout = '1s'
as $$
declare
  v_until    timestamptz := clock_timestamp() + tasker.partition_lock_budget();
  v_end      timestamptz;
  v_relation regclass;
begin
  loop
    begin
      -- The lock on the first table stops new statements. The other tables become free when the running statements end,
      -- unless a statement has locked the tables in another order and now waits for the first table. So give up soon,
      -- and try again.
      v_end := v_until;
      foreach v_relation in array p_relations loop
        perform set_config(
          'lock_timeout',
          greatest(ceil(extract(epoch from v_end - clock_timestamp()) * 1000), 1)::text || 'ms',
          true
        );
        execute format('lock table only %s in access exclusive mode', v_relation);
        if v_relation = p_relations[1] then
          v_end := least(v_until, clock_timestamp() + interval '25 milliseconds');
        end if;
      end loop;
      return null;
    exception when lock_not_available or deadlock_detected then
      null;
    end;
    exit when clock_timestamp() >= v_until;
    perform pg_sleep(0.005 + 0.02 * random());
  end loop;
  return v_relation;
end;
$$;

comment on function tasker.lock_relations is
$$Locks tables exclusively, in the given order, within the time that one drop may wait for locks
(tasker.partition_lock_budget). Returns null if it has locked all tables. Otherwise holds no lock and returns the table
that it last failed to lock.

Waits for the first table up to this time, and then for all other tables together 25 milliseconds. Starts again while
time is left.$$;
