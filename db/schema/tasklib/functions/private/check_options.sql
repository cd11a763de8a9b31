create or replace function tasklib.check_options(p_name text, p_options jsonb)
  returns void
  language plpgsql
  immutable
as $$
declare
  v_known  constant text[] := array[
    'description', 'max_retries', 'timeout_seconds', 'base_retry_delay_seconds', 'retry_backoff_multiplier',
    'completed_ttl_seconds', 'failed_ttl_seconds', 'concurrency_limit', 'rate_limit', 'rate_period_seconds',
    'breaker_failures', 'breaker_seconds', 'key_concurrency_limit', 'key_rate_limit', 'key_rate_period_seconds'
  ];
  v_option text;
begin
  if p_name ~ '^[A-Za-z_][A-Za-z0-9_.:/-]{0,99}$' is not true then
    raise exception using
      errcode = 'TK422',
      message = format('"%s" is not a valid task name', left(p_name, 200)),
      hint    = 'A name is 1 to 100 letters, digits and _ . : / -, and begins with a letter or _.';
  end if;
  if jsonb_typeof(p_options) = 'object' is not true then
    raise exception using
      errcode = 'TK422',
      message = format('the options of task "%s" are not a JSON object', left(p_name, 100)),
      hint    = 'Pass an object of options, {} for the defaults.';
  end if;
  select o.option
    into v_option
    from jsonb_object_keys(p_options) as o (option)
   where o.option <> all (v_known)
   limit 1;
  if found then
    raise exception using
      errcode = 'TK422',
      message = format('task "%s" has no option "%s"', p_name, left(v_option, 100)),
      hint    = format('The options are %s.', array_to_string(v_known, ', '));
  end if;
  if jsonb_typeof(p_options -> 'description') not in ('string', 'null') then
    raise exception using
      errcode = 'TK422',
      message = format('the description of task "%s" is not a text', left(p_name, 100)),
      hint    = 'Pass a JSON string, or omit it.';
  end if;
end;
$$;

comment on function tasklib.check_options is
$$Raises TK422 if the name of a task is not valid, or if its options have an unknown name or a description that is not a text.$$;
