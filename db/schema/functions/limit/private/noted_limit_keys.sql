create or replace function tasker.noted_limit_keys(p_limit_no integer, p_from integer, p_count integer)
  returns setof text
  language plpgsql
  stable
as $$
begin
  -- From a random hash on, then from the first: whatever the keys are, each is reached as often as the others, and
  -- the many notes of one key cost one probe.
  return query
  with recursive starts (key_hash) as (
    values (p_from), (-2147483648)
  ),
  noted (start, place, key_hash, limit_key) as (
    select s.key_hash, 1, n.key_hash, n.limit_key
      from starts as s
     cross join lateral (
       select n.key_hash, n.limit_key
         from tasker.limit_notes as n
        where n.limit_no = p_limit_no
          and n.key_hash >= s.key_hash
        order by n.key_hash, n.limit_key
        limit 1
     ) as n
    union all
    select c.start, c.place + 1, n.key_hash, n.limit_key
      from noted as c
     cross join lateral (
       select n.key_hash, n.limit_key
         from tasker.limit_notes as n
        where n.limit_no = p_limit_no
          and (n.key_hash, n.limit_key) > (c.key_hash, c.limit_key)
        order by n.key_hash, n.limit_key
        limit 1
     ) as n
     where c.place < p_count
  )
  select distinct n.limit_key from noted as n;
end;
$$;

comment on function tasker.noted_limit_keys(integer, integer, integer) is
$$Returns keys of a limit that have notes: at most p_count from the hash p_from on, and as many from the first. Reads one index entry for each.$$;

revoke all on function tasker.noted_limit_keys(integer, integer, integer) from public;
