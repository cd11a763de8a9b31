create or replace function tasker.raise_task_locked(p_uuid uuid)
  returns void
  language plpgsql
  stable
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_holder xid;
  v_table  oid;
begin
  select r.locker, r.relation
    into v_holder, v_table
    from (
      select t.xmax as locker, t.tableoid as relation from tasker.tasks as t where t.task_uuid = tasker.task_uuid_of(p_uuid)
      union all
      select s.xmax, s.tableoid from tasker.workflow_steps as s where s.task_uuid = tasker.task_uuid_of(p_uuid)
    ) as r
   order by exists (
     select from pg_locks as l where l.locktype = 'transactionid' and l.transactionid = r.locker and l.granted and l.pid <> pg_backend_pid()
   ) desc
   limit 1;
  raise exception using
    errcode = 'TK409',
    message = format('another session holds task %s', tasker.task_uuid_of(p_uuid)),
    detail  = tasker.describe_lock_holder(v_holder, v_table),
    hint    = 'Try again. If its transaction does not end, end the process with pg_terminate_backend(pid).';
end;
$$;

comment on function tasker.raise_task_locked is
$$Raises TK409 because a task or one of its steps could not be locked in time. The error names the process that holds it.$$;
