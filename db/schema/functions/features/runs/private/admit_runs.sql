create or replace function tasker.admit_runs(
  p_template  tasker.creation_templates,
  p_request   tasker.task_requests,
  p_uuids     uuid[],
  p_hashes    bytea[]
)
  returns uuid[]
  language plpgsql
as $$
declare
  v_keys   text[] := array(
    select tasker.limit_key_of((p_template.runs ->> 'key')::jsonpath, c.context, '{}') from unnest(p_request.contexts) with ordinality as c (context, ord) order by c.ord
  );
  v_run    tasker.runs;
  v_places jsonb  := '{}'; -- for each key, the number of free places and a task that has a place
  v_owners uuid[] := array_fill(null::uuid, array[cardinality(p_uuids)]);
  v_known  boolean;
begin
  perform tasker.check_isolation();
  v_run.namespace := p_request.namespace;
  v_run.name := p_request.name;
  v_places := tasker.lock_free_runs(v_run, p_template.runs, v_keys, p_request.tick is null);
  for i in 1 .. cardinality(p_uuids) loop
    -- A repeated request finds its task even if the key has no free place.
    v_known := p_hashes[i] = any (p_hashes[: i - 1]) or exists (
      select
        from tasker.task_identities as d
        join tasker.tasks as t
          on t.task_uuid = d.task_uuid
       where d.identity_hash = p_hashes[i]
         and (d.expires_at is null or d.expires_at > tasker.clock())
         and not (t.complete and p_request.identity_scope is not distinct from 'open')
    );
    continue when coalesce(v_known, false);
    if (v_places #>> array[v_keys[i], 'free'])::integer > 0 then
      v_places := jsonb_set(v_places, array[v_keys[i]], jsonb_build_object(
        'free', (v_places #>> array[v_keys[i], 'free'])::integer - 1, 'task', coalesce(nullif(v_places #> array[v_keys[i], 'task'], 'null'), to_jsonb(p_uuids[i]))
      ));
    elsif p_template.runs ->> 'further' = 'skip' then
      v_owners[i] := (v_places #>> array[v_keys[i], 'task'])::uuid;
    else
      perform tasker.raise_run_refused(p_request, p_template.runs, v_keys[i], (v_places #>> array[v_keys[i], 'task'])::uuid);
    end if;
  end loop;
  return v_owners;
end;
$$;

comment on function tasker.admit_runs is
$$Checks requests for tasks of a template that skips or refuses further tasks. Returns for each task null if it may be created, or an existing task of its key if the template skips it. Raises TK409 if the template refuses the task. Locks the keys in their order, and waits for them. A schedule's tick does not wait, and raises TK409 if a key is locked.$$;
