create or replace function tasker.record_results(
  p_results   tasker.step_results[],
  p_settings  tasker.settings_now,
  p_wait      boolean
)
  returns tasker.step_answers[]
  language plpgsql
as $$
declare
  v_uuids    uuid[];
  v_failed   boolean;
  v_large    boolean;
  v_tasks    tasker.task_facts[];
  v_locked   uuid[];
  v_held     boolean[];
  v_refusals text[];
  v_moves    tasker.step_moves[];
  v_written  tasker.step_moves[] := '{}';
begin
  select
    array_agg(tasker.task_uuid_of(r.step_uuid)), bool_or(r.error is not null),
    bool_or(r.error is null and (octet_length(r.result::text) > p_settings.result_bytes or tasker.is_too_deep(r.result)))
    into v_uuids, v_failed, v_large
    from unnest(p_results) as r;
  if p_wait then
    v_tasks := tasker.task_facts(v_uuids);
  else
    -- Skip the steps of tasks that this transaction could not lock. The holder of such a task may be waiting
    -- for the steps.
    v_locked := tasker.lock_tasks(v_uuids);
    v_held := tasker.lock_steps(
      array(
        select case when u.task_uuid = any (v_locked) then u.task_uuid end
          from unnest(v_uuids) with ordinality as u (task_uuid, position)
         order by u.position
      ),
      array(select tasker.step_no_of(r.step_uuid) from unnest(p_results) with ordinality as r order by r.ordinality)
    );
  end if;
  if v_large or not p_wait then
    v_refusals := tasker.refused_results(p_results, v_locked, v_held, p_settings.result_bytes);
  end if;

  v_moves := tasker.result_moves(p_results, v_refusals, v_failed, p_settings);
  if cardinality(v_moves) > 0 then
    if v_refusals is not null then
      v_tasks := tasker.task_facts(array(select m.task_uuid from unnest(v_moves) as m));
    end if;
    v_written := tasker.apply_moves(v_moves, v_tasks);
  end if;
  return tasker.answer_results(p_results, v_refusals, v_written);
end;
$$;

comment on function tasker.record_results is
$$Records the valid results. Returns the answer to each result, in order.

Locks the tasks in the order of their UUIDs, then the steps, then their queue rows. If p_wait is false, does not wait for tasks and steps that other transactions hold, and answers "busy" for them.$$;
