create or replace function tasker.authenticate_token(p_token_hash bytea)
  returns setof tasker.token_details
  language plpgsql
  stable
  security definer
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_token tasker.token_details;
begin
  select d.*
    into v_token
    from tasker.access_tokens as t
   cross join lateral tasker.describe_token(t) as d
   where t.token_hash = p_token_hash;
  if v_token.status = 'valid' then
    return next v_token;
    return;
  end if;

  raise exception using
    errcode = 'TK401',
    message = case v_token.status
      when 'expired' then format('token "%s" has expired', v_token.name)
      when 'revoked' then format('token "%s" has been revoked', v_token.name)
      when 'unusable' then format('token "%s" cannot be used any more: its role has changed', v_token.name)
      else 'the token is not known'
    end,
    hint    = 'An operator makes tokens with tasker token create.';
end;
$$;

comment on function tasker.authenticate_token is
$$Returns the token with this hash. Raises TK401 if there is no such token, or if it has expired or has been revoked.$$;

grant execute on function tasker.authenticate_token to tasker_server;
