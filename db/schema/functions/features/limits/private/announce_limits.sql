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
$$Wakes the workers of the limits whose keys this call has opened. A key is opened if it has a new step or may have a free place. p_opened is an array of objects with limit_no and limit_key. In a call that claims afterwards (tasker.hold_limits), wakes no worker but adds the keys to the collected keys, because the claim may take their steps.$$;
