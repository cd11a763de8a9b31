create or replace function tasker.try_limit_keys(p_limits integer[], p_keys text[])
  returns boolean
  language plpgsql
as $$
begin
  if cardinality(p_limits) = 1 then
    return true;
  end if;
  perform tasker.insert_limit_keys(p_limits, p_keys, array(
    select not exists (
      select
        from tasker.limit_keys as k
       where k.limit_no = u.limit_no
         and k.limit_key = u.limit_key
      offset 0
    )
      from unnest(p_limits, p_keys) with ordinality as u (limit_no, limit_key, place)
     order by u.place
  ));
  return (
    select count(*) = cardinality(p_limits)
      from unnest(p_limits, p_keys) as u (limit_no, limit_key)
     cross join lateral (
       select
         from tasker.limit_keys as k
        where k.limit_no = u.limit_no
          and k.limit_key = u.limit_key
          for no key update skip locked
     ) as k
  );
end;
$$;

comment on function tasker.try_limit_keys is
$$Locks the other keys of a step, whose first key the caller holds. Returns false if another transaction holds one of these keys.$$;
