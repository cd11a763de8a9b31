create or replace function tasker.postpone_notes(p_notes tasker.timers[])
  returns void
  language plpgsql
as $$
begin
  if cardinality(p_notes) > 0 then
    insert into tasker.timers (task_uuid, step_no, kind, due_at, namespace)
    select n.task_uuid, n.step_no, n.kind, n.due_at, n.namespace
      from unnest(p_notes) as n
    on conflict (task_uuid, step_no, kind) do nothing;
  end if;
end;
$$;

comment on function tasker.postpone_notes is
$$Writes notes again that could not be fired, with the time of the next try. The caller has deleted these notes and holds the locks of the tasks that wrote them.$$;
