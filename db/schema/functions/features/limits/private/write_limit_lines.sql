create or replace function tasker.write_limit_lines(p_states tasker.limit_states[], p_now timestamptz)
  returns void
  language plpgsql
as $$
begin
  -- Also write paid_until if the clock was put back or the burst was made smaller. Otherwise the key would stay closed
  -- until the old time.
  update tasker.limit_keys as k
     set paid_until = p_now + make_interval(secs => (s.ahead_us + s.taken * s.interval_us) / 1000000.0)
    from unnest(p_states) as s
   where k.limit_no = any (array[s.limit_no])
     and k.limit_key = any (array[s.limit_key])
     and s.interval_us is not null
     and (s.taken > 0 or k.paid_until > p_now + make_interval(secs => s.burst * s.interval_us / 1000000.0));

  delete from tasker.limit_lines as l
   using unnest(p_states) as s
   where l.limit_no = any (array[s.limit_no])
     and l.limit_key = any (array[s.limit_key])
     and not exists (
       select
         from tasker.step_queue as q
        where q.limit_no = l.limit_no
          and q.limit_key = l.limit_key
          and q.lane = 'limited'
          and q.named_step_uuid = l.named_step_uuid
       offset 0
     );

  update tasker.limit_lines as l
     set version = s.version,
         next_at = case
           when s.free > s.taken then greatest(
             -- The line has room. If it was just served, it goes to the end of the queue of lines.
             case when s.taken > 0 or l.next_at > p_now or l.version <> s.version then p_now else l.next_at end,
             (
               select min(w.visible_at)
                 from unnest('{high,normal,low}'::tasker.queue_lane[]) as d (lane)
                cross join lateral (
                  select q.visible_at
                    from tasker.step_queue as q
                   where q.limit_no = l.limit_no
                     and q.limit_key = l.limit_key
                     and q.lane = 'limited'
                     and q.named_step_uuid = l.named_step_uuid
                     and q.limit_lane = d.lane
                   order by q.visible_at
                   limit 1
                ) as w
             )
           )
           when s.running + s.taken >= s.concurrency then greatest(
             p_now + interval '1 second',
             coalesce((
               select min(q.visible_at)
                 from tasker.step_queue as q
                where q.limit_no = l.limit_no
                  and q.limit_key = l.limit_key
                  and q.lane = 'running'
             ), 'infinity')
           )
           when s.burst * s.interval_us < s.ahead_us + (s.taken + 1) * s.interval_us then
             p_now + make_interval(secs => (s.ahead_us + (s.taken + 1 - s.burst) * s.interval_us) / 1000000.0)
           else p_now
         end
    from unnest(p_states) as s
   where l.limit_no = any (array[s.limit_no])
     and l.limit_key = any (array[s.limit_key]);
end;
$$;

comment on function tasker.write_limit_lines is
$$Writes the changes of a claim to the keys that the claim holds: charges their rates, deletes empty lines, and writes when all other lines are due again.$$;
