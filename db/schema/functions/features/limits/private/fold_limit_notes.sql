create or replace function tasker.fold_limit_notes(p_limits integer[], p_keys text[], p_now timestamptz)
  returns void
  language plpgsql
as $$
begin
  -- Delete by ctid, which is stable because only the holder of the key changes its notes. Each index lookup uses the
  -- whole key.
  with folded as (
    delete from tasker.limit_notes as n
     where n.ctid = any (array(
       select n.place
         from unnest(p_limits, p_keys) as u (limit_no, limit_key)
        cross join lateral (
          select n.ctid as place
            from tasker.limit_notes as n
           where n.limit_no = u.limit_no
             and n.key_hash = hashtext(u.limit_key)
             and n.limit_key = u.limit_key
           order by n.note_no
           limit 1000
        ) as n
     ))
    returning n.limit_no, n.limit_key, n.named_step_uuid
  )
  insert into tasker.limit_lines (limit_no, limit_key, named_step_uuid, version, next_at)
  select distinct f.limit_no, f.limit_key, f.named_step_uuid, 0, p_now
    from folded as f
  on conflict (limit_no, limit_key, named_step_uuid) do nothing;
end;
$$;

comment on function tasker.fold_limit_notes is
$$Deletes the notes of keys, at most 1,000 notes of each key, and ensures that the handlers named in the notes have rows in tasker.limit_lines. The caller holds the keys, counts the running steps in a later statement, and then writes when the lines are due.$$;
