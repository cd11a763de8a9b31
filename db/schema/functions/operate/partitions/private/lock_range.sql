create or replace function tasker.lock_range(p_ranges tasker.partition_ranges[])
  returns text
  language plpgsql
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_relations regclass[];
  v_holder    text;
  v_missing   regclass;
begin
  v_relations := tasker.partition_relations(array(select r.suffix from unnest(p_ranges) as r));

  v_holder := tasker.old_lock_holder(v_relations);
  if v_holder is not null then
    return v_holder;
  end if;
  v_missing := tasker.lock_relations(v_relations);
  if v_missing is null then
    return null;
  end if;

  -- This call blocked other sessions without success. Try again after a minute, then after two minutes, and so on up to
  -- half an hour.
  update tasker.partition_ranges as r
     set busy_count = r.busy_count + 1,
         retry_at   = tasker.clock() + least(interval '1 minute' * 2 ^ least(r.busy_count, 5), interval '30 minutes')
   where r.starts_at = any (array(select u.starts_at from unnest(p_ranges) as u));
  return format('could not lock %s within %s', v_missing, tasker.partition_lock_budget());
end;
$$;

comment on function tasker.lock_range is
$$Locks the run tables and the partitions of these ranges exclusively until the transaction ends. Returns null if it has
got all locks. Otherwise holds no lock and returns the reason.

Checks for long transactions first, so that it seldom queues for locks without success. After a failure, no call tries
this range again for a while.$$;
