create or replace function tasker.export_task(p_task_uuid uuid, p_payloads boolean default true, p_blank text[] default null)
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
  v_payloads boolean := coalesce(p_payloads, true);
  v_blank    jsonb   := tasker.blank_steps(p_blank);
  v_task     tasker.tasks;
  v_kind     tasker.named_tasks;
  v_steps    jsonb;
begin
  perform tasker.check_bound(p_task_uuid);
  select t.* into v_task from tasker.tasks as t where t.task_uuid = p_task_uuid;
  if not found then
    perform tasker.raise_task_not_found(p_task_uuid);
  end if;
  perform tasker.check_export_size(p_task_uuid);
  select k.* into strict v_kind from tasker.named_tasks as k where k.named_task_uuid = v_task.named_task_uuid;
  v_steps := tasker.exported_steps(v_task, v_payloads, v_blank);
  return jsonb_build_object(
    'format', 'pgtasker.task',
    'version', 1,
    'exported_at', tasker.clock(),
    'payloads', v_payloads,
    'blanked', to_jsonb(coalesce(p_blank, '{}')),
    'template', jsonb_build_object(
      'namespace', v_kind.configuration ->> 'namespace', 'name', v_kind.name, 'version', v_kind.version,
      'content', v_kind.configuration, 'types', v_kind.types, 'types_digest', tasker.types_digest(v_kind.types)
    ),
    'task', tasker.exported_task(p_task_uuid, v_payloads, v_blank),
    'steps', v_steps,
    'signals', tasker.exported_signals(p_task_uuid, v_payloads, v_blank),
    'events', tasker.exported_events(v_steps)
  );
exception
  when program_limit_exceeded then
    raise exception using
      errcode = 'TK413',
      message = format('task %s is too large for one document', p_task_uuid),
      detail  = sqlerrm,
      hint    = 'Read it in pages with list_steps() and get_task_history(), or leave out its payloads.';
end;
$$;

comment on function tasker.export_task is
$$Returns a task as one document. The document has the template as it was, the context, every step with its inputs,
result, attempts, errors and transitions, the kept results of durable functions, signals, events and times.
docs/task-export.schema.json describes the document, whose format has the version 1. Tasks that the task's steps started
are not part of the document, and can be exported separately.

p_payloads = false leaves out all values that people may have written: context, headers, tags, inputs, results,
checkpoints, kept values, payloads of signals and events, reasons, metadata and the texts of errors. p_blank is a list
of jsonpaths, such as $.**.email, that consist of members, .*, .**, [*] and [n]. The document has null in the place of
each value that one of these paths finds. A path does not find anything inside a text, such as the text of an error.

Changes nothing. The cost is linear in the size of the task. Raises TK404 if there is no such task. Raises TK413 if the
steps of the task have more than 200,000 transitions or 64 MiB of results. Raises TK422 for a path that it cannot blank,
and TK403 if the caller is bound to other namespaces.$$;

grant execute on function tasker.export_task to tasker_orchestrator, tasker_operator, tasker_reader;
