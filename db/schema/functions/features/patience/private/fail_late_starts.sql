create or replace function tasker.fail_late_starts(p_due tasker.timers[], p_processor uuid)
  returns void
  language plpgsql
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_now    timestamptz;
  v_timer  record;
  v_step   record;
  v_again  timestamptz; -- when the timer is due again
  v_moves  tasker.step_moves[] := '{}';
begin
  for v_timer in
    select
      d.task_uuid, d.step_no, k.start_within, k.start_within * interval '1 second' as within
      from unnest(p_due) as d
     cross join lateral (
       select k.start_within
         from tasker.workflow_steps as s
         join tasker.tasks as t
           on t.task_uuid = s.task_uuid
         join tasker.named_tasks_named_steps as k
           on k.named_task_uuid = t.named_task_uuid
          and k.step_no = coalesce(s.map_no, s.step_no)
        where s.task_uuid = d.task_uuid
          and s.step_no = d.step_no
       offset 0
     ) as k
     order by d.task_uuid, d.step_no
  loop
    -- Claims lock steps and not the task. A locked step is being started, or its attempt is ending.
    select s.state, s.moved_at, s.lease_until
      into v_step
      from tasker.workflow_steps as s
     where s.task_uuid = v_timer.task_uuid
       and s.step_no = v_timer.step_no
       for no key update skip locked;
    v_now := tasker.write_clock();
    v_again := case
      when v_step.state is null then v_now + interval '1 second'
      when v_step.state = 'in_progress' then greatest(v_step.lease_until, v_now) + v_timer.within
      when v_step.state = 'enqueued' then v_timer.within + (
        select greatest(v_step.moved_at, q.visible_at)
          from tasker.step_queue as q
         where q.task_uuid = v_timer.task_uuid
           and q.step_no = v_timer.step_no
      )
    end;
    if v_again > v_now then
      update tasker.timers as t
         set due_at = v_again
       where t.task_uuid = v_timer.task_uuid
         and t.step_no = v_timer.step_no
         and t.kind = 'start_within';
      continue;
    end if;
    delete from tasker.timers as t
     where t.task_uuid = v_timer.task_uuid
       and t.step_no = v_timer.step_no
       and t.kind = 'start_within';
    if v_step.state = 'enqueued' then
      v_moves := v_moves || tasker.late_start(v_timer.task_uuid, v_timer.step_no, v_timer.start_within);
    end if;
  end loop;
  if cardinality(v_moves) > 0 then
    perform tasker.apply_moves(v_moves, tasker.task_facts(array(select distinct m.task_uuid from unnest(v_moves) as m)), p_processor);
  end if;
end;
$$;

comment on function tasker.fail_late_starts is
$$Permanently fails the steps that no worker has started in time, and deletes their timers. The timer of a running step is postponed: it is due when the step could have gone back to the queue at the end of its lease and then waited for start_within. Locks the steps; if a claim has a step locked, its timer is due again in a second. The caller holds the tasks' locks.$$;
