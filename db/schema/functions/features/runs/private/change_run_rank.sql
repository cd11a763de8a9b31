create or replace function tasker.change_run_rank(p_task_uuid uuid, p_by integer)
  returns void
  language plpgsql
as $$
begin
  update tasker.runs as r
     set rank = r.rank + p_by
    from tasker.creation_plans as p
   where r.task_uuid = p_task_uuid
     and r.state = 'waiting'
     and p.named_task_uuid = r.named_task_uuid
     and p.runs ->> 'order' = 'priority';
end;
$$;

comment on function tasker.change_run_rank is
$$Changes the rank of a waiting task in the line of its key by p_by, if the line is ordered by priority. The caller holds the task's lock.$$;
