create or replace function tasker.explain_kept(p_task_uuid uuid, p_step_no integer)
  returns text
  language plpgsql
  stable
as $$
begin
  return (
    select case k.kept_no
        when 1 then format(' Its function has kept one result, as "%s".', k.name)
        else format(' Its function has kept %s results, the last one as "%s".', k.kept_no, k.name)
      end
      from tasker.kept_results as k
     where k.task_uuid = p_task_uuid
       and k.step_no = p_step_no
     order by k.kept_no desc
     limit 1
  );
end;
$$;

comment on function tasker.explain_kept is
$$Returns a sentence with the number of kept results of a step's function and the name of the last result. Returns null if no result is kept.$$;
