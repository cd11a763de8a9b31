create or replace function tasker.check_creation_policy(
  p_identity_key              text,
  p_start_at                  timestamptz,
  p_deferred                  boolean,
  p_identity_ttl              interval,
  p_identity_scope            text,
  p_debounce_seconds          integer,
  p_debounce_longest_seconds  integer,
  p_throttle_limit            integer,
  p_throttle_seconds          integer,
  p_throttle_key              text
)
  returns void
  language plpgsql
  immutable
as $$
begin
  perform tasker.check_text_size('throttle''s key', p_throttle_key, 1000);
  if p_identity_scope not in ('forever', 'open', 'period') or (p_identity_scope = 'period') <> (p_identity_ttl is not null) then
    raise exception using
      errcode = 'TK422',
      message = format('the identity scope of a task cannot be "%s"%s', left(p_identity_scope, 100), case when p_identity_ttl is null then '' else ' with a time to live' end),
      hint    = 'It is forever, open, or period with p_identity_ttl.';
  elsif p_debounce_longest_seconds is not null and p_debounce_seconds is null
     or p_debounce_seconds not between 1 and 31536000
     or p_debounce_longest_seconds not between p_debounce_seconds and 31536000 then
    raise exception using
      errcode = 'TK422',
      message = 'a task cannot be debounced like this',
      detail  = format('%s seconds, %s at the longest', coalesce(p_debounce_seconds::text, 'no'), coalesce(p_debounce_longest_seconds::text, 'any time')),
      hint    = 'Give p_debounce_seconds from 1 second to a year, and the longest wait not below that.';
  elsif p_debounce_seconds is not null
    and (length(p_identity_key) between 1 and 1000 and num_nonnulls(p_start_at, p_identity_ttl, p_identity_scope) = 0 and p_deferred is not true) is not true then
    raise exception using
      errcode = 'TK422',
      message = 'a debounced task needs an identity key, and no start or identity scope of its own',
      hint    = 'Give p_identity_key: requests of the same key replace each other until the task starts.';
  elsif num_nonnulls(p_throttle_limit, p_throttle_seconds) = 1 or p_throttle_key is not null and p_throttle_limit is null
     or p_throttle_limit not between 1 and 1000000
     or p_throttle_seconds not between 1 and 31536000 then
    raise exception using
      errcode = 'TK422',
      message = 'the creation of tasks cannot be throttled like this',
      detail  = format('%s tasks in %s seconds', coalesce(p_throttle_limit::text, 'no'), coalesce(p_throttle_seconds::text, 'no')),
      hint    = 'Give both: p_throttle_limit from 1 to 1,000,000 tasks in p_throttle_seconds from 1 second to a year.';
  end if;
end;
$$;

comment on function tasker.check_creation_policy is
$$Raises TK422 if the policies of a request for a task are malformed or do not fit each other, TK413 for a throttle's key that is too long.$$;
