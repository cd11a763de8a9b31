create or replace function tasker.admit_child_run(p_template tasker.creation_templates, p_request tasker.task_requests)
  returns void
  language plpgsql
as $$
declare
  v_run    tasker.runs;
  v_places jsonb;
begin
  v_run.namespace := p_request.namespace;
  v_run.name := p_request.name;
  v_run.run_key := tasker.limit_key_of((p_template.runs ->> 'key')::jsonpath, p_request.contexts[1], '{}');
  v_places := tasker.lock_free_runs(v_run, p_template.runs, array[v_run.run_key], false);
  if (v_places #>> array[v_run.run_key, 'free'])::integer <= 0 then
    -- A step waits for a task of its own, so an existing task cannot replace it.
    perform tasker.raise_run_refused(p_request, p_template.runs, v_run.run_key, (v_places #>> array[v_run.run_key, 'task'])::uuid);
  end if;
end;
$$;

comment on function tasker.admit_child_run is
$$Raises TK409 if a template that skips or refuses further tasks has no free place for a task that a step starts. Does not wait for the key: raises TK409 if another transaction has locked it.$$;
