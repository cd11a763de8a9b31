create or replace function tasker.limit_states_of(p_limits integer[], p_keys text[], p_limit integer, p_now timestamptz)
  returns tasker.limit_states[]
  language plpgsql
as $$
begin
  return array(
    select (
        r.place, r.limit_no, r.limit_key, r.version, r.concurrency, r.running, r.interval_us, r.burst, r.ahead_us,
        greatest(0, least(
          p_limit, r.concurrency - r.running,
          case when r.interval_us is not null then (r.burst * r.interval_us - r.ahead_us) / r.interval_us end
        )),
        0, r.with_places
      )::tasker.limit_states
      from (
        select
          u.place, u.limit_no, u.limit_key, l.version, l.concurrency, l.with_places, i.interval_us, l.burst,
          q.running + case when l.with_places then (
            select coalesce(sum(h.held_units), 0)
              from tasker.limit_places as h
             where h.limit_no = u.limit_no
               and h.limit_key = u.limit_key
               and h.held_units > 0
          ) else 0 end as running,
          -- The rate is never ahead by more than the burst, even if the clock was put back.
          coalesce(greatest(0, least(
            (extract(epoch from coalesce(k.paid_until, p_now) - p_now) * 1000000)::bigint, l.burst * i.interval_us
          )), 0) as ahead_us
        from unnest(p_limits, p_keys) with ordinality as u (limit_no, limit_key, place)
        cross join lateral tasker.key_limit(u.limit_no, u.limit_key) as l
        cross join lateral (
          select k.paid_until
            from tasker.limit_keys as k
           where k.limit_no = u.limit_no
             and k.limit_key = u.limit_key
          offset 0
        ) as k
        cross join lateral (select ceil(l.per_seconds * 1000000.0 / l.rate)::bigint as interval_us) as i
        cross join lateral (
          select count(*) as running
            from (
              select
                from tasker.step_queue as q
               where q.limit_no = u.limit_no
                 and q.limit_key = u.limit_key
                 and q.lane = 'running'
               limit coalesce(l.concurrency, 0)
            ) as q
        ) as q
      ) as r
     order by r.place
  );
end;
$$;

comment on function tasker.limit_states_of is
$$Returns for each key the number of its running steps (counted only up to the concurrency), how far its rate is charged ahead, and how many steps may start, at most p_limit. The function is volatile, because the count must see all commits before the caller got the locks of the keys.$$;
