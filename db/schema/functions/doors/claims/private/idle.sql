create or replace function tasker.idle(p_events uuid[], p_limit integer, p_worker_uuid uuid)
  returns void
  language plpgsql
as $$
begin
  if cardinality(p_events) > 0 then
    perform tasker.deliver_events(p_events, p_limit, interval '0', p_worker_uuid);
  end if;
end;
$$;

comment on function tasker.idle is
$$Door: a claim has fired all due timers and found no step. Delivers the events p_events, which are still due, to at most p_limit steps.$$;
