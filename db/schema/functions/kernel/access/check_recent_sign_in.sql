create or replace function tasker.check_recent_sign_in()
  returns boolean
  language plpgsql
  stable
  security definer
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_signed_in text    := nullif(current_setting('tasker.signed_in_at', true), '');
  v_seconds   integer;
begin
  -- Roles and tokens do not sign in.
  if v_signed_in is null then
    return false;
  end if;
  v_seconds := tasker.setting_integer('sign_in_again_seconds');
  if v_seconds > 0 and to_timestamp(v_signed_in::double precision) < tasker.clock() - make_interval(secs => v_seconds) then
    raise exception using
      errcode = 'TK428',
      message = 'this cannot be undone, and the sign-in is too old for it',
      detail  = format('The person signed in at %s.', to_char(to_timestamp(v_signed_in::double precision) at time zone 'UTC', 'YYYY-MM-DD HH24:MI "UTC"')),
      hint    = 'Sign in again, and repeat it.';
  end if;
  return true;
end;
$$;

comment on function tasker.check_recent_sign_in is
$$Returns true for a person who has signed in lately, false for roles and tokens, which do not sign in. Raises TK428 if
the caller is a person whose sign-in is older than the setting sign_in_again_seconds. Actions that cannot be undone call
this function, such as erasures and changes of many tasks at once.$$;

grant execute on function tasker.check_recent_sign_in to tasker_submitter, tasker_worker, tasker_orchestrator, tasker_operator, tasker_reader;
