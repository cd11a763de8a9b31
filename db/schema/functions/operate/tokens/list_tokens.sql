create or replace function tasker.list_tokens()
  returns setof tasker.token_details
  language plpgsql
  stable
  security definer
  set search_path = pg_catalog, pg_temp
as $$
begin
  perform tasker.check_unbound();
  return query
  select d.*
    from tasker.access_tokens as t
   cross join lateral tasker.describe_token(t) as d
   order by t.name;
end;
$$;

comment on function tasker.list_tokens is
$$Returns the tokens that "tasker serve" accepts or has accepted, by name. Raises TK403 if the caller is bound to
namespaces.$$;

grant execute on function tasker.list_tokens to tasker_operator;
