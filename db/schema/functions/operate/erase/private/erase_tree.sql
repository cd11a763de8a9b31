create or replace function tasker.erase_tree(p_root_uuid uuid, p_children boolean, p_reason text, p_actor text, p_dry_run boolean)
  returns setof tasker.task_erasures
  language plpgsql
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_found   tasker.task_erasures[] := array(select d from tasker.describe_erasures(array[p_root_uuid], p_children) as d);
  v_uuids   uuid[] := array(select f.task_uuid from unnest(v_found) as f);
  v_locked  uuid[] := case when p_dry_run then v_uuids else tasker.lock_tasks(v_uuids) end;
  v_problem text;
  v_row     tasker.task_erasures;
begin
  -- Erase either all tasks of the tree or none, because a task that is not erased would keep the results of the tasks
  -- below it.
  for v_no in 1 .. cardinality(v_found) loop
    v_row := v_found[v_no];
    v_row.outcome := case when v_row.task_uuid = any (v_locked) then coalesce(tasker.erasure_problem(v_row.task_uuid), 'matched') else 'locked' end;
    v_found[v_no] := v_row;
    if v_row.outcome not in ('matched', 'already') then
      return next v_row;
      v_problem := v_row.outcome;
    end if;
  end loop;
  if v_problem is not null then
    return;
  end if;

  foreach v_row in array v_found loop
    if v_row.outcome = 'matched' and not p_dry_run then
      perform tasker.erase_locked_task(v_row.task_uuid, p_root_uuid, p_reason, p_actor);
      v_row.outcome := 'erased';
    end if;
    return next v_row;
  end loop;
end;
$$;

comment on function tasker.erase_tree is
$$Erases a task and, with p_children, the tasks below it: all of them, or none if one of them cannot be erased. In that
case it returns only the tasks that cannot be erased. Locks the tasks in the order of their UUIDs, without waiting for
locks.$$;
