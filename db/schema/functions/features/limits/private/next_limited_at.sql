create or replace function tasker.next_limited_at(p_namespaces text[])
  returns timestamptz
  language plpgsql
  stable
as $$
declare
  v_at timestamptz;
begin
  if (select c.limited_handlers = '{}' from tasker.settings_now as c) then
    return null;
  end if;

  select min(d.at)
    into v_at
    from tasker.limits as l
   cross join lateral (
     select h.named_step_uuid
       from tasker.limit_handlers as h
      where h.limit_no = l.limit_no
     offset 0
   ) as h
   cross join lateral (
     select case
       when exists (select from tasker.limit_notes as n where n.limit_no = l.limit_no)
         or exists (
           select
             from tasker.limit_lines as s
            where s.limit_no = l.limit_no
              and s.named_step_uuid = h.named_step_uuid
              and s.version < l.version
         )
         then tasker.clock()
       else (
         select min(s.next_at)
           from tasker.limit_lines as s
          where s.limit_no = l.limit_no
            and s.named_step_uuid = h.named_step_uuid
            and s.version = l.version
       )
     end as at
   ) as d
   where l.namespace = any (p_namespaces)
     and not exists (
       select
         from tasker.handler_pauses as p
        where p.namespace = l.namespace
          and p.named_step_uuid = h.named_step_uuid
       offset 0
     );
  return nullif(v_at, 'infinity');
end;
$$;

comment on function tasker.next_limited_at is
$$Returns the time when a claim in these namespaces should check limits next. Returns the present time if a line has room or a limit has notes. Otherwise returns the time when the next lease ends or the next rate allows a start. Returns null if no step waits.$$;
