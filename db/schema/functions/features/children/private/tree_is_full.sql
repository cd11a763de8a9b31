create or replace function tasker.tree_is_full(p_root uuid, p_limit integer)
  returns boolean
  language plpgsql
  stable
as $$
begin
  return (
    with recursive tree (task_uuid) as (
      select p_root
      union all
      select u.task_uuid
        from tree as t
       cross join lateral (
         select s.child_task_uuid, s.child_task_uuids
           from tasker.workflow_steps as s
          where s.task_uuid = t.task_uuid
            and (s.child_task_uuid is not null or s.child_task_uuids is not null)
         offset 0
       ) as s
       cross join unnest(coalesce(s.child_task_uuids, array[s.child_task_uuid])) as u (task_uuid)
    )
    select count(*) > p_limit
      from (select from tree limit p_limit + 1) as t
  );
end;
$$;

comment on function tasker.tree_is_full is
$$Returns true if there are at least p_limit tasks below a root. Reads the steps of at most p_limit + 1 tasks.$$;
