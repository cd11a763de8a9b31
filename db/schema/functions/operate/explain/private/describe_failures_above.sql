create or replace function tasker.describe_failures_above(p_step_uuid uuid)
  returns jsonb
  language plpgsql
  stable
as $$
begin
  return (
    select jsonb_build_object(
        'count', count(*),
        'steps', coalesce(jsonb_agg(
          jsonb_build_object(
            'step_uuid', f.workflow_step_uuid, 'name', f.name, 'distance', f.distance, 'error', left(f.last_error, 1000)
          ) order by f.place
        ) filter (where f.place <= 100), '[]')
      )
      from (
        select o.workflow_step_uuid, o.name, o.last_error, a.distance,
               row_number() over (order by a.distance, o.step_no) as place
          from unnest(tasker.step_ancestors(p_step_uuid)) with ordinality as a (distance, step_no)
         cross join lateral (
           select o.*
             from tasker.workflow_steps as o
            where o.task_uuid = tasker.task_uuid_of(p_step_uuid)
              and o.step_no = a.step_no
           offset 0
         ) as o
         where a.distance > 0
           and o.state = 'error'
      ) as f
  );
end;
$$;

comment on function tasker.describe_failures_above is
$$Returns how many steps above a step have failed for good, and the nearest hundred of these steps.$$;
