create or replace function tasker.kept_problems(p_from uuid, p_to uuid)
  returns setof tasker.integrity_problems
  language plpgsql
  stable
  set search_path = pg_catalog, pg_temp
as $$
begin
  return query
  select k.task_uuid, k.step_no, null::integer, 'kept_results',
         case
           when s.task_uuid is null then 'has results of a step that does not exist'
           when s.function_round is null then 'has results of a step that has kept none'
           else format('has %s results up to position %s', k.results, k.last)
         end
    from (
      select k.task_uuid, k.step_no, count(*) as results, max(k.kept_no) as last
        from tasker.kept_results as k
       where k.task_uuid >= p_from
         and k.task_uuid < p_to
       group by k.task_uuid, k.step_no
    ) as k
    left join tasker.workflow_steps as s
      on s.task_uuid = k.task_uuid
     and s.step_no = k.step_no
   where s.function_round is null
      or k.results <> k.last
  union all
  select k.task_uuid, k.step_no, null, 'kept_results',
         format('counts "%s" at position %s as %s, not as %s', k.name, k.kept_no, k.occurrence, k.place)
    from (
      select k.task_uuid, k.step_no, k.kept_no, k.name, k.occurrence,
             row_number() over (partition by k.task_uuid, k.step_no, k.name order by k.kept_no) as place
        from tasker.kept_results as k
       where k.task_uuid >= p_from
         and k.task_uuid < p_to
    ) as k
   where k.occurrence <> k.place;
end;
$$;

comment on function tasker.kept_problems is
$$Finds the kept results that do not agree with their steps or with one another, for the tasks from p_from up to p_to.$$;
