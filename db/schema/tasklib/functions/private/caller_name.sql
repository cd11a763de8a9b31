create or replace function tasklib.caller_name()
  returns text
  language sql
  stable
begin atomic
  -- In a security definer function current_user is the owner of the function, and session_user ignores SET ROLE. Only the
  -- setting "role" shows the effect of SET ROLE.
  select coalesce(nullif(current_setting('role'), 'none'), session_user);
end;

comment on function tasklib.caller_name is
$$Returns the role that the caller acts as, even in a security definer function. The records of runs and actions name this role, and restrict_task restricts it. PostgreSQL inlines this function.$$;
