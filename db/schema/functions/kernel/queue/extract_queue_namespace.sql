create or replace function tasker.extract_queue_namespace(p_queue_name text)
  returns text
  language sql
  immutable
  parallel safe
begin atomic
  select case
    when p_queue_name ~ '^orchestration'
      then 'orchestration'
    when p_queue_name ~ '^worker_.*_queue(_high|_low)?$'
      then coalesce(substring(p_queue_name from '^worker_(.+?)_queue(?:_high|_low)?$'), 'worker')
    else coalesce(substring(p_queue_name from '^([a-zA-Z][a-zA-Z0-9_]*?)_queue(?:_high|_low)?$'), 'default')
  end;
end;

comment on function tasker.extract_queue_namespace is
$$Returns the namespace in a queue's name: "orchestration" for every name that begins with "orchestration", X for worker_X_queue and X_queue (also with the suffix _high or _low of a lane), otherwise "default".$$;

grant execute on function tasker.extract_queue_namespace
  to tasker_submitter, tasker_worker, tasker_orchestrator, tasker_operator, tasker_reader;
