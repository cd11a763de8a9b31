create or replace function tasker.take_subscription(p_subscription text, p_reader_uuid uuid)
  returns tasker.subscriptions
  language plpgsql
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_subscription tasker.subscriptions := tasker.lock_subscription(p_subscription);
begin
  if p_reader_uuid is null then
    raise exception using
      errcode = 'TK422',
      message = 'a reader of the feed needs a UUID',
      hint    = 'Each process takes a new one.';
  elsif v_subscription.reader_uuid <> p_reader_uuid and v_subscription.leased_until > tasker.clock() then
    raise exception using
      errcode = 'TK409',
      message = format('subscription "%s" is read by another process', p_subscription),
      detail  = format('%s reads it until %s.', v_subscription.reader, v_subscription.leased_until),
      hint    = 'Try again when its lease has ended, or make a subscription for each reader.';
  end if;
  return v_subscription;
end;
$$;

comment on function tasker.take_subscription is
$$Locks a subscription for its reader and returns the subscription. Raises TK404 if there is no such subscription, TK409 while another process reads it, TK422 without a reader, TK403 if the caller is not bound to all namespaces of the subscription.$$;
