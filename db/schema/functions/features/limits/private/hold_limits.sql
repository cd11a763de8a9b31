create or replace function tasker.hold_limits()
  returns void
  language plpgsql
as $$
begin
  perform set_config('tasker.opened_limits', '[]', true);
end;
$$;

comment on function tasker.hold_limits is
$$Begins to collect the keys that this call opens. Until tasker.release_limits, tasker.announce_limits collects the keys instead of waking workers. A call that records results and then claims uses this.$$;
