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
