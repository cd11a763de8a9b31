create or replace function tasker.published_lane(p_lane tasker.queue_lane)
  returns tasker.queue_lane
  language sql
  immutable
  parallel safe
begin atomic
  select case p_lane
    when 'high' then 'published_high'::tasker.queue_lane
    when 'low' then 'published_low'::tasker.queue_lane
    else 'published_normal'::tasker.queue_lane
  end;
end;

comment on function tasker.published_lane is
$$Returns the lane that rows of this lane have while a broker's message carries them.$$;
