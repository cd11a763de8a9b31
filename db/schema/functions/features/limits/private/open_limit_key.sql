create or replace function tasker.open_limit_key(p_limit_no integer, p_limit_key text)
  returns void
  language plpgsql
  set search_path = pg_catalog, pg_temp
as $$
begin
  -- One note opens all lines of the key. A step that is enqueued meanwhile writes a note of its own.
  insert into tasker.limit_notes (limit_no, key_hash, limit_key, named_step_uuid, noted_at)
  select p_limit_no, hashtext(p_limit_key), p_limit_key, q.named_step_uuid, tasker.write_clock()
    from tasker.step_queue as q
   where q.limit_no = p_limit_no
     and q.limit_key = p_limit_key
     and q.lane = 'limited'
   limit 1;
  if found then
    perform tasker.announce_limits(jsonb_build_array(jsonb_build_object('limit_no', p_limit_no, 'limit_key', p_limit_key)));
  end if;
end;
$$;

comment on function tasker.open_limit_key is
$$Makes the next claim check a key whose bounds have changed, if steps wait for the key, and wakes workers.$$;
