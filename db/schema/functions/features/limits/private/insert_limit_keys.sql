create or replace function tasker.insert_limit_keys(p_limits integer[], p_keys text[], p_missing boolean[])
  returns void
  language plpgsql
as $$
declare
  v_held integer[];
begin
  -- Only the holder of a limit's row inserts or deletes the limit's keys, so no insert waits for another transaction. A
  -- claim that does not get the lock of the row leaves new keys to the next claim.
  v_held := array(
    select l.limit_no
      from (select distinct u.limit_no from unnest(p_limits, p_missing) as u (limit_no, missing) where u.missing) as u
     cross join lateral (
       select l.limit_no
         from tasker.limits as l
        where l.limit_no = u.limit_no
          for no key update skip locked
     ) as l
  );
  insert into tasker.limit_keys (limit_no, limit_key)
  select u.limit_no, u.limit_key
    from unnest(p_limits, p_keys, p_missing) as u (limit_no, limit_key, missing)
   where u.missing
     and u.limit_no = any (v_held)
   order by u.limit_no, u.limit_key
  on conflict (limit_no, limit_key) do nothing;
end;
$$;

comment on function tasker.insert_limit_keys is
$$Inserts the missing keys of those limits whose rows no other transaction has locked.$$;
