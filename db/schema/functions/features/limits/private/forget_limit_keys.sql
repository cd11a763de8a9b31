create or replace function tasker.forget_limit_keys(p_count integer)
  returns integer
  language plpgsql
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_now  timestamptz := tasker.clock();
  v_held integer[];
  v_done integer;
begin
  -- A deleted key loses no data, because running steps are counted in the queue; a claim that needs the key inserts it
  -- again. Lock the limits as insert_limit_keys does, so that no claim waits for a key that is being deleted.
  v_held := array(select l.limit_no from tasker.limits as l for no key update skip locked);
  delete from tasker.limit_keys as k
   where (k.limit_no, k.limit_key) in (
     select i.limit_no, i.limit_key
       from tasker.limit_keys as i
      where (i.limit_no = any (v_held) or not exists (select from tasker.limits as l where l.limit_no = i.limit_no))
        and coalesce(i.paid_until <= v_now, true)
        and not exists (
          select from tasker.limit_lines as s where s.limit_no = i.limit_no and s.limit_key = i.limit_key
        )
      limit p_count
        for update skip locked
   );
  get diagnostics v_done = row_count;
  delete from tasker.limit_input_bounds as b
   where (b.limit_no, b.limit_key, b.bound_no) in (
     select i.limit_no, i.limit_key, i.bound_no
       from tasker.limit_input_bounds as i
      where i.set_at < v_now - interval '1 year'
      limit p_count
        for update skip locked
   );
  return v_done;
end;
$$;

comment on function tasker.forget_limit_keys is
$$Deletes at most p_count keys of limits for which no step waits and whose rate allows a start now, and at most p_count bounds that the context of no task has set for a year. Returns the number of deleted keys.$$;
