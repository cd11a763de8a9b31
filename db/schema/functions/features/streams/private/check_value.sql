create or replace function tasker.check_value(p_name text, p_value jsonb)
  returns void
  language plpgsql
  stable
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_bytes bigint := octet_length(p_value::text);
begin
  if v_bytes is null then
    raise exception using
      errcode = 'TK422',
      message = format('the value "%s" is null', p_name),
      hint    = 'Pass the JSON null for no value.';
  elsif v_bytes > tasker.setting_integer('stream_item_bytes') then
    raise exception using
      errcode = 'TK413',
      message = format('the value "%s" is too large', p_name),
      detail  = format('The value has %s bytes, the limit is %s.', v_bytes, tasker.setting('stream_item_bytes')),
      hint    = 'Store large data elsewhere and set a reference, or raise the setting "stream_item_bytes".';
  elsif p_name = 'progress' and (
    jsonb_typeof(p_value) = 'object' and jsonb_typeof(p_value -> 'done') = 'number'
    and p_value @@ '$.done >= 0 && $.done <= 1' and coalesce(jsonb_typeof(p_value -> 'text'), 'string') = 'string'
  ) is not true then
    raise exception using
      errcode = 'TK422',
      message = 'the value "progress" is no progress',
      detail  = left(p_value::text, 200),
      hint    = 'Set {"done": 0.4, "text": "what is being done"}: a number from 0 to 1 and, if you like, a text.';
  end if;
  if v_bytes > 2000 then
    perform tasker.check_depth(format('value "%s"', p_name), p_value);
  end if;
end;
$$;

comment on function tasker.check_value is
$$Raises TK422 if the value is null, or if the value "progress" does not have a number from 0 to 1, TK413 if the value is larger than the setting "stream_item_bytes".$$;
