create or replace function tasker.failure_inputs(p_task_uuid uuid, p_step_no integer, p_inputs jsonb, p_bytes bigint)
  returns jsonb
  language plpgsql
  stable
as $$
declare
  v_above    integer[] := tasker.step_ancestors(tasker.step_uuid(p_task_uuid, p_step_no));
  v_failures jsonb     := (
    select coalesce(jsonb_agg(f.failure order by f.place), '[]')
      from (
        select u.place, jsonb_build_object(
            'step', p.name, 'error', left(p.last_error, 1000), 'attempts', p.attempts, 'failed_at', p.last_failure_at
          ) as failure
          from unnest(tasker.taken_failures(p_task_uuid)) with ordinality as u (step_no, place)
         cross join lateral (
           select p.name, p.last_error, p.attempts, p.last_failure_at
             from tasker.workflow_steps as p
            where p.task_uuid = p_task_uuid
              and p.step_no = u.step_no
           offset 0
         ) as p
         where v_above[u.step_no] > 0
         order by u.place
         limit 100
      ) as f
  );
begin
  -- Keep the first failure even if it is too large. Without any failure the handler would assume that no step failed.
  if octet_length(v_failures::text) > p_bytes then
    v_failures := jsonb_build_array(v_failures -> 0);
  end if;
  return p_inputs || jsonb_build_object('failures', v_failures);
end;
$$;

comment on function tasker.failure_inputs is
$$Returns the inputs of a step that waits for a failure, with the field "failures" added. The field has at most 100 failures of steps above this step, the earliest failure first, each with step, error, attempts and failed_at. If all failures together have more than p_bytes bytes, only the first failure is returned. The array is empty if no step failed.$$;
