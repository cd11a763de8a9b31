create or replace function tasklib.recover_dead(
  p_names  text[]   default null,
  p_limit  integer  default 1000
)
  returns integer
  language plpgsql
  security definer
  set search_path = pg_catalog, pg_temp
as $$
begin
  p_limit := coalesce(p_limit, 1000);
  if p_limit between 1 and 100000 is not true then
    raise exception using
      errcode = 'TK422',
      message = format('the limit is %s; it must be between 1 and 100,000', coalesce(p_limit::text, 'null')),
      hint    = 'One call recovers 1 to 100,000 tasks of each name.';
  end if;
  return tasklib.expire_locks(
    coalesce(p_names, array(select r.name from tasklib.registered_tasks as r order by r.name)), tasklib.clock(), p_limit
  );
end;
$$;

comment on function tasklib.recover_dead is
$$Takes tasks of these names (null means all names) from workers whose lock has ended, at most p_limit tasks of each name, and returns how many. A task becomes pending and runs again from the beginning, which counts as a retry. If its retries are used up, the task becomes failed.

A claim does the same for the names that it claims. This function is for names that no worker claims. Locks the tasks without waiting. Raises TK422 if the limit is out of bounds.$$;

grant execute on function tasklib.recover_dead to tasklib_worker, tasklib_operator;
