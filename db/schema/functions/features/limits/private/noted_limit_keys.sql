create or replace function tasker.noted_limit_keys(p_limit_no integer, p_from integer, p_count integer)
  returns setof tasker.limit_notes
  language plpgsql
  stable
as $$
begin
  -- Read from a given hash on (the caller passes a random hash), and also from the first hash on. So each key is reached
  -- about equally often, and many notes of one key cost a single probe.
  return query
  with recursive starts (key_hash) as (
    values (p_from), (-2147483648)
  ),
  noted (start, place, note) as (
    select s.key_hash, 1, n.note
      from starts as s
     cross join lateral (
       select n as note
         from tasker.limit_notes as n
        where n.limit_no = p_limit_no
          and n.key_hash >= s.key_hash
        order by n.key_hash, n.limit_key, n.note_no
        limit 1
     ) as n
    union all
    select c.start, c.place + 1, n.note
      from noted as c
     cross join lateral (
       select n as note
         from tasker.limit_notes as n
        where n.limit_no = p_limit_no
          and (n.key_hash, n.limit_key) > ((c.note).key_hash, (c.note).limit_key)
        order by n.key_hash, n.limit_key, n.note_no
        limit 1
     ) as n
     where c.place < p_count
  )
  select distinct on ((n.note).limit_key) (n.note).* from noted as n;
end;
$$;

comment on function tasker.noted_limit_keys is
$$Returns the oldest note of each key of a limit that has notes: at most p_count keys from the hash p_from on, and at most p_count keys from the first hash on. Reads one index entry for each key.$$;
