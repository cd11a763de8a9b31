create or replace function tasker.check_task_arguments(
  p_priority       integer,
  p_tags           text[],
  p_initiator      text,
  p_source_system  text,
  p_reason         text,
  p_headers        jsonb,
  p_start_at       timestamptz,
  p_deadline       timestamptz
)
  returns void
  language plpgsql
  stable
as $$
begin
  if p_priority not between -1000 and 1000 then
    raise exception using
      errcode = 'TK422',
      message = format('priority %s is not between -1000 and 1000', p_priority),
      hint    = 'Higher priorities go first; null means 0.';
  elsif array_ndims(p_tags) > 1 or cardinality(p_tags) > 100
     or exists (select from unnest(p_tags) as u (tag) where u.tag is null or length(u.tag) not between 1 and 200) then
    raise exception using
      errcode = 'TK422',
      message = 'the tags of a task are at most 100 texts of 1 to 200 characters',
      hint    = 'Tags are for filtering; keep longer texts in the context.';
  elsif greatest(length(p_initiator), length(p_source_system), length(p_reason)) > 1000 then
    raise exception using
      errcode = 'TK422',
      message = 'initiator, source system or reason is longer than 1,000 characters',
      hint    = 'Keep long texts in the context.';
  elsif jsonb_typeof(p_headers) <> 'object' then
    raise exception using
      errcode = 'TK422',
      message = 'the headers of a task are not a JSON object',
      detail  = format('They are of type %s.', jsonb_typeof(p_headers)),
      hint    = 'Headers have names: {"traceparent": "…"}.';
  elsif octet_length(p_headers::text) > 16384 then
    raise exception using
      errcode = 'TK413',
      message = 'the headers of a task are larger than 16,384 bytes',
      hint    = 'Put large data into the context.';
  elsif tasker.is_too_deep(p_headers) then
    perform tasker.check_depth('text of the headers', p_headers);
  elsif p_deadline <= tasker.clock() or p_deadline <= p_start_at
     or p_deadline in ('infinity', '-infinity') or p_start_at in ('infinity', '-infinity') then
    raise exception using
      errcode = 'TK422',
      message = 'the deadline of a task is not after now and after its start',
      detail  = format('deadline %s, start %s', p_deadline, coalesce(p_start_at::text, 'now')),
      hint    = 'Both must be finite times, the deadline the later one.';
  end if;
end;
$$;

comment on function tasker.check_task_arguments is
$$Raises TK422 if an argument that the tasks of a call share is malformed, TK413 if the headers are too large.$$;
