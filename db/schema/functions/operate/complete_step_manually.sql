create or replace function tasker.complete_step_manually(
  p_step_uuid  uuid,
  p_results    jsonb,
  p_reason     text  default null,
  p_actor      text  default null
)
  returns boolean
  language plpgsql
  security definer
  set search_path = pg_catalog, pg_temp
as $$
begin
  return tasker.operate_on_step(
    p_step_uuid, 'CompleteManually',
    jsonb_strip_nulls(jsonb_build_object('reason', p_reason))
      || case when p_results is null then '{}' else jsonb_build_object('results', p_results) end,
    p_actor
  );
end;
$$;

comment on function tasker.complete_step_manually(uuid, jsonb, text, text) is
$$Completes a step with results that an operator gives; its children may run and find them. True if this call did it, false if it was complete before, however. A worker that still runs it is told already_complete.

p_reason and p_actor (null: the caller's role) go into the log. Locks the task, then the step. Raises TK404 if there is no such step, TK409 if it is cancelled or resolved, its result is being processed or its task has ended, TK413 if the results and the reason are too large.$$;

revoke all on function tasker.complete_step_manually(uuid, jsonb, text, text) from public;
grant execute on function tasker.complete_step_manually(uuid, jsonb, text, text) to tasker_orchestrator, tasker_operator;
