create or replace function tasker.handler_of(p_step jsonb)
  returns text
  language sql
  immutable
  parallel safe
begin atomic
  select coalesce(p_step ->> 'handler', case when p_step ? 'task' then 'tasker.task' else 'tasker.await' end);
end;

comment on function tasker.handler_of is
$$Returns the handler of a step in normal form. For a step that waits or starts a task, the handler is "tasker.await" or "tasker.task", which no worker registers.$$;
