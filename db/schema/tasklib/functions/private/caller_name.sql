create or replace function tasklib.caller_name()
  returns text
  language sql
  stable
begin atomic
  -- In a security definer function current_user is its owner, and session_user ignores SET ROLE; only the setting
  -- reflects it.
  select coalesce(nullif(current_setting('role'), 'none'), session_user);
end;

comment on function tasklib.caller_name is
$$Returns the role that the caller acts as, even in a security definer function; for the audit, and for restrictions. It is inlined.$$;
