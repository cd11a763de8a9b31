create or replace function tasker.check_event(p_name text, p_key text, p_payload jsonb, p_idempotency_key text)
  returns void
  language plpgsql
  stable
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_limit integer := tasker.setting_integer('event_bytes');
begin
  if p_name is null or p_name !~ '^[a-zA-Z0-9][a-zA-Z0-9_.:-]{0,127}$' then
    raise exception using
      errcode = 'TK422',
      message = format('"%s" is no name of an event', coalesce(left(p_name, 100), 'null')),
      hint    = 'A letter or digit, then at most 127 of these, underscores, dots, colons and hyphens.';
  elsif p_payload is null then
    raise exception using
      errcode = 'TK422',
      message = format('event "%s" has no payload', p_name),
      hint    = 'Give {} if there is nothing to say.';
  elsif p_key ~ '^\$([.\[]|$)' then
    raise exception using
      errcode = 'TK422',
      message = format('the key "%s" of event "%s" is a path', left(p_key, 100), p_name),
      detail  = 'A path of the context, such as $.order, belongs to the steps that wait; an event has the value that the path leads to.',
      hint    = 'Give the key itself, such as the number of the order.';
  elsif length(p_idempotency_key) = 0 then
    raise exception using
      errcode = 'TK422',
      message = format('the idempotency key of event "%s" is empty', p_name),
      hint    = 'Give what makes two calls the same event, such as the number of the webhook, or null.';
  end if;
  perform tasker.check_text_size('key of an event', p_key, 500);
  perform tasker.check_text_size('idempotency key', p_idempotency_key, 500);
  if octet_length(p_payload::text) > v_limit then
    raise exception using
      errcode = 'TK413',
      message = format('the payload of event "%s" is too large', p_name),
      detail  = format('It has %s bytes, the limit is %s.', octet_length(p_payload::text), v_limit),
      hint    = 'Each step that takes the event gets a copy: store large data elsewhere and send a reference, or raise the setting "event_bytes".';
  end if;
  perform tasker.check_depth(format('payload of event "%s"', p_name), p_payload);
end;
$$;

comment on function tasker.check_event is
$$Raises TK422 for an event without a name or payload, with a path as its key, with an empty idempotency key, or with a payload nested deeper than 1,000 levels. Raises TK413 if the payload or a key is too large.$$;
