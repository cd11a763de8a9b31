create or replace function tasker.list_selection_entries(
  p_selection_uuid  uuid,
  p_state           text     default null,
  p_after           integer  default null,
  p_limit           integer  default null
)
  returns setof tasker.selection_entry_details
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
  v_selection tasker.selections := tasker.find_selection(p_selection_uuid);
begin
  perform tasker.check_page_size(p_limit);
  if p_state not in ('waits', 'open', 'passed', 'failed', 'skipped') then
    raise exception using
      errcode = 'TK422',
      message = format('an entry of a selection has no state "%s"', left(p_state, 40)),
      hint    = 'It is waits, open, passed, failed or skipped.';
  end if;
  return query
  select
    e.entry_no, e.object_uuid, e.task_uuid, n.name, k.name, k.version, s.name,
    coalesce(s.state::text, t.state::text), e.state, e.acted_at, e.result_uuid, e.note
  from (
    select e.*
      from tasker.selection_entries as e
     where e.selection_uuid = p_selection_uuid
       and (p_state is null or e.state = p_state)
       and e.entry_no > coalesce(p_after, 0)
     order by e.entry_no
     limit coalesce(p_limit, 100)
  ) as e
  left join lateral (
    select t.state, t.named_task_uuid
      from tasker.tasks as t
     where t.task_uuid = e.task_uuid
    offset 0
  ) as t
    on true
  left join tasker.named_tasks as k
    on k.named_task_uuid = t.named_task_uuid
  left join tasker.task_namespaces as n
    on n.task_namespace_uuid = k.task_namespace_uuid
  left join lateral (
    select s.name, s.state
      from tasker.workflow_steps as s
     where v_selection.kind = 'steps'
       and s.task_uuid = e.task_uuid
       and s.step_no = tasker.step_no_of(e.object_uuid)
    offset 0
  ) as s
    on true
  order by e.entry_no;
end;
$$;

comment on function tasker.list_selection_entries is
$$Returns entries of a selection in the order in which a mass action acts on them. Each row has the identity of the
entry, the present state of its task or step, and the outcome of the action. p_state may be "waits", "open", "passed",
"failed" or "skipped". For the next page, pass the last entry_no of this page as p_after.

Raises TK404 if there is no such selection, or the caller is bound to other namespaces, and TK422 for an unknown state
or a limit out of range.$$;

grant execute on function tasker.list_selection_entries to tasker_orchestrator, tasker_operator, tasker_reader;
