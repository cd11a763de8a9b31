create or replace function tasker.check_transition_metadata(p_metadata jsonb)
  returns void
  language plpgsql
  stable
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_key  text;
  v_size bigint;
begin
  if jsonb_typeof(p_metadata) <> 'object' then
    raise exception using
      errcode = 'TK422',
      message = 'the metadata of a transition is not a JSON object',
      detail  = format('It is of type %s.', jsonb_typeof(p_metadata)),
      hint    = 'Pass an object, {} for no metadata.';
  end if;

  if p_metadata ? 'execution_time_ms' and not coalesce(
    jsonb_typeof(p_metadata -> 'execution_time_ms') = 'number' and (p_metadata ->> 'execution_time_ms') ~ '^[0-9]{1,9}$', false
  ) then
    raise exception using
      errcode = 'TK422',
      message = '"execution_time_ms" of a transition is not a whole number of at most nine digits',
      detail  = format('It is %s.', left((p_metadata -> 'execution_time_ms')::text, 100)),
      hint    = 'Pass a JSON number, or omit it.';
  end if;

  if p_metadata ? 'backoff_seconds' and not coalesce(
    jsonb_typeof(p_metadata -> 'backoff_seconds') = 'number' and (p_metadata ->> 'backoff_seconds')::numeric between 0 and 999999999, false
  ) then
    raise exception using
      errcode = 'TK422',
      message = '"backoff_seconds" of a transition is not a number of seconds from 0 to 999999999',
      detail  = format('It is %s.', left((p_metadata -> 'backoff_seconds')::text, 100)),
      hint    = 'Pass a JSON number, such as 0.25, or omit it.';
  end if;

  foreach v_key in array array['event', 'reason', 'error'] loop
    if p_metadata ? v_key and jsonb_typeof(p_metadata -> v_key) <> 'string' then
      raise exception using
        errcode = 'TK422',
        message = format('"%s" of a transition is not a text', v_key),
        detail  = format('It is of type %s.', jsonb_typeof(p_metadata -> v_key)),
        hint    = 'Pass a JSON string, or omit it.';
    end if;
  end loop;

  perform tasker.check_text_size('reason', p_metadata ->> 'reason', 1000);
  perform tasker.check_text_size('error', p_metadata ->> 'error', 65536);

  foreach v_key in array array['worker_uuid', 'correlation_id'] loop
    if p_metadata ? v_key and not coalesce(
      jsonb_typeof(p_metadata -> v_key) = 'string'
        and (p_metadata ->> v_key) ~* '^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$', false
    ) then
      raise exception using
        errcode = 'TK422',
        message = format('"%s" of a transition is not a UUID', v_key),
        detail  = format('It is %s.', left((p_metadata -> v_key)::text, 100)),
        hint    = 'The audit attributes the result to it; by default to the processor and the task''s correlation id.';
    end if;
  end loop;

  v_size := octet_length(p_metadata::text);
  if v_size > tasker.setting_integer('result_bytes') then
    raise exception using
      errcode = 'TK413',
      message = format('results and metadata of %s bytes are too large', v_size),
      detail  = format('The limit is %s bytes.', tasker.setting('result_bytes')),
      hint    = 'Store large results elsewhere and pass a reference, or raise the setting "result_bytes".';
  end if;
  perform tasker.check_depth('metadata of the transition', p_metadata);
end;
$$;

comment on function tasker.check_transition_metadata is
$$Raises TK422 if the metadata of a transition, or a key in it that has a meaning, is malformed, and TK413 if the
metadata is too large.$$;
