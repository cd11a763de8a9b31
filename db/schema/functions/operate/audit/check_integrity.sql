create or replace function tasker.check_integrity(
  p_since  timestamptz  default null,
  p_until  timestamptz  default null,
  p_limit  integer      default null
)
  returns setof tasker.integrity_problems
  language plpgsql
  stable
  security definer
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_from uuid := '00000000-0000-0000-0000-000000000000';
  v_to   uuid := 'ffffffff-ffff-ffff-ffff-ffffffffffff';
begin
  perform tasker.check_unbound();
  perform tasker.check_page_size(p_limit);
  if isfinite(p_since) then
    v_from := tasker.uuid_v7_floor(p_since);
  end if;
  if isfinite(p_until) then
    v_to := tasker.uuid_v7_floor(p_until);
  end if;

  return query
  select p.*
    from (
      select t.* from tasker.trigger_problems() as t
      union all
      select c.* from tasker.constraint_problems() as c
      union all
      select g.* from tasker.guard_problems() as g
      union all
      select b.* from tasker.object_problems() as b
      union all
      select y.* from tasker.registry_problems() as y
      union all
      select d.* from tasker.administration_problems() as d
      union all
      select h.* from tasker.history_problems(v_from, v_to) as h
      union all
      select c.* from tasker.counter_problems(v_from, v_to) as c
      union all
      select r.* from tasker.row_problems(v_from, v_to) as r
      union all
      select s.* from tasker.logged_step_problems(v_from, v_to) as s
      union all
      select q.* from tasker.queue_problems(v_from, v_to) as q
      union all
      select t.* from tasker.timer_problems(v_from, v_to) as t
      union all
      select a.* from tasker.wait_problems(v_from, v_to) as a
      union all
      select l.* from tasker.line_problems(v_from, v_to) as l
      union all
      select w.* from tasker.work_problems(v_from, v_to) as w
      union all
      select i.* from tasker.signal_problems(v_from, v_to) as i
      union all
      select e.* from tasker.event_problems(v_from, v_to) as e
      union all
      select p.* from tasker.receipt_problems(v_from, v_to) as p
      union all
      select m.* from tasker.missing_problems(v_from, v_to) as m
      union all
      select k.* from tasker.kept_problems(v_from, v_to) as k
      union all
      select l.* from tasker.stream_problems(v_from, v_to) as l
      union all
      select b.* from tasker.attribute_problems(v_from, v_to) as b
      union all
      select x.* from tasker.erasure_problems(v_from, v_to) as x
    ) as p
   order by p.task_uuid nulls first, p.step_no nulls first, p.sort_key
   limit coalesce(p_limit, 1000);
end;
$$;

comment on function tasker.check_integrity is
$$Finds changes that bypassed the engine, for the tasks created from p_since until before p_until (null: all). Returns
up to p_limit problems (default 1,000), and no row if there is no problem.

Checks that functions, views, tables and privileges are as the migrations left them. Checks that the guards of logs,
tasks and templates exist and are enabled, also on partitions. Checks that each log is a path without gaps from the
first state to the current state. Checks that counters, parents, claim numbers, attempts, errors, logins of claims,
queue rows, timers, waiting rows, signals, streams, attributes, events and identities agree with steps and tasks, and
that no row refers to a missing row. Checks that settings, bindings, tokens, access maps, sessions, templates, limits,
schedules, subscriptions, namespaces and partitions match their newest entry in the log of administration. A result must
have the digest that was logged with it, and an erased task must have the digest that its erasure left. If a task and
its log were both deleted, the totals and the identities reveal it. The check cannot find a change by a superuser or by
tasker_owner that changed all of these rows consistently, such as a log that was rewritten while its triggers were off.

Reads the partitions of the period. Raises TK422 for a limit out of range, and TK403 if the caller is bound to
namespaces.$$;

grant execute on function tasker.check_integrity
  to tasker_orchestrator, tasker_operator, tasker_reader;
