create or replace function tasker.describe_token(p_token tasker.access_tokens)
  returns tasker.token_details
  language plpgsql
  stable
  set search_path = pg_catalog, pg_temp
as $$
begin
  return row(
    p_token.name,
    pg_get_userbyid(p_token.role)::text,
    p_token.namespaces,
    case
      when p_token.revoked_at is not null then 'revoked'
      when p_token.expires_at <= tasker.clock() then 'expired'
      when tasker.token_role_problem(p_token.role) is not null then 'unusable'
      else 'valid'
    end,
    p_token.created_at,
    p_token.created_by,
    p_token.expires_at,
    p_token.revoked_at,
    p_token.revoked_by
  )::tasker.token_details;
end;
$$;

comment on function tasker.describe_token is
$$Returns the columns of a token that people may see, and whether the token is accepted now.$$;
