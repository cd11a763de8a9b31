create or replace function tasker.task_prototype(
  p_named_task_uuid        uuid,
  p_started                boolean,
  p_steps                  integer,
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
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_task tasker.tasks;
begin
  v_task.named_task_uuid       := p_named_task_uuid;
  v_task.state                 := case when not p_started then 'pending' when p_steps = 0 then 'complete' else 'steps_in_process' end;
  v_task.transition_count      := case when not p_started then 0 when p_steps = 0 then 2 else 3 end;
  v_task.started_at            := case when p_started then tasker.clock() end;
  v_task.completed_at          := case when p_started and p_steps = 0 then tasker.clock() end;
  v_task.priority              := coalesce(p_priority, 0);
  v_task.tags                  := coalesce(p_tags, '{}');
  v_task.initiator             := p_initiator;
  v_task.source_system         := p_source_system;
  v_task.reason                := p_reason;
  v_task.correlation_id        := p_correlation_id;
  v_task.parent_correlation_id := p_parent_correlation_id;
  v_task.headers               := coalesce(p_headers, '{}');
  v_task.deadline              := p_deadline;

  if v_task.priority not between -1000 and 1000 then
    raise exception using
      errcode = 'TK422',
      message = format('priority %s is not between -1000 and 1000', v_task.priority);
  elsif array_position(v_task.tags, null) is not null or cardinality(v_task.tags) > 100
     or exists (select from unnest(v_task.tags) as u (tag) where length(u.tag) not between 1 and 200) then
    raise exception using
      errcode = 'TK422',
      message = 'the tags of a task are at most 100 texts of 1 to 200 characters';
  elsif greatest(length(p_initiator), length(p_source_system), length(p_reason)) > 1000 then
    raise exception using
      errcode = 'TK422',
      message = 'initiator, source system or reason is longer than 1,000 characters';
  elsif jsonb_typeof(v_task.headers) <> 'object' then
    raise exception using
      errcode = 'TK422',
      message = 'the headers of a task are not a JSON object',
      detail  = format('They are of type %s.', jsonb_typeof(v_task.headers));
  elsif octet_length(v_task.headers::text) > 16384 then
    raise exception using
      errcode = 'TK413',
      message = 'the headers of a task are larger than 16,384 bytes';
  elsif p_deadline <= tasker.clock() or p_deadline <= p_start_at
     or p_deadline in ('infinity', '-infinity') or p_start_at in ('infinity', '-infinity') then
    raise exception using
      errcode = 'TK422',
      message = 'the deadline of a task is not after now and after its start',
      detail  = format('deadline %s, start %s', p_deadline, coalesce(p_start_at::text, 'now'));
  end if;
  return v_task;
end;
$$;

comment on function tasker.task_prototype(
  uuid, boolean, integer, integer, text[], text, text, text, uuid, uuid, jsonb, timestamptz, timestamptz
) is
$$What the tasks of one call have in common, checked. Raises TK413 and TK422.$$;

revoke all on function tasker.task_prototype(
  uuid, boolean, integer, integer, text[], text, text, text, uuid, uuid, jsonb, timestamptz, timestamptz
) from public;
