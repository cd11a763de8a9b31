create or replace function tasker.list_tasks(
  p_namespace         text         default null,
  p_name              text         default null,
  p_version           text         default null,
  p_state             text         default null,
  p_tags              text[]       default null,
  p_correlation_id    uuid         default null,
  p_requested_after   timestamptz  default null,
  p_requested_before  timestamptz  default null,
  p_before            uuid         default null,
  p_limit             integer      default null,
  p_parent_task_uuid  uuid         default null,
  p_identity_key      text         default null,
  p_initiator         text         default null,
  p_schedule          text         default null,
  p_handler           text         default null,
  p_step              text         default null,
  p_error             text         default null,
  p_longer_than       interval     default null,
  p_after             uuid         default null,
  p_attributes        text[]       default null,
  p_sort              text         default null,
  p_where             text         default null
)
  returns setof tasker.task_details
  language plpgsql
  stable
  security definer
  set search_path = pg_catalog, pg_temp
  set plan_cache_mode = force_custom_plan
as $$
declare
  v_bound     text[]  := tasker.bound_namespaces();
  v_limit     integer := coalesce(p_limit, 100);
  v_most      integer := tasker.setting_integer('list_reads');
  v_open      boolean := coalesce(p_state = 'open', false);
  v_state     tasker.task_state;
  v_by_log    boolean := false; -- whether an index of the log has the tasks of the state
  v_ending    integer; -- the thousands digit of the paths that end in the state
  v_templates uuid[];
  v_keyed     uuid[];
  v_found     tasker.attribute_finds;
  v_searched  uuid[];
  v_filtered  boolean; -- whether a filter has no index
  v_next      text := case when p_after is null then 'p_before' else 'p_after' end; -- the argument for the next page
  v_tasks     uuid[];
  v_last      uuid; -- the last task that was read if the bound on reads ended the list
  v_read      integer; -- how many tasks were read by then
begin
  perform tasker.check_instant('time after which tasks were requested', nullif(p_requested_after, '-infinity'));
  perform tasker.check_instant('time before which tasks were requested', nullif(p_requested_before, 'infinity'));
  p_requested_after := nullif(p_requested_after, '-infinity');
  p_requested_before := nullif(p_requested_before, 'infinity');
  perform tasker.check_bound_namespaces(array[p_namespace]);
  if p_state is not null and not v_open then
    v_state := tasker.parse_task_state(p_state);
    v_ending := case v_state when 'error' then 1 when 'cancelled' then 2 when 'resolved_manually' then 3 end;
    v_by_log := v_ending is not null;
  end if;
  if v_limit not between 1 and 10000 then
    raise exception using
      errcode = 'TK422',
      message = format('the limit is %s; it must be between 1 and 10,000', v_limit),
      hint    = 'For the next page pass the last task''s UUID as p_before.';
  end if;
  perform tasker.check_text_size(f.name, f.filter, 1000)
     from (values ('initiator', p_initiator), ('schedule', p_schedule), ('handler', p_handler), ('step', p_step), ('error', p_error)) as f (name, filter);
  if p_identity_key is not null then
    v_keyed := array(select f.task_uuid from tasker.find_tasks_by_key(p_identity_key, p_namespace, p_name) as f);
  end if;
  if coalesce(p_namespace, p_name, p_version) is not null or v_bound is not null then
    v_templates := tasker.templates_named(p_namespace, p_name, p_version, v_bound);
    if v_templates = '{}' then
      return;
    end if;
  end if;
  if p_where is not null then
    perform tasker.check_where(p_where, v_templates);
  end if;

  if p_attributes <> '{}' or p_sort is not null then
    v_found := tasker.search_attributes(
      case when p_namespace is null then v_bound else array[p_namespace] end, p_attributes, p_sort, p_before, p_after, tasker.uuid_v7_floor(p_requested_after),
      tasker.uuid_v7_floor(p_requested_before),
      case when num_nonnulls(
        p_name, p_version, p_state, p_tags, p_correlation_id, p_parent_task_uuid, p_identity_key, p_initiator, p_schedule, p_handler,
        p_step, p_error, p_longer_than, p_where
      ) = 0 then v_limit else 10001 end
    );
    v_searched := array(select k.task::uuid from jsonb_object_keys(v_found.places) as k (task));
    p_before := null;
    p_after := null;
  end if;

  v_filtered := num_nonnulls(p_initiator, p_schedule, p_handler, p_step, p_error, p_longer_than, p_where) > 0;

  -- The query is planned for the given filters, because a list is not a hot path. A null filter leaves no condition and
  -- no join in the plan. Templates are looked up before, so that the planner knows how many tasks they have. Times
  -- become bounds of the key, which prune whole partitions. The inner query has the filters with an index, and reads as
  -- many tasks as the outer filters need.
  select coalesce(array_agg(f.task_uuid order by f.place) filter (where not f.beyond), '{}'),
         (array_agg(f.last order by f.place) filter (where f.beyond))[1], min(f.place) filter (where f.beyond) - 1
    into v_tasks, v_last, v_read
    from (
      select c.task_uuid, c.place, c.last, c.beyond
        from (
          -- The size of a compressed context counts four times.
          select t.*, row_number() over w as place, lag(t.task_uuid) over w as last, v_filtered and row_number() over w > v_most
                 or p_where is not null
                    and coalesce(sum(pg_column_size(t.context) * case when pg_column_compression(t.context) is null then 1 else 4 end) over w, 0) > 1000::bigint * v_most as beyond
            from (
              select t.*
                from tasker.tasks as t
                -- The newest path in the task's log. Paths into these states are rare.
                left join tasker.task_log as l
                  on v_by_log
                 and l.task_uuid = t.task_uuid
                 and l.sort_key = t.transition_count
               where (v_templates is null or t.named_task_uuid = any (v_templates))
                 and (v_state is null or t.state = v_state)
                 and (not v_open or not t.complete)
                 and (not v_by_log or l.path >= 1000 and l.path / 1000 = v_ending)
                 -- Open tasks are few. Their partial index finds them without the ended tasks.
                 and (v_state is null or v_by_log or v_state = 'complete' or not t.complete)
                 and (p_tags is null or t.tags @> p_tags)
                 -- All tasks with a requested tag satisfy this condition. It lets the planner use the index of the
                 -- tasks with tags.
                 and (p_tags is null or p_tags = '{}' or t.tags <> '{}')
                 and (p_correlation_id is null or t.correlation_id = p_correlation_id)
                 and (p_requested_after is null or t.task_uuid >= tasker.uuid_v7_floor(p_requested_after))
                 and (p_requested_before is null or t.task_uuid < tasker.uuid_v7_floor(p_requested_before))
                 and (p_before is null or t.task_uuid < p_before)
                 and (p_after is null or t.task_uuid > p_after)
                 and (v_keyed is null or t.task_uuid = any (v_keyed))
                 and (v_searched is null or t.task_uuid = any (v_searched))
                 and (p_parent_task_uuid is null or t.task_uuid = any (array(
                   select u.task_uuid
                     from tasker.workflow_steps as s
                    cross join unnest(coalesce(s.child_task_uuids, array[s.child_task_uuid])) as u (task_uuid)
                    where s.task_uuid = p_parent_task_uuid
                 )))
               order by case when v_searched is not null then (v_found.places ->> t.task_uuid::text)::integer end,
                        case when p_after is not null then t.task_uuid end, t.task_uuid desc
               limit case when v_filtered then v_most + 1 else v_limit end
            ) as t
          window w as (rows between unbounded preceding and 1 preceding)
        ) as c
       where c.beyond
          or (p_initiator is null or c.initiator = p_initiator)
         and (p_schedule is null or c.source_system = 'schedule' and c.headers ->> 'schedule' = p_schedule)
         and (p_longer_than is null or coalesce(c.completed_at, tasker.clock()) - c.requested_at >= p_longer_than)
         and (coalesce(p_handler, p_step, p_error) is null or exists (
           select
             from tasker.workflow_steps as s
             join tasker.named_steps as h
               on h.named_step_uuid = s.named_step_uuid
            where s.task_uuid = c.task_uuid
              and (p_handler is null or h.name = p_handler)
              and (p_step is null or s.name = p_step)
              and (p_error is null or position(lower(p_error) in lower(s.last_error)) > 0)
           offset 0
         ))
         and (p_where is null or tasker.context_matches(c.context, p_where::jsonpath))
       limit v_limit
    ) as f;
  if v_last is not null then
    raise exception using
      errcode = 'TK422',
      message = format('the list has read %s tasks without filling the page', to_char(v_read, 'FM999,999,999')),
      detail  = format('Tasks found: %s.', case
        when v_tasks = '{}' then 'none'
        when cardinality(v_tasks) <= 10 then array_to_string(v_tasks, ', ')
        else format('%s, of which the first are %s', cardinality(v_tasks), array_to_string(v_tasks[:10], ', ')) end),
      hint    = case when v_tasks <> '{}' then format('A limit of %s lists them. ', cardinality(v_tasks)) else '' end
        || 'Narrow the list by time, by a tag, by a condition on an attribute, or by a state. '
        || format('%s => %L goes on where the list has stopped.', v_next, v_last);
  elsif v_found.cut and cardinality(v_tasks) < v_limit and v_limit <= 10000 then
    raise exception using
      errcode = 'TK422',
      message = 'the search has read 10,000 tasks without filling the page',
      hint    = 'Narrow the search by time, by another attribute as the first condition, or by the sort.';
  end if;

  return query
  select
    t.task_uuid, n.name, k.name, k.version, t.state, t.complete, t.priority,
    t.total_steps, t.open_steps, t.active_steps, t.retrying_steps, t.suspended_steps, t.failed_steps,
    t.requested_at, t.updated_at, t.started_at, t.completed_at, t.deadline, t.processor_uuid,
    t.correlation_id, t.parent_correlation_id, t.initiator, t.source_system, t.reason,
    t.tags, t.headers, null::jsonb, t.parent_step_uuid, t.depth,
    nullif(t.undo, '{}'), tasker.task_is_blocked(t.state, k.on_failure, t.undo), t.erased_at, tasker.task_is_held(t.task_uuid)
    from unnest(v_tasks) with ordinality as u (task_uuid, place)
   cross join lateral (
     select t.* from tasker.tasks as t where t.task_uuid = u.task_uuid offset 0
   ) as t
    join tasker.named_tasks as k
      on k.named_task_uuid = t.named_task_uuid
    join tasker.task_namespaces as n
      on n.task_namespace_uuid = k.task_namespace_uuid
   order by u.place;
end;
$$;

comment on function tasker.list_tasks is
$$Returns the tasks that match all filters, newest first, without their contexts. A null argument does not filter.
p_tags finds tasks that have all these tags. p_state is a state, or "open" for all tasks that have not ended.
p_parent_task_uuid finds tasks that steps of this task started last. p_schedule finds tasks of the schedule with this
name. p_handler, p_step and p_error find tasks that have one step with this handler, this name and this text in its last
error. p_longer_than finds tasks that took at least this time, or are open for at least this time. p_where is a jsonpath
that is true of the context, such as $.total > 100, or that finds a value in the context. In an encrypted context it
sees only the fields in the clear. p_attributes are conditions on attributes that templates declare, such as customer=42
or total>=100. p_sort is the attribute by which the tasks are sorted, with - in front of its name for the largest value
first. A condition that is a range sorts by its attribute if p_sort is null. A bound caller sees only its own
namespaces.

For the next page, pass the UUID of the last task as p_before, also if the tasks are sorted by an attribute. With
p_after the oldest tasks come first, beginning after this task. The UUID of zeros is before all tasks. The filters
p_initiator, p_schedule, p_handler, p_step, p_error, p_longer_than and p_where have no index. With such a filter the
function reads at most as many tasks that match the other filters as the setting list_reads allows. With p_where it also
reads at most 1,000 bytes of context for each of these tasks on average. A search by attributes reads at most 10,001
entries of an index. A page has p_limit tasks (default 100, at most 10,000). Raises TK422 for an unknown state, a limit
out of range, or an attribute that no template declares. Raises TK422 if p_where is no jsonpath, may cost more than one
walk through a context, or reads only encrypted fields. Raises TK422 if the function may read no further task before the
page is full. Raises TK403 if the caller is bound to other namespaces.$$;

grant execute on function tasker.list_tasks to tasker_orchestrator, tasker_operator, tasker_reader;
