create or replace function tasker.request_made(p_request tasker.task_requests, p_creations tasker.task_creations[])
  returns void
  language plpgsql
as $$
declare
  v_new uuid[];
  v_ok  text; -- an assignment, unlike PERFORM, starts no executor
begin
  if p_request.debounce_hash is not null then
    v_ok := tasker.note_debounced(p_request, p_creations[1].task_uuid);
  end if;
  if p_request.throttle_limit is not null then
    v_new := array(select c.task_uuid from unnest(p_creations) with ordinality as c where c.created order by c.ordinality);
    if v_new <> '{}' then
      v_ok := tasker.charge_throttle(p_request, v_new);
    end if;
  end if;
end;
$$;

comment on function tasker.request_made is
$$Door: the tasks of a request with a policy exist: they were created now or earlier. tasker.make_tasks calls this door last, so that the throttle's row is locked after all other rows.$$;
