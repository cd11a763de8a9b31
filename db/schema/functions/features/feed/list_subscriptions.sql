create or replace function tasker.list_subscriptions(p_subscription text default null)
  returns setof tasker.subscription_details
  language plpgsql
  stable
  security definer
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_bound text[] := tasker.bound_namespaces();
begin
  return query
  select d.*
    from tasker.subscriptions as s
   cross join lateral tasker.describe_subscription(s) as d
   where (p_subscription is null or s.subscription = p_subscription)
     and (v_bound is null or s.namespaces <@ v_bound)
   order by s.subscription;
  if not found and p_subscription is not null then
    perform tasker.raise_subscription_not_found(p_subscription);
  end if;
end;
$$;

comment on function tasker.list_subscriptions is
$$Returns the subscriptions to the feed, or the subscription of this name: its filter, its target, its place in the feed and the process that reads it. A bound caller sees a subscription only if the caller is bound to all its namespaces. A role that is only a reader sees only the host of a webhook's URL. Raises TK404 if the named subscription does not exist.$$;

grant execute on function tasker.list_subscriptions to tasker_orchestrator, tasker_operator, tasker_reader;
