create or replace function tasker.raise_not_bound(p_namespace text)
  returns void
  language plpgsql
  stable
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_bound text[] := tasker.bound_namespaces();
  v_token text   := tasker.token_name();
  v_who   text   := case
    when v_token is null then format('role "%s"', tasker.caller_name())
    when v_token like 'person %' then v_token
    else format('token "%s"', v_token)
  end;
begin
  raise exception using
    errcode = 'TK403',
    message = case
      when p_namespace is null then format('%s may not make calls that concern all namespaces', v_who)
      else format('%s may not work in namespace "%s"', v_who, left(p_namespace, 100))
    end,
    detail  = format('It is bound to %s.', case
      when cardinality(v_bound) = 0 then 'no namespace'
      else array_to_string(v_bound[:10], ', ') || case when cardinality(v_bound) > 10 then ', …' else '' end
    end),
    hint    = case
      when v_token like 'person %' then 'An operator gives people access to namespaces with tasker access map.'
      when v_token is not null then 'An operator makes a token for other namespaces with tasker token create.'
      when tasker.is_scoped() then 'The session''s setting tasker.namespaces restricts it; * lifts the restriction.'
      else 'An operator binds it with tasker.bind_role(role, namespaces).'
    end;
end;
$$;

comment on function tasker.raise_not_bound is
$$Raises TK403, because the caller is not bound to this namespace. Null means a call that concerns all namespaces.$$;
