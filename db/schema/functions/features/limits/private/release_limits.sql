create or replace function tasker.release_limits()
  returns void
  language plpgsql
as $$
declare
  v_opened jsonb := current_setting('tasker.opened_limits');
  v_soon   timestamptz := tasker.write_clock() + interval '500 milliseconds';
begin
  perform set_config('tasker.opened_limits', '', true);
  if v_opened = '[]' then
    return;
  end if;

  -- Keys whose steps the claim has taken need no other worker. A line whose places are all taken needs no worker either:
  -- a note opens the line, or the end of the first lease does, which is later than the time when any sleeping worker
  -- wakes.
  select jsonb_agg(o.opened)
    into v_opened
    from jsonb_array_elements(v_opened) as o (opened)
   cross join lateral (select (o.opened ->> 'limit_no')::integer as limit_no, o.opened ->> 'limit_key' as limit_key) as k
   cross join lateral tasker.key_limit(k.limit_no, k.limit_key) as l
   where exists (
           select
             from tasker.step_queue as q
            where q.limit_no = k.limit_no
              and q.limit_key = k.limit_key
              and q.lane = 'limited'
           offset 0
         )
     and (
           exists (
             select
               from tasker.limit_notes as n
              where n.limit_no = k.limit_no
                and n.key_hash = hashtext(k.limit_key)
                and n.limit_key = k.limit_key
             offset 0
           )
        or exists (
             select
               from tasker.limit_lines as s
              where s.limit_no = k.limit_no
                and s.limit_key = k.limit_key
                and (s.next_at <= v_soon or s.version <> l.version or l.rate is not null)
             offset 0
           )
     );
  if v_opened is not null then
    perform tasker.announce_limits(v_opened);
  end if;
end;
$$;

comment on function tasker.release_limits is
$$Ends the collection that tasker.hold_limits began: announces the collected keys, except keys for which no other worker has anything to do.$$;
