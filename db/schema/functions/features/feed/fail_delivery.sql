create or replace function tasker.fail_delivery(
  p_subscription   text,
  p_reader_uuid    uuid,
  p_error          text,
  p_retry_seconds  double precision
)
  returns integer
  language plpgsql
  security definer
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_failures integer;
begin
  perform tasker.check_text_size('error', p_error, 10000);
  if p_error is null or p_retry_seconds between 0 and 86400 is not true then
    raise exception using
      errcode = 'TK422',
      message = 'a failed delivery cannot be noted with these arguments',
      detail  = format('retry after %s seconds, error %s', coalesce(p_retry_seconds::text, 'null'), coalesce(left(p_error, 100), 'null')),
      hint    = 'Pass the error, and 0 to 86400 seconds.';
  end if;
  perform tasker.take_subscription(p_subscription, p_reader_uuid);
  update tasker.subscriptions as s
     set failures        = s.failures + 1,
         last_error      = p_error,
         last_error_at   = tasker.clock(),
         next_attempt_at = tasker.clock() + p_retry_seconds * interval '1 second'
   where s.subscription = p_subscription
     and s.reader_uuid = p_reader_uuid
  returning s.failures into v_failures;
  return coalesce(v_failures, 0);
end;
$$;

comment on function tasker.fail_delivery is
$$Records that the next event of a subscription could not be delivered, and when the reader tries again. Returns the number of failed deliveries since events were last acknowledged, or 0 if the caller is not the subscription's reader. The subscription keeps its place.

Locks the subscription. Raises TK404 if there is no such subscription, TK409 while another process reads the subscription, TK413 or TK422 for a wrong argument, TK403 if the caller is not bound to all namespaces of the subscription.$$;

grant execute on function tasker.fail_delivery to tasker_orchestrator, tasker_operator;
