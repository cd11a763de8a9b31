create or replace function tasker.check_items(p_stream text, p_items jsonb, p_bytes bigint, p_item_bytes bigint)
  returns void
  language plpgsql
  stable
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_largest bigint;
begin
  if jsonb_typeof(p_items) is distinct from 'array' or jsonb_array_length(p_items) not between 1 and 1000 then
    raise exception using
      errcode = 'TK422',
      message = format('the items of stream "%s" are no array of 1 to 1000 items', p_stream),
      hint    = 'Append the items as a JSON array, at most 1000 in a call.';
  elsif p_bytes > 1048576 then
    raise exception using
      errcode = 'TK413',
      message = format('the items of stream "%s" are too large for one call', p_stream),
      detail  = format('The items have %s bytes, the limit is %s.', p_bytes, 1048576),
      hint    = 'Append fewer items in a call.';
  end if;
  if p_bytes > p_item_bytes then
    select max(octet_length(i.item::text)) into v_largest from jsonb_array_elements(p_items) as i (item);
    if v_largest > p_item_bytes then
      raise exception using
        errcode = 'TK413',
        message = format('an item of stream "%s" is too large', p_stream),
        detail  = format('The item has %s bytes, the limit is %s.', v_largest, p_item_bytes),
        hint    = 'Store large data elsewhere and append a reference, or raise the setting "stream_item_bytes".';
    end if;
  end if;
  if p_bytes > 2000 and tasker.is_too_deep(p_items) then
    perform tasker.check_depth(format('stream "%s"', p_stream), p_items);
  end if;
end;
$$;

comment on function tasker.check_items is
$$Raises TK422 if p_items is not an array of 1 to 1,000 items, TK413 if an item or all items together are too large. p_bytes is the size of all items.$$;
