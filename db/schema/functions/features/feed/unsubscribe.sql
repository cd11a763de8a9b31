create or replace function tasker.unsubscribe(
  p_subscription  text,
  p_actor         text  default null,
  p_reason        text  default null
)
  returns boolean
  language plpgsql
  security definer
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_namespaces text[];
begin
  perform tasker.administer(p_actor, p_reason);
  select s.namespaces into v_namespaces from tasker.subscriptions as s where s.subscription = p_subscription;
  perform tasker.check_subscription_name(p_subscription, found, v_namespaces);
  delete from tasker.subscriptions as s
   where s.subscription = p_subscription;
  return found;
end;
$$;

comment on function tasker.unsubscribe is
$$Ends a subscription and deletes its place and its dead events. Returns true if the subscription existed.

Idempotent. Locks the subscription. Raises TK403 if the caller is not bound to all namespaces of the subscription.$$;

grant execute on function tasker.unsubscribe to tasker_operator;
