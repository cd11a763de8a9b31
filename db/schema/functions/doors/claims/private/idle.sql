create or replace function tasker.idle(p_limit integer, p_worker_uuid uuid)
  returns boolean
  language plpgsql
as $$
begin
  return tasker.deliver_due_events(p_limit, p_worker_uuid);
end;
$$;

comment on function tasker.idle is
$$Door: a claim has fired what was due and found no step. Returns whether a feature did something for which it should look again.$$;
