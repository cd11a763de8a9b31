create or replace function tasker.unmap_access(p_claim text, p_value text, p_actor text default null, p_reason text default null)
  returns boolean
  language plpgsql
  security definer
  set search_path = pg_catalog, pg_temp
as $$
begin
  perform tasker.check_unbound();
  perform tasker.administer(p_actor, p_reason);
  perform tasker.check_text_size('name of the claim', p_claim, 200);
  perform tasker.check_text_size('value of the claim', p_value, 500);
  delete from tasker.access_maps as m
   where m.claim = p_claim
     and m.value = p_value;
  return found;
end;
$$;

comment on function tasker.unmap_access is
$$Deletes an access map. Sessions lose the rights of the map from their next request on. Returns true if the map
existed.

p_reason and p_actor go into the log of administration. Without p_actor, the log has the caller's role. Locks the map's
row. Raises TK413 for texts that are too long, and TK403 if the caller is bound to namespaces.$$;

grant execute on function tasker.unmap_access to tasker_operator;
