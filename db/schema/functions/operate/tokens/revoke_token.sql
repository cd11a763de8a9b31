create or replace function tasker.revoke_token(p_name text, p_actor text default null, p_reason text default null)
  returns boolean
  language plpgsql
  security definer
  set search_path = pg_catalog, pg_temp
as $$
begin
  perform tasker.check_unbound();
  perform tasker.administer(p_actor, p_reason);
  update tasker.access_tokens as t
     set revoked_at = tasker.clock(),
         revoked_by = tasker.actor_name(p_actor)
   where t.name = p_name
     and t.revoked_at is null;
  if found then
    return true;
  end if;
  if not exists (select from tasker.access_tokens as t where t.name = p_name) then
    raise exception using
      errcode = 'TK404',
      message = format('there is no token called %s', coalesce('"' || left(p_name, 100) || '"', 'null')),
      hint    = 'tasker.list_tokens() shows them all.';
  end if;
  return false;
end;
$$;

comment on function tasker.revoke_token is
$$Revokes a token, so that "tasker serve" refuses it from the next request on. Returns true if this call revoked the
token, and false if the token was revoked before.

Locks the token's row. Raises TK404 if there is no such token, and TK403 if the caller is bound to namespaces.$$;

grant execute on function tasker.revoke_token to tasker_operator;
