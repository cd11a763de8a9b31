create or replace function tasker.lock_subscription(p_subscription text)
  returns tasker.subscriptions
  language plpgsql
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_subscription tasker.subscriptions;
begin
  select s.*
    into v_subscription
    from tasker.subscriptions as s
   where s.subscription = p_subscription
     for no key update;
  perform tasker.check_subscription_name(p_subscription, found, v_subscription.namespaces);
  if v_subscription.subscription is null then
    perform tasker.raise_subscription_not_found(p_subscription);
  end if;
  return v_subscription;
end;
$$;

comment on function tasker.lock_subscription is
$$Locks a subscription, waiting if necessary, and returns it. Raises TK404 if there is no such subscription, TK403 if the caller is not bound to all namespaces of the subscription.$$;
