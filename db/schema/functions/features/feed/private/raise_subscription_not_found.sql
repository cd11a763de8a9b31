create or replace function tasker.raise_subscription_not_found(p_subscription text)
  returns void
  language plpgsql
  stable
  set search_path = pg_catalog, pg_temp
as $$
begin
  raise exception using
    errcode = 'TK404',
    message = format('subscription %s does not exist', coalesce('"' || left(p_subscription, 100) || '"', 'null')),
    hint    = 'tasker.list_subscriptions() lists subscriptions; tasker.subscribe() makes one.';
end;
$$;

comment on function tasker.raise_subscription_not_found is
$$Raises TK404 for a subscription that does not exist.$$;
