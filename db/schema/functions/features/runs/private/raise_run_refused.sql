create or replace function tasker.raise_run_refused(p_request tasker.task_requests, p_runs jsonb, p_key text, p_task_uuid uuid)
  returns void
  language plpgsql
as $$
begin
  raise exception using
    errcode = 'TK409',
    message = format('template "%s/%s" refuses a further task of key "%s"', p_request.namespace, p_request.name, left(p_key, 100)),
    detail  = format('At most %s at once; task %s has the place.', p_runs ->> 'max', p_task_uuid),
    hint    = 'Try again when that task has ended. tasker.list_runs() shows who runs and waits.';
end;
$$;

comment on function tasker.raise_run_refused is
$$Raises TK409, because all places of a key are taken and the template refuses further tasks.$$;
