create or replace function tasker.leave_subscription(p_subscription text, p_reader_uuid uuid)
  returns boolean
  language plpgsql
  security definer
  set search_path = pg_catalog, pg_temp
as $$
begin
  perform tasker.lock_subscription(p_subscription);
  update tasker.subscriptions as s
     set reader_uuid  = null,
         reader       = null,
         leased_until = null
   where s.subscription = p_subscription
     and s.reader_uuid = p_reader_uuid;
  return found;
end;
$$;

comment on function tasker.leave_subscription is
$$Ends a reader's lease of a subscription, so that another process may read the subscription at once. Returns false if the reader had no lease.

Idempotent. Locks the subscription. Raises TK404 if there is no such subscription, TK403 if the caller is not bound to all namespaces of the subscription.$$;

grant execute on function tasker.leave_subscription to tasker_orchestrator, tasker_operator;
