create or replace function tasker.run_digest(p_task_uuid uuid, p_rare boolean default true)
  returns text
  language plpgsql
  stable
  set search_path = pg_catalog, pg_temp
  set timezone = 'UTC'
  set extra_float_digits = 1
  set bytea_output = 'hex'
  set plan_cache_mode = force_generic_plan
  set enable_hashjoin = off
  set enable_mergejoin = off
  set enable_seqscan = off
  set jit = off
  set max_parallel_workers_per_gather = 0
as $$
declare
  v_rows bytea;
begin
  -- Leave out nulls, so that the digest does not change if a later version adds a column.
  select string_agg(sha256(convert_to(r.kind || json_strip_nulls(r.data)::text, 'UTF8')), '' order by r.kind, r.no, r.sort_key)
    into v_rows
    from (
      select 'task' as kind, 0 as no, 0 as sort_key, to_json(t) as data from tasker.tasks as t where t.task_uuid = p_task_uuid
      union all
      select 'step', s.step_no, 0, to_json(s) from tasker.workflow_steps as s where s.task_uuid = p_task_uuid
      union all
      select 'task log', 0, l.sort_key, to_json(l) from tasker.task_log as l where l.task_uuid = p_task_uuid
      union all
      select 'step log', l.step_no, l.sort_key, to_json(l) from tasker.step_log as l where l.task_uuid = p_task_uuid
    ) as r;
  if p_rare then
    v_rows := coalesce(v_rows, '') || coalesce((
      select string_agg(
               sha256(convert_to(r.kind || json_strip_nulls(r.data)::text, 'UTF8')), ''
               order by r.kind, r.no, r.sort_key, r.data::text collate "C"
             )
        from (
          select 'edge' as kind, e.from_step_no as no, e.to_step_no::bigint as sort_key, to_json(e) as data
            from tasker.added_step_edges as e where e.task_uuid = p_task_uuid
          union all
          select 'signal', g.signal_no, 0, to_json(g) from tasker.task_signals as g where g.task_uuid = p_task_uuid
          union all
          select 'kept', k.step_no, k.kept_no, to_json(k) from tasker.kept_results as k where k.task_uuid = p_task_uuid
          union all
          select 'stream', h.step_no, 0, to_json(h) from tasker.step_streams as h where h.task_uuid = p_task_uuid
          union all
          select 'items', i.step_no, i.last_no, to_json(i) from tasker.stream_items as i where i.task_uuid = p_task_uuid
          union all
          select 'attribute', a.step_no, a.attribute_no, to_json(a) from tasker.task_attributes as a where a.task_uuid = p_task_uuid
        ) as r
    ), '');
  end if;
  return encode(sha256(coalesce(v_rows, '')), 'hex');
end;
$$;

comment on function tasker.run_digest is
$$Returns the SHA-256, in hexadecimal digits, of all rows of a task: the task itself, its steps and edges, both logs,
signals, kept results, values, streams and attributes. Without p_rare it does not read the tables in which
tasker.has_rare_rows has found no row, so the digest is the same. The digest does not depend on the settings of the
session. The cost is linear in the number of the task's rows.$$;
