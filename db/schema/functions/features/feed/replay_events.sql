create or replace function tasker.replay_events(
  p_subscription  text,
  p_since         timestamptz,
  p_actor         text         default null,
  p_reason        text         default null
)
  returns setof tasker.subscription_details
  language plpgsql
  security definer
  set search_path = pg_catalog, pg_temp
as $$
declare
  s tasker.subscriptions;
begin
  perform tasker.administer(p_actor, p_reason);
  perform tasker.check_instant('time of a replay', p_since);
  if (p_since <= tasker.clock()) is not true then
    raise exception using
      errcode = 'TK422',
      message = format('events cannot be replayed from %s on', coalesce(p_since::text, 'null')),
      hint    = 'Name a time that has passed.';
  end if;
  s := tasker.lock_subscription(p_subscription);
  delete from tasker.feed_lists as l
   where l.subscription = s.subscription;
  update tasker.subscriptions as u
     set snapshot        = '3:3:',
         snapshot_at     = p_since,
         since           = p_since,
         until           = null,
         until_at        = null,
         window_no       = u.window_no + 1,
         place_at        = null,
         place_task_uuid = null,
         place_step_no   = null,
         place_sort_key  = null,
         list_no         = u.list_end,
         last_key        = null,
         failures        = 0,
         next_attempt_at = null,
         placed_at       = tasker.clock(),
         updated_at      = tasker.clock(),
         updated_by      = tasker.actor_name(p_actor)
   where u.subscription = s.subscription
  returning u.* into s;
  return query select d.* from tasker.describe_subscription(s) as d;
end;
$$;

comment on function tasker.replay_events is
$$Sets a subscription back to a time. The subscription gets all events since that time once more, with the same UUIDs, and then the new events. Events that retention has dropped stay missing. Returns the subscription.

A reader can no longer acknowledge a batch that it read before the replay. Locks the subscription. Raises TK404 if there is no such subscription, TK422 unless the time is in the past, TK403 if the caller is not bound to all namespaces of the subscription.$$;

grant execute on function tasker.replay_events to tasker_operator;
