create or replace function tasker.task_reopened(p_task_uuid uuid)
  returns void
  language plpgsql
as $$
declare
  v_ok text; -- an assignment needs no executor
begin
  v_ok := tasker.reenter_run(p_task_uuid);
end;
$$;

comment on function tasker.task_reopened is
$$Door: a task of a template that bounds its runs had ended and is open again. The caller holds its lock.$$;
