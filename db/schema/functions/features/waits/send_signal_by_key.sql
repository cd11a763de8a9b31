create or replace function tasker.send_signal_by_key(
  p_namespace        text,
  p_task_name        text,
  p_identity_key     text,
  p_name             text,
  p_payload          jsonb    default '{}',
  p_idempotency_key  text     default null,
  p_start            boolean  default false,
  p_context          jsonb    default '{}',
  p_version          text     default null,
  p_priority         integer  default null,
  p_tags             text[]   default null,
  p_initiator        text     default null,
  p_headers          jsonb    default null,
  p_identity_scope   text     default null
)
  returns setof tasker.signal_answers
  language plpgsql
  security definer
  set search_path = pg_catalog, pg_temp
  set plan_cache_mode = force_generic_plan
  set enable_hashjoin = off
  set enable_mergejoin = off
  set enable_seqscan = off
  set jit = off
  set max_parallel_workers_per_gather = 0
  set lock_timeout = '5s'
as $$
declare
  v_task     uuid;
  v_open     boolean;
  v_request  tasker.task_requests;
  v_creation tasker.task_creations;
  v_answer   tasker.signal_answers;
begin
  p_payload := coalesce(p_payload, '{}');
  p_context := coalesce(p_context, '{}');
  perform tasker.check_bound_namespaces(array[p_namespace]);
  perform tasker.check_isolation();
  perform tasker.check_signal(p_name, p_payload, p_idempotency_key);
  if p_identity_scope not in ('forever', 'open') then
    raise exception using
      errcode = 'TK422',
      message = format('the identity scope of a task that a signal starts cannot be "%s"', left(p_identity_scope, 100)),
      hint    = 'It is forever or open; null is the scope with which the key''s last task was created.';
  end if;
  v_task := tasker.task_of_key(p_namespace, p_task_name, p_identity_key, p_version);

  if v_task is not null and coalesce(p_start, false) then
    v_open := coalesce(
      p_identity_scope = 'open',
      (select bool_or(i.while_open) from tasker.task_identities as i where i.task_uuid = v_task)
    );
    if v_open then
      v_answer := tasker.deliver_signal(v_task, p_name, p_payload, p_idempotency_key, false);
      if v_answer.answer <> 'ended' then
        return next v_answer;
        return;
      end if;
      v_task := null; -- The task has ended, perhaps just now, and its key is free.
    end if;
  end if;

  if v_task is null and coalesce(p_start, false) then
    begin
      v_request.namespace := p_namespace;
      v_request.name := p_task_name;
      v_request.contexts := array[p_context];
      v_request.version := p_version;
      v_request.identity_keys := array[p_identity_key];
      v_request.priority := p_priority;
      v_request.tags := p_tags;
      v_request.initiator := p_initiator;
      v_request.headers := p_headers;
      v_request.identity_scope := case when coalesce(v_open, p_identity_scope = 'open') then 'open' end;
      v_creation := (tasker.make_tasks(v_request))[1];
      v_task := v_creation.task_uuid;
    exception
      -- Another session has just created the task, with another context. The signal is for that task.
      when sqlstate 'TK409' then
        v_task := tasker.task_of_key(p_namespace, p_task_name, p_identity_key, p_version);
        -- A task with this context would have been found, so the conflict has another cause.
        if not exists (select from tasker.tasks as t where t.task_uuid = v_task and t.context <> p_context) then
          raise;
        end if;
    end;
  end if;
  if v_task is null then
    raise exception using
      errcode = 'TK404',
      message = format(
        'no task of template "%s/%s" has identity key "%s"', p_namespace, p_task_name, left(p_identity_key, 100)
      ),
      hint    = 'Create the task first, or give p_start => true: then the signal creates it.';
  end if;

  return next tasker.deliver_signal(v_task, p_name, p_payload, p_idempotency_key, coalesce(v_creation.created, false));
exception
  when lock_not_available then
    perform tasker.raise_task_locked(v_task);
end;
$$;

comment on function tasker.send_signal_by_key is
$$Sends a signal to the task that was created with this identity key, as tasker.send_signal does. With p_start, a task that does not exist is created first, with p_context, p_version, p_priority, p_tags, p_initiator and p_headers. So a webhook that comes before its task is not lost. These arguments are ignored if the task exists. With the identity scope "open", a task that has ended counts as absent, as for tasker.create_task, and the signal starts the key's next task. If the ended task already had the signal, its answer is repeated and no task starts. p_identity_scope is by default the scope of the key's last task.

The template's identity strategy must be caller_provided. Locks the identity if it creates the task, then the task, then the steps that change their state. Raises the errors of tasker.send_signal and, with p_start, of tasker.create_task. Raises TK404 if there is no such task and p_start is false, TK422 without a key or for a template with another identity strategy.$$;

grant execute on function tasker.send_signal_by_key to tasker_submitter, tasker_worker, tasker_orchestrator, tasker_operator;
