create or replace function tasker.announce_limits(p_opened jsonb)
  returns void
  language plpgsql
as $$
declare
  v_held      text := current_setting('tasker.opened_limits', true);
  v_namespace text;
begin
  if v_held <> '' then
    perform set_config('tasker.opened_limits', (v_held::jsonb || p_opened)::text, true);
    return;
  end if;

  for v_namespace in
    select distinct l.namespace
      from jsonb_to_recordset(p_opened) as o (limit_no integer)
     cross join lateral (
       select l.namespace
         from tasker.limits as l
        where l.limit_no = o.limit_no
       offset 0
     ) as l
  loop
    perform tasker.notify_steps_ready(v_namespace);
  end loop;
end;
$$;

comment on function tasker.announce_limits is
$$Wakes the workers of limits with keys that this call has opened: that may have room, or have new steps. p_opened is an array of objects with limit_no and limit_key. In a call that claims afterwards (tasker.hold_limits), adds the keys to the collected keys instead, because the claim may take their steps.$$;
