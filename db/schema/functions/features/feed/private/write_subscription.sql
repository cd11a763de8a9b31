create or replace function tasker.write_subscription(
  p_subscription   tasker.subscriptions,
  p_reader_uuid    uuid,
  p_lease_seconds  integer
)
  returns timestamptz
  language plpgsql
as $$
declare
  s       tasker.subscriptions := p_subscription;
  v_until timestamptz          := tasker.write_clock() + p_lease_seconds * interval '1 second';
begin
  update tasker.subscriptions as u
     set snapshot        = s.snapshot,
         snapshot_at     = s.snapshot_at,
         since           = s.since,
         until           = s.until,
         until_at        = s.until_at,
         window_no       = s.window_no,
         place_at        = s.place_at,
         place_task_uuid = s.place_task_uuid,
         place_step_no   = s.place_step_no,
         place_sort_key  = s.place_sort_key,
         list_no         = s.list_no,
         list_end        = s.list_end,
         last_key        = s.last_key,
         slice_seconds   = s.slice_seconds,
         reader_uuid     = p_reader_uuid,
         reader          = tasker.caller_name(),
         leased_until    = v_until
   where u.subscription = s.subscription;
  return v_until;
end;
$$;

comment on function tasker.write_subscription is
$$Writes the place of a subscription and its reader. Returns the end of the reader's lease. The caller holds the lock of the subscription.$$;
