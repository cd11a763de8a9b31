create or replace function tasker.check_events(p_names text[], p_keys text[], p_payloads jsonb[], p_idempotency_keys text[])
  returns void
  language plpgsql
  stable
  set search_path = pg_catalog, pg_temp
as $$
begin
  if p_names is null or greatest(array_ndims(p_names), array_ndims(p_keys), array_ndims(p_payloads), array_ndims(p_idempotency_keys)) > 1
     or cardinality(p_keys) <> cardinality(p_names)
     or cardinality(p_payloads) <> cardinality(p_names)
     or cardinality(p_idempotency_keys) <> cardinality(p_names) then
    raise exception using
      errcode = 'TK422',
      message = 'names, keys, payloads and idempotency keys of the events do not match',
      detail  = format(
        '%s names, %s keys, %s payloads, %s idempotency keys', coalesce(cardinality(p_names)::text, 'null'),
        coalesce(cardinality(p_keys)::text, 'no'), coalesce(cardinality(p_payloads)::text, 'no'),
        coalesce(cardinality(p_idempotency_keys)::text, 'no')
      ),
      hint    = 'Pass an array of names. If you pass keys, payloads or idempotency keys, pass one for each name.';
  end if;
  if cardinality(p_names) > 10000 then
    raise exception using
      errcode = 'TK413',
      message = format('%s events are too many for one call', cardinality(p_names)),
      hint    = 'Emit at most 10,000 events in a call.';
  end if;
  perform tasker.check_event(u.name, u.key, coalesce(u.payload, '{}'), u.idempotency_key)
     from unnest(p_names, p_keys, p_payloads, p_idempotency_keys) as u (name, key, payload, idempotency_key);
end;
$$;

comment on function tasker.check_events is
$$Raises TK422 for arrays of different lengths, TK413 for more than 10,000 events, and the errors of check_event for each event.$$;
