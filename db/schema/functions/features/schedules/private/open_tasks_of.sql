create or replace function tasker.open_tasks_of(p_task_uuids uuid[])
  returns uuid[]
  language plpgsql
  stable
as $$
begin
  return array(
    select u.task_uuid
      from unnest(p_task_uuids) with ordinality as u (task_uuid, no)
     cross join lateral (
       select t.complete
         from tasker.tasks as t
        where t.task_uuid = u.task_uuid
       offset 0
     ) as t
     where not t.complete
     order by u.no
  );
end;
$$;

comment on function tasker.open_tasks_of is
$$Returns those of the given tasks that are open, in the same order.$$;
