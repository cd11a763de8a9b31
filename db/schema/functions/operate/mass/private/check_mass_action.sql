create or replace function tasker.check_mass_action(
  p_kind            text,
  p_action          text,
  p_arguments       jsonb,
  p_per_minute      integer,
  p_stop_share      double precision,
  p_canary_seconds  integer
)
  returns void
  language plpgsql
  immutable
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_actions text[] := case p_kind
    when 'tasks' then '{reset,cancel,fork,resolve}'
    when 'steps' then '{retry,complete,resolve}'
    else '{requeue}'
  end;
  v_takes text[] := case p_action when 'fork' then '{version,from_step,cancel}' when 'complete' then '{results}' else '{}' end;
  v_wrong text;
begin
  if coalesce(p_action <> all (v_actions), true) then
    raise exception using
      errcode = 'TK422',
      message = format('a mass action on %s is not %s', replace(p_kind, '_', ' '), coalesce('"' || left(p_action, 40) || '"', 'null')),
      hint    = format('It is %s.', array_to_string(v_actions, ', '));
  end if;
  if jsonb_typeof(p_arguments) is distinct from 'object' then
    raise exception using
      errcode = 'TK422',
      message = 'the arguments of a mass action are not a JSON object',
      hint    = 'Pass an object, {} for none.';
  end if;
  select k.name into v_wrong from jsonb_object_keys(p_arguments) as k (name) where k.name <> all (v_takes) order by k.name limit 1;
  if v_wrong is not null then
    raise exception using
      errcode = 'TK422',
      message = format('%s has no argument "%s"', p_action, left(v_wrong, 60)),
      hint    = case when v_takes = '{}' then 'It takes none.' else format('It takes %s.', array_to_string(v_takes, ', ')) end;
  end if;
  if p_action = 'complete' and not p_arguments ? 'results' then
    raise exception using
      errcode = 'TK422',
      message = 'a completion by hand has no results',
      hint    = 'Pass {"results": …}: what the steps after these will read.';
  end if;
  if p_action = 'fork' and (
    jsonb_typeof(p_arguments -> 'version') <> 'string' or jsonb_typeof(p_arguments -> 'from_step') <> 'string' or jsonb_typeof(p_arguments -> 'cancel') <> 'boolean'
  ) then
    raise exception using
      errcode = 'TK422',
      message = 'the arguments of a fork have other types',
      hint    = 'version and from_step are texts, cancel is true or false.';
  end if;
  if not (p_per_minute is null or p_per_minute between 1 and 100000) or coalesce(p_stop_share not between 0 and 1, true)
     or coalesce(p_canary_seconds not between 1 and 86400, true) then
    raise exception using
      errcode = 'TK422',
      message = 'the rate, the stop rule or the wait of the canary is out of range',
      detail  = format(
        'They are %s a minute, a share of %s and %s seconds.', coalesce(p_per_minute::text, 'any'), coalesce(p_stop_share::text, 'null'),
        coalesce(p_canary_seconds::text, 'null')
      ),
      hint    = 'A rate is 1 to 100,000 a minute, a share 0 to 1, a wait 1 to 86,400 seconds.';
  end if;
  perform tasker.check_depth('arguments', p_arguments);
end;
$$;

comment on function tasker.check_mass_action is
$$Raises TK422 if the action does not apply to this kind of selection, if the action does not take these arguments, or
if a rate, stop rule or wait is out of range.$$;
