create or replace function tasker.request_made(p_request tasker.task_requests, p_creations tasker.task_creations[])
  returns void
  language plpgsql
as $$
declare
  v_count integer;
  v_ok    text; -- an assignment needs no executor
begin
  if p_request.debounce_hash is not null then
    v_ok := tasker.note_debounced(p_request, p_creations[1].task_uuid);
  end if;
  if p_request.throttle_limit is not null then
    v_count := (select count(*) from unnest(p_creations) as c where c.created);
    if v_count > 0 then
      v_ok := tasker.charge_throttle(p_request, v_count);
    end if;
  end if;
end;
$$;

comment on function tasker.request_made is
$$Door: the tasks of a request with a policy exist, created or found. tasker.make_tasks calls it last: the throttle's row is locked after everything else.$$;
