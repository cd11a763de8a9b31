create or replace function tasker.record_results(
  p_results   tasker.step_results[],
  p_settings  tasker.settings_now,
  p_wait      boolean
)
  returns tasker.step_answers[]
  language plpgsql
as $$
declare
  v_uuids    uuid[] := array(select tasker.task_uuid_of(r.step_uuid) from unnest(p_results) with ordinality as r order by r.ordinality);
  v_deferred boolean[];
  v_locked   uuid[];
  v_held     boolean[];
  v_refusals text[];
  v_moves    tasker.step_moves[];
  v_recorded tasker.step_moves[] := '{}';
  v_written  tasker.step_moves[] := '{}';
begin
  -- A result that is only recorded needs no lock on its task.
  if p_settings.any_deferred then
    v_deferred := tasker.results_are_deferred(v_uuids);
    v_locked := tasker.lock_tasks(
      array(select u.task_uuid from unnest(v_uuids, v_deferred) as u (task_uuid, deferred) where not u.deferred), p_wait
    );
  else
    v_deferred := array_fill(false, array[cardinality(p_results)]);
    v_locked := tasker.lock_tasks(v_uuids, p_wait);
  end if;
  if not p_wait then
    -- Skip the steps of tasks that we could not lock; their holder may be waiting for them.
    v_held := tasker.lock_steps(
      array(
        select case when u.deferred or u.task_uuid = any (v_locked) then u.task_uuid end
          from unnest(v_uuids, v_deferred) with ordinality as u (task_uuid, deferred, position)
         order by u.position
      ),
      array(select tasker.step_no_of(r.step_uuid) from unnest(p_results) with ordinality as r order by r.ordinality)
    );
  end if;
  v_refusals := tasker.refused_results(p_results, v_deferred, v_locked, v_held, p_settings.result_bytes);

  v_moves := tasker.result_moves(p_results, v_deferred, v_refusals, p_settings);
  if true = any (v_deferred) then
    v_recorded := array(select m from unnest(v_moves) as m where m.via_state is null);
    v_moves := array(select m from unnest(v_moves) as m where m.via_state is not null);
  end if;
  if cardinality(v_moves) > 0 then
    v_written := tasker.apply_moves(v_moves, tasker.task_facts(array(select m.task_uuid from unnest(v_moves) as m)), false);
  end if;
  if cardinality(v_recorded) > 0 then
    v_recorded := tasker.write_moves(v_recorded, null);
    perform tasker.announce_results(v_recorded);
    v_written := v_written || v_recorded;
  end if;
  return tasker.answer_results(p_results, v_refusals, v_written);
end;
$$;

comment on function tasker.record_results(tasker.step_results[], tasker.settings_now, boolean) is
$$Records the valid results, and answers each, in order.

Locks the tasks in the order of their UUIDs, then the steps, then their queue rows. If p_wait is false, it does not wait for tasks and steps that other transactions hold, and answers busy.$$;

revoke all on function tasker.record_results(tasker.step_results[], tasker.settings_now, boolean) from public;
