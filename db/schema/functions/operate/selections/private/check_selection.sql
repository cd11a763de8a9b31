create or replace function tasker.check_selection(p_kind text, p_filters jsonb, p_ids uuid[], p_limit integer)
  returns void
  language plpgsql
  immutable
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_takes text[] := case p_kind
    when 'tasks' then '{namespace,name,version,state,tags,correlation_id,requested_after,requested_before,incident,identity_key,initiator,schedule,handler,step,error,longer_than,attributes,where}'
    when 'steps' then '{incident}'
    when 'dead_letters' then '{namespace,reason,status}'
  end;
  v_wrong text;
begin
  if v_takes is null then
    raise exception using
      errcode = 'TK422',
      message = format('a selection has no kind %s', coalesce('"' || left(p_kind, 40) || '"', 'null')),
      hint    = 'Select tasks, steps or dead_letters.';
  end if;
  if coalesce(p_limit not between 1 and 10000, true) then
    raise exception using
      errcode = 'TK422',
      message = format('a selection of at most %s is not possible', coalesce(p_limit::text, 'null')),
      hint    = 'A selection has 1 to 10,000 entries.';
  end if;
  perform tasker.check_array_size('entries', coalesce(cardinality(p_ids), 0), 10000);
  if jsonb_typeof(p_filters) is distinct from 'object' then
    raise exception using
      errcode = 'TK422',
      message = 'the filters of a selection are not a JSON object',
      hint    = 'Pass an object, such as {"namespace": "shop", "state": "error"}.';
  end if;
  if (p_filters = '{}') = (coalesce(cardinality(p_ids), 0) = 0) then
    raise exception using
      errcode = 'TK422',
      message = case when p_filters = '{}' then 'a selection without a filter would select everything' else 'a selection has filters or names its entries, not both' end,
      hint    = format('Name the entries, or filter by %s.', array_to_string(v_takes, ', '));
  end if;
  perform tasker.check_text_size('filters', p_filters::text, 20000);

  select k.name into v_wrong from jsonb_object_keys(p_filters) as k (name) where k.name <> all (v_takes) order by k.name limit 1;
  if v_wrong is not null then
    raise exception using
      errcode = 'TK422',
      message = format('a selection of %s has no filter "%s"', replace(p_kind, '_', ' '), left(v_wrong, 60)),
      hint    = coalesce(format('Did you mean "%s"? ', tasker.nearest_name(left(v_wrong, 60), v_takes)), '')
        || format('The filters are %s.', array_to_string(v_takes, ', '));
  end if;
  if p_filters ->> 'status' <> 'pending' then
    raise exception using
      errcode = 'TK422',
      message = 'only open dead letters can be selected',
      hint    = 'The filter "status" is pending, or left out.';
  end if;
  if p_filters ? 'incident' and p_filters - 'incident' <> '{}' then
    raise exception using
      errcode = 'TK422',
      message = 'the filter "incident" goes with no other filter',
      hint    = 'Its steps, or their tasks, are the exact set that the incident concerns.';
  end if;
  select f.key
    into v_wrong
    from jsonb_each(p_filters) as f
   where jsonb_typeof(f.value) <> case when f.key in ('tags', 'attributes') then 'array' else 'string' end
      or f.key in ('tags', 'attributes') and jsonb_path_exists(f.value, '$[*] ? (@.type() <> "string")')
   order by f.key
   limit 1;
  if v_wrong is not null then
    raise exception using
      errcode = 'TK422',
      message = format('the filter "%s" is not %s', v_wrong, case when v_wrong = 'tags' then 'an array of texts' else 'a text' end),
      hint    = case when v_wrong = 'tags' then 'Pass an array, such as ["urgent"].' else 'Pass a JSON string.' end;
  end if;
end;
$$;

comment on function tasker.check_selection is
$$Raises TK422 for an unknown kind or filter, for a filter of another type, for neither or both of filters and entries,
or for a limit out of range, and TK413 for more than 10,000 entries.$$;
