create or replace function tasker.exchange(p_request jsonb)
  returns json
  language plpgsql
  security definer
  set search_path = pg_catalog, pg_temp
  set jit = off
as $$
declare
  v_call    record;
  v_results record;
  v_answer  json; -- the answer is only sent, and writing json costs a quarter of writing jsonb
  v_apart   boolean; -- whether the reply has the contexts in a separate field
begin
  -- The block only reads, so it uses no subtransaction number.
  begin
    if p_request - '{worker_uuid,request_uuid,namespaces,handlers,limit,lease_seconds,ahead,waiting,results,known_tasks}'::text[]
       is distinct from '{}' then
      raise invalid_parameter_value using message = 'it is not an object, or has an unknown field';
    end if;
    select r.*
      into v_call
      from jsonb_to_record(p_request) as r (
        worker_uuid uuid, request_uuid uuid, namespaces text[], handlers text[], "limit" integer, lease_seconds integer,
        ahead integer, waiting uuid[], results jsonb, known_tasks jsonb
      );
    select
      array_agg(r.step_uuid) as steps,
      array_agg(r.claim_no) as claims,
      array_agg(case when r.error is null then r.result end) as results,
      array_agg(r.error) as errors,
      array_agg(r.permanent) as permanent,
      array_agg(r.backoff_seconds) as backoffs,
      array_agg(greatest(r.execution_time_ms, 0)) as times,
      coalesce(bool_or(r.error = ''), false) as mute,
      coalesce(bool_or(
        u.result - '{step_uuid,claim_no,result,error,permanent,backoff_seconds,execution_time_ms}'::text[] <> '{}'
      ), false) as odd
      into v_results
      from jsonb_array_elements(coalesce(v_call.results, '[]')) as u (result)
     cross join lateral jsonb_to_record(u.result) as r (
        step_uuid uuid, claim_no integer, result jsonb, error text, permanent boolean, backoff_seconds double precision,
        execution_time_ms bigint
      );
    v_apart := v_call.known_tasks is not null;
    if v_results.mute then
      raise invalid_parameter_value using message = 'the error of a failed step is empty';
    elsif v_results.odd then
      raise invalid_parameter_value using message = 'a result has an unknown field';
    elsif v_apart and jsonb_typeof(v_call.known_tasks) <> 'array' then
      raise invalid_parameter_value using message = 'known_tasks is not an array';
    end if;
  exception
    when data_exception then
      perform tasker.refuse_request('exchange', sqlerrm);
  end;

  select case
      when v_apart then json_build_object('answers', x.answers, 'claimed', x.claimed, 'contexts', x.contexts)
      else json_build_object('answers', x.answers, 'claimed', x.claimed)
    end
    into v_answer
    from (
      select
        coalesce(json_agg(a) filter (where e.answer is not null), '[]') as answers,
        coalesce(json_agg(c) filter (where e.answer is null), '[]') as claimed,
        case when v_apart then coalesce(jsonb_object_agg(e.task_uuid, e.context)
          filter (where e.context is not null and not v_call.known_tasks ? e.task_uuid::text), '{}'
        ) end as contexts
        from tasker.exchange_steps(
          v_call.worker_uuid, v_results.steps, v_results.claims, v_results.results, v_results.errors, v_results.permanent,
          v_results.backoffs, v_results.times, v_call.namespaces, coalesce(v_call."limit", 0), v_call.lease_seconds, v_call.handlers,
          v_call.request_uuid, coalesce(v_call.ahead, 0), v_call.waiting
        ) as e
       cross join lateral (select e.step_uuid, e.claim_no, e.answer, e.next_retry_at) as a
       cross join lateral (
        select
          e.step_uuid, e.claim_no, e.task_uuid, e.step_no, e.namespace, e.task_name, e.task_version, e.name, e.handler,
          e.attempt, e.max_attempts, e.lost_count, e.priority, e.lease_until, e.timeout_seconds,
          e.correlation_id, e.parent_correlation_id, e.headers, e.inputs, e.checkpoint, e.last_error,
          case when not v_apart then e.context end as context, e.parent_results, e.kept
      ) as c
    ) as x;
  return v_answer;
end;
$$;

comment on function tasker.exchange is
$$Records results and claims new steps, as exchange_steps does. The request and the reply are JSON objects, which POST
/v1/exchange also takes and returns. The fields of the request are worker_uuid, request_uuid, namespaces, handlers,
limit, lease_seconds, ahead, waiting and results. Each element of results has the fields step_uuid and claim_no, and
result or error, permanent, backoff_seconds and execution_time_ms. The fields of the reply are answers (one for each
result, in order) and claimed.

The field known_tasks is an array of tasks whose context the worker already has. With this field, the reply has the
contexts in a separate field contexts, one for each task that is not known. A context that a claim leaves out because of
its size is missing in this field, too.

Arguments, locks and errors are the same as for exchange_steps. Also raises TK422 for a request that is not such an object.$$;

grant execute on function tasker.exchange to tasker_worker, tasker_orchestrator, tasker_operator;
