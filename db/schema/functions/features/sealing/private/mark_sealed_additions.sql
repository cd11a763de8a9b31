create or replace function tasker.mark_sealed_additions(p_task_uuid uuid, p_last integer)
  returns void
  language plpgsql
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_plain integer;
begin
  if not exists (
    select
      from tasker.tasks as t
      join tasker.named_tasks as k
        on k.named_task_uuid = t.named_task_uuid
     where t.task_uuid = p_task_uuid
       and k.configuration ? 'encrypted'
  ) then
    return;
  end if;
  update tasker.workflow_steps as s
     set effects = s.effects | 8192
   where s.task_uuid = p_task_uuid
     and s.step_no > p_last;
  select min(s.step_no)
    into v_plain
    from tasker.workflow_steps as s
   where s.task_uuid = p_task_uuid
     and s.step_no > p_last
     and s.inputs <> '{}'
     and not tasker.is_sealed(s.inputs);
  if v_plain is not null then
    perform tasker.refuse_plain(tasker.step_uuid(p_task_uuid, v_plain), 'initialization');
  end if;
end;
$$;

comment on function tasker.mark_sealed_additions is
$$Marks the steps that were added to a task whose payloads are encrypted, and raises TK422 if an added step has inputs in the clear. The caller holds the task's lock.$$;
