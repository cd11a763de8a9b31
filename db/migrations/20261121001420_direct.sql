-- direct: the calls of clients that send JSON, over HTTP or directly
-- Composed from db/schema: edit there, then compose again. Frozen by the first release tag.

-- migrate:up
set local citus.enable_ddl_propagation = off; -- Citus would repeat this on its worker nodes
set local role tasker_owner;

-- >>> db/schema/functions/operate/direct/private/refuse_request.sql
create or replace function tasker.refuse_request(p_call text, p_detail text)
  returns void
  language plpgsql
  immutable
as $$
begin
  raise exception using
    errcode = 'TK422',
    message = format('the request of tasker.%s is invalid', p_call),
    detail  = left(p_detail, 500),
    hint    = 'Pass an object with the fields that docs/http-workers.md describes.';
end;
$$;

comment on function tasker.refuse_request is
$$Raises TK422 because the JSON request of a client is malformed, with the reason as detail.$$;
-- <<<

-- >>> db/schema/functions/operate/direct/private/step_channels.sql
create or replace function tasker.step_channels(p_namespaces text[])
  returns text[]
  language sql
  immutable
begin atomic
  select coalesce(array_agg('tasker_steps_ready.' || u.name), '{}') from unnest(p_namespaces) as u (name);
end;

comment on function tasker.step_channels is
$$Returns the notification channels that wake the workers of these namespaces.$$;
-- <<<

-- >>> db/schema/functions/operate/direct/private/sleep_state.sql
create or replace function tasker.sleep_state(
  p_writers   bigint[],
  p_notified  boolean,
  p_poll_at   timestamptz,
  p_until     timestamptz,
  p_now       timestamptz
)
  returns jsonb
  language sql
  stable
begin atomic
  select jsonb_build_object(
    'phase', 'asleep',
    'ms', ceil(greatest(10, least(
      extract(epoch from p_poll_at - p_now) * 1000,
      case when cardinality(p_writers) > 0 then 100 end
    ))),
    'notified', p_notified,
    'writers', to_jsonb(p_writers),
    'poll_at', p_poll_at,
    'until', p_until
  );
end;

comment on function tasker.sleep_state is
$$Returns the field sleep of a reply of exchange_or_sleep. While a transaction that may not have seen the mark is
running, the client has to call again after 100 ms.$$;
-- <<<

-- >>> db/schema/functions/operate/direct/exchange.sql
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
-- <<<

-- >>> db/schema/functions/operate/direct/exchange_or_sleep.sql
create or replace function tasker.exchange_or_sleep(p_request jsonb)
  returns json
  language plpgsql
  security definer
  set search_path = pg_catalog, pg_temp
  set jit = off
as $$
declare
  v_now        timestamptz := tasker.clock();
  v_sleep      jsonb       := p_request -> 'sleep';
  v_state      record;
  v_writers    bigint[];
  v_namespaces text[];
  v_answer     json;
begin
  begin
    if jsonb_typeof(p_request) is distinct from 'object' then
      raise invalid_parameter_value using message = 'it is not an object';
    end if;
    p_request := p_request - 'sleep';
    select r.*
      into v_state
      from jsonb_to_record(coalesce(nullif(v_sleep, 'null'), '{}')) as r (
        phase text, writers bigint[], woken boolean, notified boolean, poll_at timestamptz, until timestamptz
      );
    v_namespaces := array(select jsonb_array_elements_text(coalesce(nullif(p_request -> 'namespaces', 'null'), '[]')));
    if v_state.phase is not null and (v_state.phase = 'marked' or v_state.phase = 'asleep'
         and num_nulls(v_state.writers, v_state.poll_at, v_state.until) = 0) is not true then
      raise invalid_parameter_value using message = 'sleep is not what an earlier reply had';
    end if;
  exception
    when data_exception then
      perform tasker.refuse_request('exchange_or_sleep', sqlerrm);
  end;
  if jsonb_typeof(p_request -> 'namespaces') = 'array' is not true then
    v_namespaces := array(select n.name from tasker.list_namespaces() as n);
  end if;

  if v_state.phase = 'marked' then
    -- The mark is committed. Note the writers that may not have seen the mark, then query once more.
    v_writers := tasker.open_writers();
  elsif v_state.phase = 'asleep' then
    v_writers := tasker.open_writers(v_state.writers);
  end if;
  -- Results are recorded even if the worker sleeps.
  if v_state.phase = 'asleep' and v_state.woken is not true and v_now < v_state.poll_at
     and cardinality(v_writers) = cardinality(v_state.writers)
     and coalesce(nullif(p_request -> 'results', 'null'), '[]') = '[]' then
    return jsonb '{"answers": [], "claimed": []}' || jsonb_build_object('sleep', tasker.sleep_state(
      v_writers, v_state.notified, v_state.poll_at, v_state.until, v_now
    ));
  end if;

  v_answer := tasker.exchange(p_request);
  if v_answer ->> 'claimed' <> '[]' or v_answer ->> 'answers' <> '[]' or coalesce(p_request ->> 'limit', '0') = '0' then
    if v_state.phase is not null then
      perform tasker.mark_awake((p_request ->> 'worker_uuid')::uuid, tasker.step_channels(v_namespaces));
    end if;
    return v_answer;
  end if;
  if v_namespaces = '{}' then
    return v_answer::jsonb || '{"sleep": {"ms": 1000}}';
  end if;
  if v_state.phase is null or v_state.phase = 'asleep' and v_state.until < v_now + interval '10 seconds' then
    return v_answer::jsonb || jsonb_build_object('sleep', jsonb_build_object(
      'phase', 'marked',
      'ms', 0,
      'notified', tasker.mark_sleeping((p_request ->> 'worker_uuid')::uuid, tasker.step_channels(v_namespaces), 30),
      'until', v_now + interval '30 seconds'
    ));
  end if;
  -- Steps that are already ready are not for this worker's handlers, or a limit has no place for them.
  return v_answer::jsonb || jsonb_build_object('sleep', tasker.sleep_state(
    v_writers, v_state.notified,
    least(
      v_now + case when v_state.notified is false then interval '1 second' else interval '5 seconds' end,
      tasker.next_due_at(v_namespaces, p_later => true)
    ),
    coalesce(v_state.until, v_now + interval '30 seconds'), v_now
  ));
end;
$$;

comment on function tasker.exchange_or_sleep is
$$Records results and claims steps as exchange(jsonb) does. If there is neither a result nor a step, leads the caller
through the steps of falling asleep (docs/wakeups.md), and the reply has the object "sleep". The field "ms" of this
object says how many milliseconds the client waits at most for a notification on the channels
tasker_steps_ready.<namespace> of its namespaces, to which the client listens already. Then the client calls again and
passes the whole object "sleep" back, with "woken": true if a notification came. A call with results or without a limit
does not sleep. A worker without namespaces sleeps for all namespaces of the caller.

Commit each call. Takes the locks of exchange_steps, mark_sleeping and mark_awake. Raises their errors, and TK422 for a
request that is not such an object.$$;

grant execute on function tasker.exchange_or_sleep to tasker_worker, tasker_orchestrator, tasker_operator;
-- <<<

-- >>> db/schema/functions/operate/direct/attend.sql
create or replace function tasker.attend(p_request jsonb)
  returns jsonb
  language plpgsql
  security definer
  set search_path = pg_catalog, pg_temp
  set jit = off
as $$
declare
  v_call   record;
  v_claims record;
  v_leases jsonb := '[]';
begin
  begin
    if p_request - '{worker_uuid,name,namespaces,handlers,version,claims,lease_seconds}'::text[] is distinct from '{}' then
      raise invalid_parameter_value using message = 'it is not an object, or has an unknown field';
    end if;
    select r.*
      into v_call
      from jsonb_to_record(p_request) as r (
        worker_uuid uuid, name text, namespaces text[], handlers text[], version text, claims jsonb, lease_seconds integer
      );
    select array_agg(r.step_uuid) as steps, array_agg(r.claim_no) as claims
      into v_claims
      from jsonb_to_recordset(coalesce(v_call.claims, '[]')) as r (step_uuid uuid, claim_no integer);
  exception
    when data_exception then
      perform tasker.refuse_request('attend', sqlerrm);
  end;

  if v_claims.steps is not null then
    select jsonb_agg(to_jsonb(l))
      into v_leases
      from tasker.extend_leases(v_claims.steps, v_claims.claims, v_call.lease_seconds) as l;
  end if;
  return jsonb_build_object(
    'leases', v_leases,
    'registered', case
      when v_call.name is not null
        then tasker.register_worker(v_call.worker_uuid, v_call.name, v_call.namespaces, v_call.handlers, v_call.version)
    end,
    'clock', tasker.clock()
  );
end;
$$;

comment on function tasker.attend is
$$Renews leases as extend_leases does. If the request has a name, also registers the worker or updates when it was last
seen, as register_worker does. The fields of the request are claims (each with step_uuid and claim_no) and
lease_seconds, and worker_uuid, name, namespaces, handlers and version. The fields of the reply are leases (one for each
claim, in order), registered (null without a name) and clock.

Takes the locks of these functions, and raises their errors. Raises TK422 for a request that is not such an object.$$;

grant execute on function tasker.attend to tasker_worker, tasker_orchestrator, tasker_operator;
-- <<<

-- >>> db/schema/functions/operate/direct/complete_step.sql
create or replace function tasker.complete_step(p_step_uuid uuid, p_claim_no integer, p_result jsonb default null)
  returns tasker.result_answer
  language plpgsql
  security definer
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_answer tasker.result_answer;
begin
  select a.answer
    into v_answer
    from tasker.complete_steps(array[p_step_uuid], array[p_claim_no], array[p_result]) as a;
  case
    when v_answer in ('completed', 'recorded') then
      return v_answer;
    -- If the answer to a commit was lost, a second transaction with the same work must not commit its effects again.
    when v_answer = 'already_complete' then
      raise exception using
        errcode = 'TK409',
        message = format('the result of step %s is recorded already', p_step_uuid),
        detail  = format('claim %s', p_claim_no),
        hint    = 'Roll back: an earlier transaction with the same result has committed.';
    when v_answer = 'busy' then
      raise lock_not_available using
        message = format('the result of step %s is not recorded: another transaction has the task locked', p_step_uuid),
        hint    = 'Repeat the transaction.';
    when v_answer = 'too_large' then
      raise exception using
        errcode = 'TK413',
        message = format('the result of step %s is too large', p_step_uuid),
        detail  = format('It has %s bytes.', octet_length(p_result::text)),
        hint    = 'Keep large results elsewhere, and return a reference.';
    else
      raise exception using
        errcode = 'TK409',
        message = format('the result of step %s is not recorded: %s', p_step_uuid, v_answer),
        detail  = format('claim %s', p_claim_no),
        hint    = 'Roll back: the step no longer belongs to this claim.';
  end case;
end;
$$;

comment on function tasker.complete_step is
$$Records the result of one claimed step in the caller's transaction, so that the caller's writes and the result are
committed together, exactly once. Raises an error if the result is not recorded, so that the caller cannot commit.
Returns "completed", or "recorded" if an orchestrator has to advance the task.

Takes the locks of complete_steps. Raises TK409 if the claim is stale, if the step is cancelled or unknown, or if an
earlier transaction has already committed the result. Raises TK413 if the result is too large, 55P03 if another
transaction has locked the task, and the errors of complete_steps.$$;

grant execute on function tasker.complete_step to tasker_worker, tasker_orchestrator, tasker_operator;
-- <<<

-- >>> db/schema/functions/operate/direct/get_task_result.sql
create or replace function tasker.get_task_result(p_task_uuid uuid, p_steps text[] default null)
  returns jsonb
  language plpgsql
  stable
  security definer
  set search_path = pg_catalog, pg_temp
  set plan_cache_mode = force_generic_plan
  set enable_hashjoin = off
  set enable_mergejoin = off
  set enable_seqscan = off
  set jit = off
  set max_parallel_workers_per_gather = 0
as $$
declare
  v_bytes  bigint := tasker.setting_integer('claim_bytes');
  v_task   record;
  v_answer jsonb;
begin
  perform tasker.check_bound(p_task_uuid);
  perform tasker.check_array_size('steps', cardinality(p_steps), 1000);
  select t.state, t.complete, t.named_task_uuid, t.has_added_edges, t.undo, k.on_failure
    into v_task
    from tasker.tasks as t
    join tasker.named_tasks as k
      on k.named_task_uuid = t.named_task_uuid
   where t.task_uuid = p_task_uuid;
  if not found then
    perform tasker.raise_task_not_found(p_task_uuid);
  end if;

  select jsonb_build_object(
      'task_uuid', p_task_uuid,
      'state', v_task.state,
      'complete', v_task.complete,
      'blocked', tasker.task_is_blocked(v_task.state, v_task.on_failure, v_task.undo),
      -- Results beyond the limit are left out. The field omitted has the names of their steps.
      'results', coalesce(jsonb_object_agg(r.name, coalesce(r.results, 'null')) filter (where r.bytes <= v_bytes), '{}'),
      'omitted', coalesce(jsonb_agg(r.name order by r.step_no) filter (where r.bytes > v_bytes), '[]')
    )
    into v_answer
    from (
      select
        s.name, s.results, s.step_no,
        case when s.maps and s.results is null then v_bytes + 1 else 0 end
          + sum(coalesce(octet_length(s.results::text), 4)) over (order by s.step_no) as bytes
        from (
          select
            s.name, s.step_no, s.expansion is not null and s.results is null as maps,
            case
              when s.expansion is not null and s.results is null then tasker.map_results(p_task_uuid, s.step_no, v_bytes)
              else s.results
            end as results
            from tasker.workflow_steps as s
           where s.task_uuid = p_task_uuid
             and s.state in ('complete', 'resolved_manually')
             and s.undo_no is null
             and case
               when p_steps is not null then s.name = any (p_steps)
               else not exists (
                 select from tasker.step_children(p_task_uuid, v_task.named_task_uuid, v_task.has_added_edges, s.step_no)
               )
             end
        ) as s
    ) as r;

  return v_answer || jsonb_build_object('failed', (
    -- A failed step of the graph comes before a failed compensation.
    select jsonb_build_object(
        'step', s.name, 'step_uuid', s.workflow_step_uuid, 'state', s.state, 'attempts', s.attempts, 'error', s.last_error,
        'undo', s.undo_no is not null
      )
      from tasker.workflow_steps as s
     where s.task_uuid = p_task_uuid
       and (s.state = 'error' or v_task.state = 'error' and s.state = 'cancelled' and s.effects & 1024 <> 0 and s.last_error is not null)
     order by s.state <> 'error', s.undo_no is not null, s.last_failure_at, s.step_no
     limit 1
  ));
end;
$$;

comment on function tasker.get_task_result is
$$Returns the outcome of a task as an object with the fields task_uuid, state, complete, blocked, results, omitted and
failed. A blocked task waits for an operator, and is neither being undone nor about to be undone. The field results has
the results of steps that succeeded, by the names of the steps. The result of a map is an array. The field failed is the
step that failed first, with its error, or null if no step has failed for good. Without p_steps the results are those of
the last steps, on which no step depends. Results beyond the setting "claim_bytes" in total are left out, and the field
omitted has the names of their steps. tasker.list_steps(task_uuid) returns these results.

Locks nothing. Raises TK404 if there is no such task, TK403 if the caller is bound to other namespaces, and TK413 for
more than 1000 names.$$;

grant execute on function tasker.get_task_result to tasker_submitter, tasker_worker, tasker_orchestrator, tasker_operator, tasker_reader;
-- <<<

insert into tasker.schema_builds (version, files) values ('20261121001420', 'functions/operate/direct/attend af8578d89910940b
functions/operate/direct/complete_step 1b6dbe992d66ce1b
functions/operate/direct/exchange c47ff5de5b85832a
functions/operate/direct/exchange_or_sleep bef074bd867b4ae5
functions/operate/direct/get_task_result bb05e7592ef4595d
functions/operate/direct/private/refuse_request e45060c37814fa1c
functions/operate/direct/private/sleep_state 4407ed905c4a13bf
functions/operate/direct/private/step_channels 65f7ef668f4372af
');

select tasker.note_objects();

reset role;

-- migrate:down
set local citus.enable_ddl_propagation = off; -- Citus would repeat this on its worker nodes
set local role tasker_owner;

delete from tasker.schema_builds where version = '20261121001420';

drop function tasker.get_task_result;
drop function tasker.complete_step;
drop function tasker.attend;
drop function tasker.exchange_or_sleep;
drop function tasker.exchange;
drop function tasker.sleep_state;
drop function tasker.step_channels;
drop function tasker.refuse_request;

select tasker.note_objects();

reset role;
