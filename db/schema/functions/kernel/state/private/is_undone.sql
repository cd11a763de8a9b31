create or replace function tasker.is_undone(p_undo jsonb)
  returns boolean
  language sql
  immutable
  parallel safe
begin atomic
  select coalesce(p_undo ->> 'phase' in ('drain', 'undo'), false);
end;

comment on function tasker.is_undone is
$$Returns whether a task is being undone. Such a task ends when its steps in progress have ended and its compensations are done.$$;
