create or replace function tasker.make_room(
  p_head       tasker.step_streams,
  p_count      bigint,
  p_bytes      bigint,
  p_max_items  bigint,
  p_max_bytes  bigint
)
  returns void
  language plpgsql
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_first bigint;
  v_bytes bigint;
begin
  if p_head.last_no - p_head.first_no + 1 + p_count <= p_max_items and p_head.bytes + p_bytes <= p_max_bytes then
    return;
  elsif p_head.name <> 'log' then
    raise exception using
      errcode = 'TK413',
      message = format('stream "%s" of step %s is full', p_head.name, tasker.step_uuid(p_head.task_uuid, p_head.step_no)),
      detail  = format(
        'It has %s items of %s bytes, the limits are %s items and %s bytes.',
        p_head.last_no - p_head.first_no + 1, p_head.bytes, p_max_items, p_max_bytes
      ),
      hint    = 'Append less, or raise the settings "stream_items" and "stream_bytes". Only the stream "log" loses its oldest items.';
  end if;

  -- Cut down to three quarters of the limits, so that only few calls have to cut.
  select coalesce(max(b.last_no) filter (where not b.stays), p_head.first_no - 1) + 1, coalesce(sum(b.bytes) filter (where b.stays), 0)
    into v_first, v_bytes
    from (
      select i.last_no, i.bytes,
             p_head.last_no - i.first_no + 1 + p_count <= least(p_max_items, p_max_items * 3 / 4 + p_count)
             and sum(i.bytes) over (order by i.last_no desc) + p_bytes <= least(p_max_bytes, p_max_bytes * 3 / 4 + p_bytes) as stays
        from (
          select i.first_no, i.last_no, octet_length(i.items::text) as bytes
            from tasker.stream_items as i
           where i.task_uuid = p_head.task_uuid
             and i.step_no = p_head.step_no
             and i.name = p_head.name
        ) as i
    ) as b;
  perform set_config('tasker.forgets', 'on', true);
  delete from tasker.stream_items as i
   where i.task_uuid = p_head.task_uuid
     and i.step_no = p_head.step_no
     and i.name = p_head.name
     and i.last_no < v_first;
  perform set_config('tasker.forgets', '', true);
  update tasker.step_streams as h
     set first_no = v_first,
         bytes    = v_bytes
   where h.task_uuid = p_head.task_uuid
     and h.step_no = p_head.step_no
     and h.name = p_head.name;
end;
$$;

comment on function tasker.make_room is
$$Deletes the oldest items of the stream "log" if p_count further items of p_bytes would exceed the limits of the stream. Raises TK413 if they would exceed the limits of any other stream. The caller holds the lock of the stream's row.$$;
