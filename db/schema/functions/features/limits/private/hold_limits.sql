create or replace function tasker.hold_limits()
  returns void
  language plpgsql
as $$
begin
  perform set_config('tasker.opened_limits', '[]', true);
end;
$$;

comment on function tasker.hold_limits is
$$Begins to collect the keys that this call opens: tasker.announce_limits adds to them instead of waking workers, until tasker.release_limits. A call that claims in between uses this.$$;
