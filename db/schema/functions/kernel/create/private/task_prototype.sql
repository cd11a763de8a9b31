create or replace function tasker.task_prototype(
  p_template               tasker.creation_templates,
  p_started                boolean,
  p_priority               integer,
  p_tags                   text[],
  p_initiator              text,
  p_source_system          text,
  p_reason                 text,
  p_correlation_id         uuid,
  p_parent_correlation_id  uuid,
  p_headers                jsonb,
  p_start_at               timestamptz,
  p_deadline               timestamptz
)
  returns tasker.tasks
  language plpgsql
  stable
as $$
declare
  v_now  timestamptz := tasker.clock();
  v_task tasker.tasks;
begin
  -- This is one expression, because each expression of a function is prepared again in every transaction.
  if (coalesce(p_priority, 0) between -1000 and 1000
      and coalesce(greatest(length(p_initiator), length(p_source_system), length(p_reason)) <= 1000, true)
      and p_tags is null and p_headers is null and p_start_at is null and p_deadline is null) is not true then
    perform tasker.check_task_arguments(
      p_priority, p_tags, p_initiator, p_source_system, p_reason, p_headers, p_start_at, p_deadline
    );
  end if;

  -- The columns of tasker.tasks, in their order.
  v_task := row(
    null, p_template.named_task_uuid, case when p_started then p_template.state else 'pending' end,
    p_started and p_template.complete, p_template.has_maps, coalesce(p_priority, 0), p_template.total_steps, p_template.total_steps,
    case when p_started then p_template.active_steps else 0 end, 0,
    case when p_started then p_template.suspended_steps else 0 end, 0,
    case when p_started then p_template.transition_count else 0 end,
    v_now, v_now, case when p_started then v_now end, case when p_started and p_template.complete then v_now end,
    p_deadline, null, p_correlation_id, p_parent_correlation_id, null, p_initiator,
    session_user, tasker.set_role(), p_source_system, p_reason, coalesce(p_tags, '{}'), coalesce(p_headers, '{}'), null,
    null, 0, p_template.undo,
    case when p_template.any_bound or tasker.is_scoped() then tasker.bound_namespaces() end,
    null
  )::tasker.tasks;
  return v_task;
end;
$$;

comment on function tasker.task_prototype is
$$Checks the arguments that the tasks of one call share and returns them as a row of tasker.tasks. Raises TK413 and TK422.$$;
