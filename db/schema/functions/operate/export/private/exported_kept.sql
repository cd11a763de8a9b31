create or replace function tasker.exported_kept(p_step tasker.workflow_steps, p_payloads boolean, p_blank jsonb)
  returns jsonb
  language plpgsql
  stable
  set search_path = pg_catalog, pg_temp
as $$
begin
  if p_step.function_round is null then
    return null;
  end if;
  return jsonb_build_object(
    'round', p_step.function_round,
    'kept', coalesce(
      (
        select jsonb_agg(
            jsonb_build_object(
              'position', k.kept_no, 'name', k.name, 'occurrence', k.occurrence, 'kept_at', k.kept_at, 'failed', k.error is not null
            )
            || case when k.error is null then tasker.exported_value('value', k.value, p_payloads, p_blank)
              else tasker.exported_value('error', to_jsonb(k.error), p_payloads, '[]') end
            order by k.kept_no
          )
          from tasker.kept_results as k
         where k.task_uuid = p_step.task_uuid
           and k.step_no = p_step.step_no
      ),
      '[]'
    )
  ) || tasker.exported_value('state', p_step.function_state, p_payloads, p_blank);
end;
$$;

comment on function tasker.exported_kept is
$$Returns the results that the durable function of a step has kept in its present round, for an export. Returns null if
the step has no such function.$$;
