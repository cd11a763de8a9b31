create or replace function tasker.explain_step(p_step_uuid uuid)
  returns setof tasker.step_explanations
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
  v_task    uuid := tasker.task_uuid_of(p_step_uuid);
  v_step    tasker.step_explanations;
  v_paused  text;
  v_waiting bigint;
  v_refused bigint;
  v_failed  bigint;
  v_await     jsonb;
  v_expansion jsonb;
  v_child     uuid;
begin
  perform tasker.check_bound(p_step_uuid);
  select r.workflow_step_uuid, r.task_uuid, r.name, h.name, n.name, t.state, r.current_state, '', r.blocking_reason,
         coalesce(
           r.next_retry_at, s.lease_until,
           case when r.current_state = 'suspended' then (
             select m.due_at
               from tasker.timers as m
              where m.task_uuid = r.task_uuid
                and m.step_no = s.step_no
                and m.kind = 'end_wait'
           ) end,
           case when r.blocking_reason = 'task_not_started' then (
             select m.due_at
               from tasker.timers as m
              where m.task_uuid = r.task_uuid
                and m.step_no = 0
                and m.kind = 'start_task'
           ) end
         ),
         '[]', '[]', '[]', s.worker_uuid, r.attempts, r.retry_limit, s.last_error, c.caller[1], c.caller[2]
    into v_step
    from tasker.step_readiness() as r
    join tasker.workflow_steps as s
      on s.task_uuid = r.task_uuid
     and s.step_no = tasker.step_no_of(p_step_uuid)
   cross join lateral (
     select case when s.transition_count > 0 then tasker.step_caller(s.task_uuid, s.step_no, s.transition_count) end as caller
   ) as c
   cross join lateral (
     select h.name
       from tasker.named_steps as h
      where h.named_step_uuid = r.named_step_uuid
     offset 0
   ) as h
    join tasker.tasks as t
      on t.task_uuid = r.task_uuid
    join tasker.named_tasks as k
      on k.named_task_uuid = t.named_task_uuid
    join tasker.task_namespaces as n
      on n.task_namespace_uuid = k.task_namespace_uuid
   where r.task_uuid = v_task
     and r.workflow_step_uuid = p_step_uuid;
  if not found then
    perform tasker.raise_step_not_found(p_step_uuid);
  end if;

  select n.paused_by
    into v_paused
    from tasker.task_namespaces as n
   where n.name = v_step.namespace
     and n.paused_at is not null;

  select count(*) filter (where not p.settled),
         count(*) filter (where p.settled and not p.satisfied),
         coalesce(jsonb_agg(p.report - 'condition' order by p.step_no) filter (where not p.settled and p.place <= 100), '[]'),
         coalesce(jsonb_agg(p.report order by p.step_no) filter (where p.settled and not p.satisfied and p.place <= 100), '[]')
    into v_waiting, v_refused, v_step.waiting_for, v_step.unsatisfied
    from (
      select x.*, row_number() over (partition by x.settled, x.satisfied order by x.step_no) as place
        from (
          select
            o.step_no,
            o.state in ('complete', 'resolved_manually', 'cancelled') as settled,
            o.state in ('complete', 'resolved_manually') and tasker.condition_holds(e.condition, tasker.edge_result(e.condition, o.results, o.expansion, o.task_uuid, o.step_no)) as satisfied,
            jsonb_build_object(
              'step_uuid', o.workflow_step_uuid, 'name', o.name, 'state', o.state, 'condition', e.condition::text
            ) as report
          from tasker.workflow_step_edges as e
          cross join lateral (
            select o.*
              from tasker.workflow_steps as o
             where o.task_uuid = e.task_uuid
               and o.step_no = e.from_step_no
            offset 0
          ) as o
          where e.task_uuid = v_task
            and e.to_step_no = tasker.step_no_of(p_step_uuid)
        ) as x
    ) as p;

  select count(*),
         coalesce(jsonb_agg(
           jsonb_build_object(
             'step_uuid', f.workflow_step_uuid, 'name', f.name, 'distance', f.distance, 'error', left(f.last_error, 1000)
           ) order by f.place
         ) filter (where f.place <= 100), '[]')
    into v_failed, v_step.blocked_by
    from (
      select o.workflow_step_uuid, o.name, o.last_error, a.distance,
             row_number() over (order by a.distance, o.step_no) as place
        from unnest(tasker.step_ancestors(p_step_uuid)) with ordinality as a (distance, step_no)
       cross join lateral (
         select o.*
           from tasker.workflow_steps as o
          where o.task_uuid = v_task
            and o.step_no = a.step_no
         offset 0
       ) as o
       where a.distance > 0
         and o.state = 'error'
    ) as f;

  if v_step.current_state in ('suspended', 'pending') then
    select tasker.step_wait(s.await, s.wait, s.claim_no), s.child_task_uuid, s.expansion
      into v_await, v_child, v_expansion
      from tasker.workflow_steps as s
     where s.task_uuid = v_task
       and s.step_no = tasker.step_no_of(p_step_uuid);
  end if;
  if v_step.current_state = 'suspended' then
    v_step.summary := case
      when v_await ? 'task' then tasker.explain_child(v_await, v_child, v_step.due_at)
      else tasker.explain_wait(v_task, tasker.step_no_of(p_step_uuid), v_await, v_step.due_at)
    end;
  elsif v_expansion is not null and v_waiting > 0 then
    v_step.summary := tasker.explain_map(v_step, v_expansion, v_waiting, v_failed);
  else
    v_step.summary := coalesce(
      case when v_step.current_state = 'enqueued' and v_paused is null then
        tasker.explain_limit(v_task, tasker.step_no_of(p_step_uuid))
      end,
      tasker.explain_blocking(v_step, v_paused, v_waiting, v_refused, v_failed)
    );
  end if;
  v_step.summary := v_step.summary || coalesce(tasker.explain_kept(v_task, tasker.step_no_of(p_step_uuid)), '');
  v_step.summary := v_step.summary || coalesce(tasker.explain_undo(v_task, tasker.step_no_of(p_step_uuid)), '');
  return next v_step;
end;
$$;

comment on function tasker.explain_step(uuid) is
$$Explains why a step is not running, in words and as data: the parents that it waits for, until when, who has paused its namespace, which failure blocks it, which limit has no place for it, which role moved it last. One row.

Linear in the edges above the step. Raises TK404 if the step does not exist, TK403 if the caller is bound to other namespaces.$$;

revoke all on function tasker.explain_step(uuid) from public;
grant execute on function tasker.explain_step(uuid)
  to tasker_submitter, tasker_worker, tasker_orchestrator, tasker_operator, tasker_reader;
