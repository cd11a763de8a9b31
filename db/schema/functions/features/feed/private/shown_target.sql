create or replace function tasker.shown_target(p_target jsonb)
  returns jsonb
  language plpgsql
  stable
  set search_path = pg_catalog, pg_temp
as $$
begin
  if not p_target ? 'webhook'
     or pg_has_role(tasker.caller_name(), 'tasker_orchestrator', 'usage')
     or pg_has_role(tasker.caller_name(), 'tasker_operator', 'usage') then
    return p_target;
  end if;
  return jsonb_set(p_target, '{webhook,url}', to_jsonb(substring(p_target #>> '{webhook,url}' from '^https?://[^/?#]+') || '/…'));
end;
$$;

comment on function tasker.shown_target is
$$Returns the target of a subscription as the caller may see it. Roles that are only readers see only the host of a webhook's URL, because the rest of the URL is often secret.$$;
