create or replace function tasker.normal_wait(p_wait jsonb)
  returns jsonb
  language plpgsql
  immutable
as $$
begin
  return tasker.await_of(tasker.normal_step(p_wait, '[]', null));
end;
$$;

comment on function tasker.normal_wait is
$$Returns a valid wait in the form in which a step's row keeps it.$$;
