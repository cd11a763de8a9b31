create or replace function tasker.find_selected(p_kind text, p_filters jsonb, p_limit integer, p_before uuid default null)
  returns setof tasker.selected_objects
  language plpgsql
  stable
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_correlation uuid;
  v_longer      interval;
begin
  if p_kind = 'steps' then
    return query
    select s.step_uuid, s.task_uuid, s.namespace from tasker.list_incident_steps(p_filters ->> 'incident', p_before, p_limit) as s;
    return;
  elsif p_filters ? 'incident' then
    return query
    select s.task_uuid, s.task_uuid, min(s.namespace)
      from tasker.list_incident_steps(p_filters ->> 'incident', p_before, 10000) as s
     group by s.task_uuid
     order by s.task_uuid
     limit p_limit;
    return;
  elsif p_kind = 'dead_letters' then
    return query
    select d.dlq_entry_uuid, d.task_uuid, d.namespace_name
      from tasker.list_dlq_entries('pending', p_filters ->> 'reason', p_filters ->> 'namespace', null, p_before, p_limit) as d;
    return;
  end if;

  begin
    v_correlation := (p_filters ->> 'correlation_id')::uuid;
  exception
    when invalid_text_representation then
      raise exception using
        errcode = 'TK422',
        message = 'the filter "correlation_id" is not a UUID',
        hint    = 'Pass the correlation id of the tasks.';
  end;
  begin
    v_longer := (p_filters ->> 'longer_than')::interval;
  exception
    when invalid_datetime_format or datetime_field_overflow then
      raise exception using
        errcode = 'TK422',
        message = 'the filter "longer_than" is not a length of time',
        hint    = 'Pass an interval, such as 10 minutes.';
  end;
  return query
  select t.task_uuid, t.task_uuid, t.namespace
    from tasker.list_tasks(
      p_filters ->> 'namespace', p_filters ->> 'name', p_filters ->> 'version', p_filters ->> 'state',
      case when p_filters ? 'tags' then array(select jsonb_array_elements_text(p_filters -> 'tags')) end,
      v_correlation, tasker.filter_time(p_filters, 'requested_after'), tasker.filter_time(p_filters, 'requested_before'), p_before, p_limit,
      p_identity_key => p_filters ->> 'identity_key', p_initiator => p_filters ->> 'initiator', p_schedule => p_filters ->> 'schedule',
      p_handler => p_filters ->> 'handler', p_step => p_filters ->> 'step', p_error => p_filters ->> 'error',
      p_longer_than => v_longer,
      p_attributes => case when p_filters ? 'attributes' then array(select jsonb_array_elements_text(p_filters -> 'attributes')) end,
      p_where => p_filters ->> 'where'
    ) as t;
end;
$$;

comment on function tasker.find_selected is
$$Returns the entries that match the filters of a selection, from the function that lists such entries. The order is
newest first, but the steps of an incident are in the order of task and step number. The next page begins after
p_before.$$;
