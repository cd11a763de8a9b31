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
