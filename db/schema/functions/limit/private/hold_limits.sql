create or replace function tasker.hold_limits()
  returns void
  language plpgsql
as $$
begin
  perform set_config('tasker.opened_limits', '[]', true);
end;
$$;

comment on function tasker.hold_limits() is
$$Keeps what tasker.announce_limits would announce until tasker.release_limits, in a call that claims in between.$$;

revoke all on function tasker.hold_limits() from public;
