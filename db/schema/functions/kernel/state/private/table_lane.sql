create or replace function tasker.table_lane(p_lane tasker.queue_lane)
  returns tasker.queue_lane
  language sql
  immutable
  parallel safe
begin atomic
  select case p_lane
    when 'published_high' then 'high'::tasker.queue_lane
    when 'published_normal' then 'normal'::tasker.queue_lane
    when 'published_low' then 'low'::tasker.queue_lane
    else p_lane
  end;
end;

comment on function tasker.table_lane is
$$Returns the lane of a row that is not sent in a message of a broker. It is the inverse of tasker.published_lane. Returns other lanes unchanged.$$;
