create or replace function tasker.check_signal(p_name text, p_payload jsonb, p_idempotency_key text)
  returns void
  language plpgsql
  stable
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_limit integer := tasker.setting_integer('result_bytes');
begin
  if p_name is null or p_name !~ '^[a-zA-Z0-9][a-zA-Z0-9_.:-]{0,127}$' then
    raise exception using
      errcode = 'TK422',
      message = format('"%s" is no name of a signal', coalesce(left(p_name, 100), 'null')),
      hint    = 'A letter or digit, then at most 127 of these, underscores, dots, colons and hyphens.';
  elsif p_payload is null then
    raise exception using
      errcode = 'TK422',
      message = format('signal "%s" has no payload', p_name),
      hint    = 'Give {} if there is nothing to say.';
  elsif length(p_idempotency_key) = 0 then
    raise exception using
      errcode = 'TK422',
      message = format('the idempotency key of signal "%s" is empty', p_name),
      hint    = 'Give what makes two deliveries the same signal, such as the number of the webhook, or null.';
  end if;
  perform tasker.check_text_size('idempotency key', p_idempotency_key, 1000);
  if octet_length(p_payload::text) > v_limit then
    raise exception using
      errcode = 'TK413',
      message = format('the payload of signal "%s" is too large', p_name),
      detail  = format('It has %s bytes, the limit is %s.', octet_length(p_payload::text), v_limit),
      hint    = 'Store large data elsewhere and send a reference, or raise the setting "result_bytes".';
  end if;
  perform tasker.check_depth(format('payload of signal "%s"', p_name), p_payload);
end;
$$;

comment on function tasker.check_signal is
$$Raises TK422 for a signal without a valid name, without a payload, with an empty idempotency key, or with a payload nested deeper than 1,000 levels. Raises TK413 if the payload or the key is too large.$$;
