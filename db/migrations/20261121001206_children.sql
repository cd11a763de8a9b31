-- children: steps that start tasks of other templates, notes between tasks
-- Composed from db/schema: edit there, then compose again. Frozen by the first release tag.

-- migrate:up
set local citus.enable_ddl_propagation = off; -- Citus would repeat this on its worker nodes
set local role tasker_owner;

-- >>> db/schema/functions/kernel/graph/private/child_value.sql
create or replace function tasker.child_value(p_value jsonb, p_context jsonb, p_results jsonb, p_inputs jsonb default '{}')
  returns jsonb
  language sql
  immutable
  parallel safe
begin atomic
  select case
    when jsonb_typeof(p_value) = 'object' and p_value ? 'value' and p_value - 'value' = '{}' then p_value -> 'value'
    when not tasker.is_child_reference(p_value) then p_value
    when jsonb_typeof(p_value) = 'string' then jsonb_path_query_first(
      p_context, tasker.stored_path(p_value #>> '{}'), jsonb_build_object('inputs', p_inputs), true
    )
    else jsonb_path_query_first(
      case when p_value ? 'step' then p_results -> (p_value ->> 'step') else p_context end,
      tasker.stored_path(coalesce(p_value ->> 'path', '$')), jsonb_build_object('inputs', p_inputs), true
    )
  end;
end;

comment on function tasker.child_value is
$$Returns a value for the context of a child task: the value that a reference finds in the parent's context, in the
results of a step, or in the step's own inputs ($inputs), and null if the reference finds no value. For an object
{"value": …}, returns that value. Returns any other value unchanged.$$;
-- <<<

-- >>> db/schema/functions/features/children/private/child_context.sql
create or replace function tasker.child_context(p_parent tasker.tasks, p_step_no integer, p_task jsonb)
  returns jsonb
  language plpgsql
  stable
as $$
declare
  v_spec    jsonb := p_task -> 'context';
  v_inputs  jsonb := (
    select s.inputs from tasker.workflow_steps as s where s.task_uuid = p_parent.task_uuid and s.step_no = p_step_no
  );
  v_results jsonb;
  v_context jsonb;
begin
  if p_task ? 'input' then
    return p_task -> 'input'; -- a task that a durable function starts
  elsif v_spec is null then
    return p_parent.context;
  end if;
  if jsonb_path_exists(v_spec, '$.step') or jsonb_path_exists(v_spec, '$.*.step') then
    select jsonb_object_agg(p.name, p.results)
      into v_results
      from tasker.step_parents(p_parent.task_uuid, p_parent.named_task_uuid, p_parent.has_added_edges, p_step_no) as e
     cross join lateral (
       select p.name, tasker.edge_result('$', p.results, p.expansion, p.task_uuid, p.step_no) as results
         from tasker.workflow_steps as p
        where p.task_uuid = p_parent.task_uuid
          and p.step_no = e.from_step_no
          and p.state in ('complete', 'resolved_manually')
       offset 0
     ) as p;
  end if;

  if not tasker.is_child_reference(v_spec) then
    select coalesce(jsonb_object_agg(f.key, f.value) filter (where f.value is not null), '{}')
      into v_context
      from (
        select s.key, tasker.child_value(s.value, p_parent.context, v_results, v_inputs) as value
          from jsonb_each(v_spec) as s
      ) as f;
    return v_context;
  end if;
  v_context := tasker.child_value(v_spec, p_parent.context, v_results, v_inputs);
  if jsonb_typeof(v_context) is distinct from 'object' then
    raise exception using
      errcode = 'TK422',
      message = format('the context for task "%s" is %s, not an object', p_task ->> 'name', coalesce(jsonb_typeof(v_context), 'nothing')),
      detail  = format('The template takes it from %s.', v_spec),
      hint    = 'Refer to an object, or put the value into one: {"order": "$.order"}.';
  end if;
  return v_context;
end;
$$;

comment on function tasker.child_context is
$$Returns the context of the task that a step starts. If the template names no context, the context is the parent's context. Otherwise it is the object that the template refers to, or an object with a value for each field. A field whose value is not found is left out. Raises TK422 if the template refers to a value that is not an object.$$;
-- <<<

-- >>> db/schema/functions/features/children/private/check_creator.sql
create or replace function tasker.check_creator(p_parent tasker.tasks, p_namespace text)
  returns void
  language plpgsql
  stable
as $$
declare
  v_bound text[];
begin
  if p_namespace <> all (p_parent.creator_namespaces) then
    raise exception using
      errcode = 'TK403',
      message = format('the session that created the task, or its schedule, may not work in namespace "%s"', p_namespace),
      detail  = format(
        'That session was restricted to %s.', coalesce(nullif(array_to_string(p_parent.creator_namespaces[:10], ', '), ''), 'no namespace')
      ),
      hint    = 'Let a session that may work in both namespaces create the task, or set the schedule.';
  end if;

  -- A task of a schedule has no login, because any session may fire the schedule.
  if p_parent.login is null or not exists (select from tasker.role_bindings) then
    return;
  end if;
  v_bound := tasker.narrowed(tasker.named_role_namespaces(p_parent.login), tasker.named_role_namespaces(p_parent.role));
  if v_bound is not null and p_namespace <> all (v_bound) then
    raise exception using
      errcode = 'TK403',
      message = format('"%s", which created the task, is not bound to namespace "%s"', coalesce(p_parent.role, p_parent.login), p_namespace),
      hint    = 'Bind the role with tasker.bind_role(), or let another role create the task.';
  end if;
end;
$$;

comment on function tasker.check_creator is
$$Raises TK403 if a task is about to start another task in this namespace, but the session or the roles that created the task, or set its schedule, may not work in this namespace.$$;
-- <<<

-- >>> db/schema/functions/features/children/private/note_child_end.sql
create or replace function tasker.note_child_end(p_task_uuids uuid[])
  returns void
  language plpgsql
as $$
begin
  insert into tasker.timers (task_uuid, kind, due_at, namespace)
  select u.task_uuid, 'child_ended', tasker.clock(), tasker.namespace_of_task(u.task_uuid)
    from unnest(p_task_uuids) as u (task_uuid)
  on conflict (task_uuid, step_no, kind) do update
     set due_at = excluded.due_at;
  perform tasker.notify_orchestrators();
end;
$$;

comment on function tasker.note_child_end is
$$Writes notes that these tasks, which steps of other tasks wait for, have ended. tasker.fire_notes later moves the steps. The caller holds the tasks' locks.$$;
-- <<<

-- >>> db/schema/functions/features/children/private/make_child.sql
create or replace function tasker.make_child(p_parent tasker.tasks, p_step_no integer, p_task jsonb)
  returns uuid
  language plpgsql
as $$
declare
  v_namespace text := coalesce(p_task ->> 'namespace', tasker.namespace_of_task(p_parent.task_uuid));
  v_limit     integer := tasker.setting_integer('max_task_depth');
  v_context   jsonb;
  v_template  tasker.creation_templates;
  v_task      tasker.tasks;
  v_new       uuid[];
  v_ok        text;
begin
  if p_parent.depth >= v_limit then
    raise exception using
      errcode = 'TK422',
      message = format('tasks start tasks in more than %s levels', v_limit),
      hint    = 'A template that starts itself needs an end; the setting "max_task_depth" is the limit.';
  end if;
  v_ok := tasker.check_creator(p_parent, v_namespace);
  v_context := tasker.child_context(p_parent, p_step_no, p_task);
  v_template := tasker.find_template(v_namespace, p_task ->> 'name', p_task ->> 'version');
  -- The step's row has the task's UUID, so no identity is needed. An identity would be a row that another transaction may
  -- have locked.
  v_template.identity_strategy := 'always_unique';
  v_ok := tasker.check_task_requests(v_template, v_namespace || '/' || (p_task ->> 'name'), array[v_context], null, null);
  if v_template.runs is not null then
    v_ok := tasker.admit_one(v_template, v_namespace, p_task ->> 'name', v_context);
  end if;

  v_task := tasker.task_prototype(
    v_template, v_template.runs is null, p_parent.priority, null, p_parent.initiator, 'task', null, null, p_parent.correlation_id,
    p_parent.headers, null, case when p_parent.deadline > tasker.clock() then p_parent.deadline end
  );
  v_task.parent_step_uuid := tasker.step_uuid(p_parent.task_uuid, p_step_no);
  v_task.depth := p_parent.depth + 1;
  v_task.login := p_parent.login;
  v_task.role := p_parent.role;
  v_task.creator_namespaces := p_parent.creator_namespaces;
  v_new := tasker.insert_tasks(
    v_task, tasker.mint_task_uuids(1, v_template.range_ends_at), array[v_context], array[null]::bytea[], false
  );
  v_ok := tasker.insert_steps(v_task.named_task_uuid, v_new, v_namespace, v_task.requested_at, v_task.priority, v_template.runs is null);
  if v_task.deadline is not null and v_task.state <> 'complete' then
    v_ok := tasker.schedule_new_tasks(v_task, v_new, v_namespace, case when v_template.runs is not null then 'infinity'::timestamptz end);
  end if;
  if v_template.runs is not null then
    v_ok := tasker.start_new_tasks(v_template, v_new);
  elsif v_template.root_effects <> 0 or v_template.has_maps then
    v_ok := tasker.roots_born(v_task.named_task_uuid, v_new, v_task.requested_at, v_template.root_effects);
  end if;
  if v_template.runs is null then
    v_ok := tasker.log_new_tasks(v_template, v_new, v_task.requested_at);
  end if;
  if v_task.state = 'complete' then
    v_ok := tasker.note_child_end(v_new);
  end if;
  if v_template.transport = 'pgmq' and v_task.active_steps > 0 then
    v_ok := tasker.announce_steps(v_namespace, v_new);
  end if;
  v_ok := tasker.notify_new_tasks(
    v_namespace, v_template.notify, v_task.state, v_new, v_template.transport <> 'pgmq' and v_task.active_steps > 0
  );
  return v_new[1];
end;
$$;

comment on function tasker.make_child is
$$Creates a task that a step starts, and returns the UUID, which the caller writes into the step. The task has the parent's
priority, deadline, headers, initiator and creator, but no identity. The call waits for no other transaction. Raises the
errors of create_task, TK422 if the task would be deeper than the setting "max_task_depth", TK403 if the parent's creator
may not work in the namespace. The caller holds the parent's lock.$$;
-- <<<

-- >>> db/schema/functions/features/children/private/task_result.sql
create or replace function tasker.task_result(p_task_uuid uuid, p_bytes bigint)
  returns jsonb
  language plpgsql
  stable
as $$
begin
  return (
    -- Do not put results beyond the limit together, because PostgreSQL refuses a value of 256 MB.
    select case
      when coalesce(max(r.bytes), 0) <= p_bytes
        then coalesce(jsonb_object_agg(r.name, coalesce(r.results, 'null')) filter (where r.bytes <= p_bytes), '{}')
    end
      from (
        select s.name, s.results, sum(coalesce(octet_length(s.results::text), 4)) over (order by s.step_no) as bytes
          from tasker.tasks as t
         cross join lateral (
           select s.name, tasker.edge_result('$', s.results, s.expansion, s.task_uuid, s.step_no) as results, s.step_no
             from tasker.workflow_steps as s
            where s.task_uuid = t.task_uuid
              and s.state in ('complete', 'resolved_manually')
           offset 0
         ) as s
         where t.task_uuid = p_task_uuid
           and not exists (
             select from tasker.step_children(t.task_uuid, t.named_task_uuid, t.has_added_edges, s.step_no)
           )
      ) as r
  );
end;
$$;

comment on function tasker.task_result is
$$Returns the result of a task: an object with the results of its last steps by name. The last steps are the steps on which no other step depends. Steps that were skipped, cancelled or never ran are left out. Returns null if the results have more than p_bytes bytes.$$;
-- <<<

-- >>> db/schema/functions/features/children/private/child_failure.sql
create or replace function tasker.child_failure(p_task_uuid uuid)
  returns text
  language plpgsql
  stable
as $$
begin
  return coalesce(
    (
      select format('step "%s": %s', s.name, left(s.last_error, 500))
        from tasker.workflow_steps as s
       where s.task_uuid = p_task_uuid
         and (s.state = 'error' or s.state = 'cancelled' and s.effects & 1024 <> 0)
         and s.last_error is not null
       order by s.state <> 'error', s.last_failure_at, s.step_no
       limit 1
    ),
    (
      select left(l.reason, 500)
        from tasker.task_log as l
       where l.task_uuid = p_task_uuid
       order by l.sort_key desc
       limit 1
    ),
    'no error was recorded'
  );
end;
$$;

comment on function tasker.child_failure is
$$Returns why a task failed, in words: its first failed step with its error, or the reason of its last transition.$$;
-- <<<

-- >>> db/schema/functions/features/children/private/child_end_moves.sql
create or replace function tasker.child_end_moves(p_task_uuids uuid[], p_parents uuid[])
  returns tasker.step_moves[]
  language plpgsql
  stable
as $$
declare
  v_settings tasker.settings_now;
  v_child    record;
  v_result   jsonb;
  v_move     tasker.step_moves;
  v_moves    tasker.step_moves[] := '{}';
begin
  select c.* into v_settings from tasker.settings_now as c;
  for v_child in
    select t.task_uuid, t.state, s.task_uuid as parent, s.step_no, s.retryable, s.attempts, s.max_attempts,
           s.backoff_base_seconds, s.backoff_multiplier, s.max_backoff_seconds
      from unnest(p_task_uuids) as u (task_uuid)
     cross join lateral (
       select t.task_uuid, t.state, t.parent_step_uuid
         from tasker.tasks as t
        where t.task_uuid = u.task_uuid
          and t.complete
       offset 0
     ) as t
     cross join lateral (
       select s.*
         from tasker.workflow_steps as s
        where s.task_uuid = tasker.task_uuid_of(t.parent_step_uuid)
          and s.step_no = tasker.step_no_of(t.parent_step_uuid)
          and s.state = 'suspended'
          and s.child_task_uuid = t.task_uuid
       offset 0
     ) as s
     where s.task_uuid = any (p_parents)
       -- If a step begins again, its start (start_child) checks the child's state.
       and not exists (
         select
           from tasker.timers as m
          where m.task_uuid = s.task_uuid
            and m.step_no = s.step_no
            and m.kind = 'start_child'
       )
     order by s.task_uuid, s.step_no
  loop
    if v_child.state in ('complete', 'resolved_manually') then
      v_result := tasker.task_result(v_child.task_uuid, v_settings.result_bytes);
      if octet_length(v_result::text) <= v_settings.result_bytes then
        v_move := tasker.ended_wait(v_child.parent, v_child.step_no, null, 'complete', null, null, null);
        v_move.result := v_result;
        v_move.metadata := jsonb_build_object('child_task_uuid', v_child.task_uuid);
      else
        v_move := tasker.ended_wait(v_child.parent, v_child.step_no, null, 'fail', null, format(
          'the results of task %s have more than %s bytes, the setting "result_bytes"', v_child.task_uuid, v_settings.result_bytes
        ), null);
      end if;
    elsif v_child.state = 'cancelled' then
      v_move := tasker.ended_wait(
        v_child.parent, v_child.step_no, null, 'fail', null, format('task %s was cancelled', v_child.task_uuid), null
      );
    else
      v_move := tasker.ended_wait(v_child.parent, v_child.step_no, null, 'fail', null, format(
        'task %s failed: %s', v_child.task_uuid, tasker.child_failure(v_child.task_uuid)
      ), null);
      v_move.to_state := tasker.result_state(true, false, v_child.retryable, v_child.attempts + 1, v_child.max_attempts);
      if v_move.to_state = 'waiting_for_retry' then
        v_move.event := 'WaitForRetry';
        v_move.metadata := jsonb_build_object('error', v_move.error);
        v_move.next_retry_at := tasker.retry_at(
          tasker.write_clock(), v_settings, v_child.attempts + 1, null,
          v_child.backoff_base_seconds, v_child.backoff_multiplier, v_child.max_backoff_seconds
        );
      end if;
    end if;
    v_moves := v_moves || v_move;
  end loop;
  return v_moves;
end;
$$;

comment on function tasker.child_end_moves is
$$Returns the moves of the steps that wait for these tasks, if the task has ended and its parent is in p_parents. A task's
result completes the waiting step. After a task's failure, the step is retried by its retry policy. A cancelled task, or a
result larger than the setting "result_bytes", fails the step for good. The caller holds the locks of the tasks and of the
parents.$$;
-- <<<

-- >>> db/schema/functions/features/children/private/later_start.sql
create or replace function tasker.later_start(p_note tasker.timers)
  returns interval
  language plpgsql
  stable
as $$
begin
  return (
    select least(greatest(tasker.clock() - s.moved_at, interval '10 seconds'), interval '10 minutes')
      from tasker.workflow_steps as s
     where s.task_uuid = p_note.task_uuid
       and s.step_no = p_note.step_no
  );
end;
$$;

comment on function tasker.later_start is
$$Returns the delay until the start of a step's task is tried again after an error of the server. The delay is the time that the step has waited so far, at least 10 seconds and at most 10 minutes, so that the total wait doubles with each try.$$;
-- <<<

-- >>> db/schema/functions/features/children/private/tree_is_full.sql
create or replace function tasker.tree_is_full(p_root uuid, p_limit integer)
  returns boolean
  language plpgsql
  stable
as $$
begin
  return (
    with recursive tree (task_uuid) as (
      select p_root
      union all
      select u.task_uuid
        from tree as t
       cross join lateral (
         select s.child_task_uuid, s.child_task_uuids
           from tasker.workflow_steps as s
          where s.task_uuid = t.task_uuid
            and (s.child_task_uuid is not null or s.child_task_uuids is not null)
         offset 0
       ) as s
       cross join unnest(coalesce(s.child_task_uuids, array[s.child_task_uuid])) as u (task_uuid)
    )
    select count(*) > p_limit
      from (select from tree limit p_limit + 1) as t
  );
end;
$$;

comment on function tasker.tree_is_full is
$$Returns true if there are at least p_limit tasks below a root. Reads the steps of at most p_limit + 1 tasks.$$;
-- <<<

-- >>> db/schema/functions/features/children/private/tree_problem.sql
create or replace function tasker.tree_problem(p_parent tasker.tasks)
  returns text
  language plpgsql
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_limit  integer := tasker.setting_integer('max_task_tree');
  v_root   uuid;
  v_doomed boolean;
begin
  with recursive ancestors (level, task_uuid, step_uuid, doomed, detached) as (
    select 0, p_parent.task_uuid, p_parent.parent_step_uuid, false, false
    union all
    select
      a.level + 1, t.task_uuid, t.parent_step_uuid,
      a.doomed or not a.detached and exists (
        select
          from (values (t.task_uuid, tasker.step_no_of(a.step_uuid)), (a.task_uuid, 0)) as n (task_uuid, step_no)
          join tasker.timers as m
            on m.task_uuid = n.task_uuid
           and m.step_no = n.step_no
           and m.kind = 'cancel_child'
      ),
      a.detached or s.abandons
      from ancestors as a
     cross join lateral (
       select s.await @> '{"task": {"abandon": true}}' as abandons
         from tasker.workflow_steps as s
        where s.task_uuid = tasker.task_uuid_of(a.step_uuid)
          and s.step_no = tasker.step_no_of(a.step_uuid)
       offset 0
     ) as s
     cross join lateral (
       select t.task_uuid, t.parent_step_uuid
         from tasker.tasks as t
        where t.task_uuid = tasker.task_uuid_of(a.step_uuid)
       offset 0
     ) as t
  )
  select (array_agg(a.task_uuid order by a.level desc))[1], bool_or(a.doomed)
    into v_root, v_doomed
    from ancestors as a;
  if v_doomed then
    return 'later';
  end if;

  if not exists (select from tasker.full_trees as f where f.task_uuid = v_root) then
    -- Count at random, on average ten times until the tree is full. An exact counter would be a row that all children
    -- lock.
    if random() >= 10.0 / v_limit or not tasker.tree_is_full(v_root, v_limit) then
      return null;
    end if;
    delete from tasker.full_trees as f
     where not exists (select from tasker.tasks as t where t.task_uuid = f.task_uuid and not t.complete);
    insert into tasker.full_trees (task_uuid) values (v_root) on conflict (task_uuid) do nothing;
  end if;
  return format('more than %s tasks stand below task %s; the setting "max_task_tree" is the limit', v_limit, v_root);
end;
$$;

comment on function tasker.tree_problem is
$$Returns the reason why a step of a task that another task started cannot start a task now, or null if it can. Returns "later" if a note that cancels an ancestor has not been fired yet. An ancestor whose step no longer waits, but that has no such note, does not count: its step ended before the ancestor was reset, and the ancestor runs on its own. Returns a sentence if there are about as many tasks below the root as the setting "max_task_tree" allows. The count is made at random, about ten times until a tree is full, and a full root is recorded. Takes no lock that other starts wait for.$$;
-- <<<

-- >>> db/schema/functions/features/children/private/start_child.sql
create or replace function tasker.start_child(p_task_uuid uuid, p_step_no integer, p_processor uuid)
  returns text
  language plpgsql
as $$
declare
  v_parent tasker.tasks;
  v_child  tasker.tasks;
  v_step   record;
  v_tree   text;
begin
  select s.await, s.child_task_uuid
    into v_step
    from tasker.workflow_steps as s
   where s.task_uuid = p_task_uuid
     and s.step_no = p_step_no
     and s.state = 'suspended'
     and s.await ? 'task';
  if not found then
    return null;
  end if;

  if exists (
    select
      from tasker.tasks as t
     where t.task_uuid = v_step.child_task_uuid
       and t.state <> 'cancelled'
       and (t.complete and t.undo ? 'phase') is not true
  ) then
    if tasker.lock_tasks(array[v_step.child_task_uuid]) = '{}' then
      return 'busy';
    end if;
    select t.* into v_child from tasker.tasks as t where t.task_uuid = v_step.child_task_uuid;
  end if;
  if v_child.state in ('complete', 'resolved_manually') then
    perform tasker.note_child_end(array[v_child.task_uuid]);
  elsif v_child.state <> 'cancelled' then
    -- A failed or blocked task is reset and continues from its failed steps. A running task just continues.
    if tasker.reset_locked_task(v_child, 'retried by its parent', 'task ' || p_task_uuid) then
      perform tasker.advance_tasks(array[v_child.task_uuid], p_processor);
    end if;
  else
    v_parent := tasker.starting_parent(p_task_uuid);
    if v_parent.parent_step_uuid is not null then
      v_tree := tasker.tree_problem(v_parent);
      if v_tree is not null then
        return v_tree;
      end if;
    end if;
    update tasker.workflow_steps as s
       set child_task_uuid = tasker.make_child(v_parent, p_step_no, v_step.await -> 'task')
     where s.task_uuid = p_task_uuid
       and s.step_no = p_step_no;
  end if;
  return null;
exception
  -- A missing template or a context that is too large fails the step. Such an error must not fail the claim that found
  -- the note due.
  when others then
    -- Another transaction has locked the runs of the task's key.
    if sqlstate = 'TK409' and starts_with(sqlerrm, 'another transaction has the runs of key') then
      return 'busy';
    end if;
    -- An error that would come again at the next try fails the step, too. Only errors of the server's state can pass.
    if sqlstate like 'TK%' or left(sqlstate, 2) not in ('40', '53', '55', '57', '58') then
      return left(sqlerrm, 1000);
    end if;
    raise warning 'the task of step % of task % cannot be started yet: %', p_step_no, p_task_uuid, sqlerrm;
    return 'later';
end;
$$;

comment on function tasker.start_child is
$$Starts the task of a suspended step, or continues the task that the step already has: resets a failed task, takes the result of a finished task, and replaces a cancelled, undone or dropped task. Returns null if the task was started or continued, and "busy" if another transaction has the task locked. Returns "later" after an error of the server that can pass, such as a full disk, or while an ancestor is being cancelled. Otherwise returns the reason why the task cannot be started. The caller holds the parent's lock and the note.$$;
-- <<<

-- >>> db/schema/functions/features/children/private/start_children.sql
create or replace function tasker.start_children(p_due tasker.timers[], p_processor uuid)
  returns tasker.timers[]
  language plpgsql
as $$
declare
  v_note     tasker.timers;
  v_error    text;
  v_function boolean;
  v_moves    tasker.step_moves[] := '{}';
  v_later    tasker.timers[]     := '{}';
begin
  for v_note in select d.* from unnest(p_due) as d where d.kind = 'start_child' order by d.task_uuid, d.step_no loop
    v_function := exists (
      select
        from tasker.workflow_steps as s
       where s.task_uuid = v_note.task_uuid
         and s.step_no = v_note.step_no
         and s.await is null
    );
    v_error := case
      when v_function then tasker.start_tasks(v_note.task_uuid, v_note.step_no)
      else tasker.start_child(v_note.task_uuid, v_note.step_no, p_processor)
    end;
    if v_error in ('busy', 'later') then
      v_note.due_at := tasker.clock() + case v_error when 'busy' then interval '100 milliseconds' else tasker.later_start(v_note) end;
      v_later := v_later || v_note;
    elsif v_function and v_error is not null then
      v_moves := v_moves || tasker.ended_wait(
        v_note.task_uuid, v_note.step_no, 'task', null, jsonb_build_object('error', v_error), null, null, true
      );
    elsif v_error is not null then
      v_moves := v_moves || tasker.ended_wait(v_note.task_uuid, v_note.step_no, null, 'fail', null, v_error, null);
    end if;
  end loop;
  if cardinality(v_moves) > 0 then
    perform tasker.apply_moves(
      v_moves, tasker.task_facts(array(select m.task_uuid from unnest(v_moves) as m)), p_processor
    );
  end if;
  return v_later;
end;
$$;

comment on function tasker.start_children is
$$Starts the tasks that steps wait for, each in a subtransaction. If a task cannot be started, fails its step, or ends the wait of its durable function with the error. Returns the notes to try again, with the time of the next try. The caller holds the notes and the parents' locks.$$;
-- <<<

-- >>> db/schema/functions/features/children/private/tell_parents.sql
create or replace function tasker.tell_parents(p_due tasker.timers[], p_processor uuid)
  returns tasker.timers[]
  language plpgsql
as $$
declare
  v_children uuid[];
  v_parents  uuid[];
  v_locked   uuid[];
  v_moves    tasker.step_moves[];
begin
  select array_agg(t.task_uuid order by t.task_uuid), array_agg(t.parent order by t.task_uuid)
    into v_children, v_parents
    from unnest(p_due) as d
   cross join lateral (
     select t.task_uuid, tasker.task_uuid_of(t.parent_step_uuid) as parent
       from tasker.tasks as t
      where t.task_uuid = d.task_uuid
        and t.complete
     offset 0
   ) as t
   where d.kind = 'child_ended'
     and exists (select from tasker.tasks as p where p.task_uuid = t.parent and not p.complete);
  if v_children is null then
    return '{}';
  end if;

  v_locked := tasker.lock_tasks(v_parents);
  v_moves := tasker.child_end_moves(v_children, v_locked) || tasker.run_end_moves(v_children, v_locked);
  if cardinality(v_moves) > 0 then
    perform tasker.apply_moves(
      v_moves, tasker.task_facts(array(select m.task_uuid from unnest(v_moves) as m)), p_processor
    );
    -- The end of the wait wrote a note that cancels the child. Delete the note, because the child has ended.
    delete from tasker.timers as n
     using unnest(v_moves) as m
     where n.task_uuid = any (array[m.task_uuid])
       and n.step_no = m.step_no
       and n.kind = 'cancel_child';
  end if;
  return array(
    select (u.task_uuid, 0, 'child_ended', tasker.clock() + interval '100 milliseconds', null, tasker.namespace_of_task(u.task_uuid))::tasker.timers
      from unnest(v_children, v_parents) as u (task_uuid, parent)
     where u.parent <> all (v_locked)
  );
end;
$$;

comment on function tasker.tell_parents is
$$Moves the steps that wait for tasks which have ended (tasker.child_end_moves, tasker.run_end_moves). Skips locked parent tasks, and returns their notes with the time of the next try. The caller holds the notes and the tasks' locks.$$;
-- <<<

-- >>> db/schema/functions/features/children/private/cancel_children.sql
create or replace function tasker.cancel_children(p_due tasker.timers[])
  returns tasker.timers[]
  language plpgsql
as $$
declare
  v_notes    tasker.timers[];
  v_children uuid[];
  v_locked   uuid[];
begin
  select array_agg(d order by c.task_uuid), array_agg(c.task_uuid order by c.task_uuid)
    into v_notes, v_children
    from unnest(p_due) as d
   cross join lateral (
     select t.task_uuid
       from tasker.workflow_steps as s
      cross join unnest(coalesce(s.child_task_uuids, array[s.child_task_uuid])) as u (task_uuid)
       join tasker.tasks as t
         on t.task_uuid = u.task_uuid
      where s.task_uuid = d.task_uuid
        and s.step_no = d.step_no
        -- If a function waits again, the tasks that it waits for now stay.
        and (s.state <> 'suspended' or s.child_task_uuids is not null and (s.wait -> 'started' ? t.task_uuid::text) is not true)
        and t.parent_step_uuid = s.workflow_step_uuid
        and not t.complete
     offset 0
   ) as c
   where d.kind = 'cancel_child';
  -- A note with step number 0 names the task to cancel, because the step that started this task no longer names it. The
  -- caller holds the lock of the task.
  perform tasker.move_task(t.task, 'Cancel', 'cancelled', null, '{"reason": "the step that started it runs again"}', 'task ' || t.parent)
     from (
       select d.task_uuid
         from unnest(p_due) as d
        where d.kind = 'cancel_child'
          and d.step_no = 0
        order by d.task_uuid
     ) as d
    cross join lateral (
      select t as task, tasker.task_uuid_of(t.parent_step_uuid) as parent
        from tasker.tasks as t
       where t.task_uuid = d.task_uuid
         and not t.complete
         and not tasker.is_undone(t.undo)
      offset 0
    ) as t;
  if v_children is null then
    return '{}';
  end if;

  v_locked := tasker.lock_tasks(v_children);
  perform tasker.move_task(t.task, 'Cancel', 'cancelled', null, '{"reason": "the step that waited for it has ended"}', 'task ' || t.parent)
     from (
       select u.task_uuid
         from unnest(v_locked) as u (task_uuid)
        order by u.task_uuid
     ) as u
    cross join lateral (
      select t as task, tasker.task_uuid_of(t.parent_step_uuid) as parent
        from tasker.tasks as t
       where t.task_uuid = u.task_uuid
         and not t.complete
      offset 0
    ) as t;
  return array(
    select (u.task_uuid, u.step_no, u.kind, tasker.clock() + interval '100 milliseconds', null, u.namespace)::tasker.timers
      from unnest(v_notes) with ordinality as u
     where v_children[u.ordinality] <> all (v_locked)
  );
end;
$$;

comment on function tasker.cancel_children is
$$Cancels the open tasks that steps started and no longer wait for, because the step has ended or runs again. Skips locked tasks, and returns their notes with the time of the next try. The caller holds the notes and the parents' locks.$$;
-- <<<

-- >>> db/schema/functions/features/children/private/replace_children.sql
create or replace function tasker.replace_children(p_task_uuid uuid, p_step_nos integer[])
  returns void
  language plpgsql
as $$
begin
  -- The note has the key of the task that it cancels, because the step no longer names that task, and may name another
  -- task when the note is fired.
  insert into tasker.timers (task_uuid, kind, due_at, namespace)
  select c.task_uuid, 'cancel_child', tasker.write_clock(), tasker.namespace_of_task(c.task_uuid)
    from unnest(p_step_nos) as u (step_no)
   cross join lateral (
     select s.child_task_uuid
       from tasker.workflow_steps as s
      where s.task_uuid = p_task_uuid
        and s.step_no = u.step_no
        and s.child_task_uuid is not null
        and not s.await @> '{"task": {"abandon": true}}'
     offset 0
   ) as s
   cross join lateral (
     select c.task_uuid
       from tasker.tasks as c
      where c.task_uuid = s.child_task_uuid
        and not c.complete
     offset 0
   ) as c
  on conflict (task_uuid, step_no, kind) do nothing;
  if found then
    perform tasker.notify_orchestrators();
  end if;
  update tasker.workflow_steps as s
     set child_task_uuid = null
   where s.task_uuid = p_task_uuid
     and s.step_no = any (p_step_nos)
     and s.child_task_uuid is not null;
end;
$$;

comment on function tasker.replace_children is
$$Lets steps that run again start new tasks. The steps no longer name the tasks that they started. Writes notes that cancel the former tasks that are open, unless the template abandons them. A former task that has ended does not change. The door steps_rerun calls this function, so the caller holds the locks of the steps and their task.$$;
-- <<<

-- >>> db/schema/functions/features/children/private/starting_parent.sql
create or replace function tasker.starting_parent(p_task_uuid uuid)
  returns tasker.tasks
  language plpgsql
  stable
as $$
declare
  v_parent tasker.tasks;
begin
  select t.* into v_parent from tasker.tasks as t where t.task_uuid = p_task_uuid;
  if v_parent.headers ? 'schedule' and exists (
    select
      from tasker.schedules as s
     where s.schedule = v_parent.headers ->> 'schedule'
       and p_task_uuid = any (s.running_tasks)
  ) then
    v_parent.login := null;
    v_parent.role := null;
  end if;
  return v_parent;
end;
$$;

comment on function tasker.starting_parent is
$$Returns a task whose step is about to start tasks. The login and role of the returned task become the creator of the started tasks. For a task of a schedule, login and role are null, because any session may fire the schedule.$$;
-- <<<

-- >>> db/schema/functions/features/children/private/start_tasks.sql
create or replace function tasker.start_tasks(p_task_uuid uuid, p_step_no integer)
  returns text
  language plpgsql
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_limit  integer := tasker.setting_integer('max_task_tree');
  v_parent tasker.tasks;
  v_step   record;
  v_tree   text;
  v_new    uuid[];
begin
  select s.wait -> 'tasks' as tasks, coalesce(cardinality(s.child_task_uuids), 0) as started
    into v_step
    from tasker.workflow_steps as s
   where s.task_uuid = p_task_uuid
     and s.step_no = p_step_no
     and s.state = 'suspended'
     and not s.wait ? 'started';
  if not found then
    return null;
  end if;
  v_parent := tasker.starting_parent(p_task_uuid);
  v_tree := case
    when v_step.started + jsonb_array_length(v_step.tasks) > v_limit then format(
      'more than %s tasks stand below task %s; the setting "max_task_tree" is the limit', v_limit, p_task_uuid
    )
    else tasker.tree_problem(v_parent)
  end;
  if v_tree is not null then
    return v_tree;
  end if;
  for v_no in 0..jsonb_array_length(v_step.tasks) - 1 loop
    v_new := v_new || tasker.make_child(v_parent, p_step_no, v_step.tasks -> v_no);
  end loop;
  update tasker.workflow_steps as s
     set child_task_uuids = s.child_task_uuids || v_new,
         wait             = s.wait || jsonb_build_object('started', v_new)
   where s.task_uuid = p_task_uuid
     and s.step_no = p_step_no;
  return null;
exception
  -- The same rule as in start_child. The function gets an error that would come again at the next try.
  when others then
    if sqlstate like 'TK%' or left(sqlstate, 2) not in ('40', '53', '55', '57', '58') then
      return left(sqlerrm, 1000);
    end if;
    raise warning 'the tasks of the function of step % of task % cannot be started yet: %', p_step_no, p_task_uuid, sqlerrm;
    return 'later';
end;
$$;

comment on function tasker.start_tasks is
$$Starts either all tasks that a suspended function waits for, or none of them. Returns null if the tasks were started, and "later" after an error of the server that can pass or while an ancestor is being cancelled. Otherwise returns the reason why the tasks cannot be started. The caller holds the parent's lock and the note.$$;
-- <<<

-- >>> db/schema/functions/features/children/private/run_end.sql
create or replace function tasker.run_end(p_started jsonb, p_bytes bigint)
  returns jsonb
  language plpgsql
  stable
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_no     integer;
  v_task   record;
  v_result jsonb;
  v_left   bigint := p_bytes;
  v_tasks  jsonb  := '[]';
begin
  -- Check the last task first, because tasks that were started first usually end first.
  for v_no in reverse jsonb_array_length(p_started) - 1..0 loop
    if exists (select from tasker.tasks as t where t.task_uuid = (p_started ->> v_no)::uuid and not t.complete) then
      return null;
    end if;
  end loop;
  for v_no in 0..jsonb_array_length(p_started) - 1 loop
    select u.task_uuid, t.state
      into v_task
      from (select (p_started ->> v_no)::uuid as task_uuid) as u
      left join tasker.tasks as t
        on t.task_uuid = u.task_uuid;
    v_result := jsonb_build_object('task_uuid', v_task.task_uuid);
    if v_task.state in ('complete', 'resolved_manually') then
      v_result := v_result || coalesce(
        jsonb_build_object('result', tasker.task_result(v_task.task_uuid, v_left)),
        '{}'
      );
      if v_result -> 'result' = 'null' then
        v_result := v_result - 'result' || jsonb_build_object('error', format(
          'the results of task %s and of those before it have more than %s bytes, the setting "result_bytes"', v_task.task_uuid, p_bytes
        ));
      else
        v_left := v_left - octet_length(v_result ->> 'result');
      end if;
    else
      v_result := v_result || jsonb_build_object('error', case
        when v_task.state = 'cancelled' then format('task %s was cancelled', v_task.task_uuid)
        when v_task.state is null then format('task %s is gone', v_task.task_uuid)
        else format('task %s failed: %s', v_task.task_uuid, tasker.child_failure(v_task.task_uuid))
      end);
    end if;
    v_tasks := v_tasks || v_result;
  end loop;
  return jsonb_build_object('tasks', v_tasks);
end;
$$;

comment on function tasker.run_end is
$$Returns the outcomes of the tasks that a function started, in the order of the tasks, each with its result or its error. All results together have at most p_bytes. Returns null while one of the tasks is open. The caller holds the lock of the function's task.$$;
-- <<<

-- >>> db/schema/functions/features/children/private/run_end_moves.sql
create or replace function tasker.run_end_moves(p_task_uuids uuid[], p_parents uuid[])
  returns tasker.step_moves[]
  language plpgsql
  stable
as $$
declare
  v_bytes bigint := tasker.setting_integer('result_bytes');
  v_step  record;
  v_end   jsonb;
  v_moves tasker.step_moves[] := '{}';
begin
  for v_step in
    select distinct s.task_uuid, s.step_no, s.wait -> 'started' as started
      from unnest(p_task_uuids) as u (task_uuid)
     cross join lateral (
       select t.task_uuid, t.parent_step_uuid
         from tasker.tasks as t
        where t.task_uuid = u.task_uuid
          and t.complete
       offset 0
     ) as t
     cross join lateral (
       select s.*
         from tasker.workflow_steps as s
        where s.task_uuid = tasker.task_uuid_of(t.parent_step_uuid)
          and s.step_no = tasker.step_no_of(t.parent_step_uuid)
          and s.state = 'suspended'
          and (s.wait ->> 'claim_no')::integer = s.claim_no
          and s.wait -> 'started' ? t.task_uuid::text
       offset 0
     ) as s
     where s.task_uuid = any (p_parents)
     order by s.task_uuid, s.step_no
  loop
    v_end := tasker.run_end(v_step.started, v_bytes);
    if v_end is not null then
      v_moves := v_moves || tasker.ended_wait(v_step.task_uuid, v_step.step_no, 'task', null, v_end, null, null, true);
    end if;
  end loop;
  return v_moves;
end;
$$;

comment on function tasker.run_end_moves is
$$Returns the moves of functions that wait for these tasks, if all tasks of the wait have ended and the parent is in p_parents. The move continues the function with the results. The caller holds the locks of the tasks and of the parents.$$;
-- <<<

-- >>> db/schema/functions/features/children/private/explain_runs.sql
create or replace function tasker.explain_runs(p_wait jsonb)
  returns text
  language plpgsql
  stable
as $$
declare
  v_name text := p_wait #>> '{tasks,0,name}';
  v_all  integer := jsonb_array_length(p_wait -> 'tasks');
  v_open record;
begin
  if not p_wait ? 'started' then
    return format('Its function is about to start %s tasks of "%s": the next claim or orchestrator does.', v_all, v_name);
  end if;
  select count(*) as count, min(t.task_uuid::text) as task_uuid, (array_agg(t.state order by t.task_uuid))[1] as state
    into v_open
    from jsonb_array_elements_text(p_wait -> 'started') as u (task_uuid)
   cross join lateral (
     select t.task_uuid, t.state
       from tasker.tasks as t
      where t.task_uuid = u.task_uuid::uuid
        and not t.complete
     offset 0
   ) as t;
  return format(
    'Its function waits for %s tasks, of which %s are open%s.', v_all, v_open.count,
    case when v_open.count > 0 then format(': task %s ("%s"), which is %s%s', v_open.task_uuid, v_name, v_open.state,
      case when v_open.count > 1 then ', and others' else '' end) else '' end
  );
end;
$$;

comment on function tasker.explain_runs is
$$Explains which tasks the durable function of a step waits for.$$;
-- <<<

-- >>> db/schema/functions/features/children/private/postpone_notes.sql
create or replace function tasker.postpone_notes(p_notes tasker.timers[])
  returns void
  language plpgsql
as $$
begin
  if cardinality(p_notes) > 0 then
    insert into tasker.timers (task_uuid, step_no, kind, due_at, namespace)
    select n.task_uuid, n.step_no, n.kind, n.due_at, n.namespace
      from unnest(p_notes) as n
    on conflict (task_uuid, step_no, kind) do nothing;
  end if;
end;
$$;

comment on function tasker.postpone_notes is
$$Writes notes again that could not be fired, with the time of the next try. The caller has deleted these notes and holds the locks of the tasks that wrote them.$$;
-- <<<

-- >>> db/schema/functions/features/children/private/fire_notes.sql
create or replace function tasker.fire_notes(p_due tasker.timers[], p_processor uuid)
  returns void
  language plpgsql
as $$
begin
  -- Delete the notes first, so that notes which the following calls write stay.
  delete from tasker.timers as m
   using unnest(p_due) as d
   where m.task_uuid = any (array[d.task_uuid])
     and m.step_no = d.step_no
     and m.kind = d.kind
     and d.kind in ('start_child', 'child_ended', 'cancel_child');

  -- Cancel before starting, because a cancelled task must not start tasks.
  perform tasker.postpone_notes(tasker.cancel_children(p_due));
  -- Start tasks before telling parents, because a step that begins again must not get the end of an earlier task.
  perform tasker.postpone_notes(tasker.start_children(p_due, p_processor));
  perform tasker.postpone_notes(tasker.tell_parents(p_due, p_processor));
end;
$$;

comment on function tasker.fire_notes is
$$Carries out notes between two tasks: starts the tasks that steps wait for, tells parents that a task has ended, and cancels tasks whose step no longer waits. If the other task of a note is locked, the note is tried again 100 ms later. The caller holds the notes and the locks of the tasks that wrote the notes.$$;
-- <<<

-- >>> db/schema/rows/features/children/task_tree_nodes.sql
create or replace view tasker.task_tree_nodes as
select
  0::integer as level,
  '00000000-0000-0000-0000-000000000000'::uuid as task_uuid,
  null::uuid as parent_task_uuid,
  null::uuid as parent_step_uuid,
  null::text as parent_step,
  null::text as namespace,
  null::text as name,
  null::text as version,
  null::tasker.task_state as state,
  null::integer as total_steps,
  null::integer as open_steps,
  null::integer as suspended_steps,
  null::integer as failed_steps,
  null::timestamptz as requested_at,
  null::timestamptz as completed_at
where false;

comment on view tasker.task_tree_nodes is
  'Row type: a task in the tree of tasks that a task''s steps started.';
comment on column tasker.task_tree_nodes.level is
  'The depth in the tree: 0 for the requested task, 1 for the tasks that its steps started.';
comment on column tasker.task_tree_nodes.state is
  'The state of the task. Null if retention has dropped the task. All other columns that are read from the task''s row are then null, too.';
-- <<<

-- >>> db/schema/functions/features/children/get_task_tree.sql
create or replace function tasker.get_task_tree(p_task_uuid uuid, p_limit integer default null)
  returns setof tasker.task_tree_nodes
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
  v_bound text[] := tasker.bound_namespaces();
begin
  perform tasker.check_bound(p_task_uuid);
  if coalesce(p_limit, 1000) not between 1 and 100000 then
    raise exception using
      errcode = 'TK422',
      message = format('the limit is %s; it must be between 1 and 100,000', p_limit),
      hint    = 'Ask for the tree of one of its tasks instead.';
  end if;
  if not exists (select from tasker.tasks as t where t.task_uuid = p_task_uuid) then
    perform tasker.raise_task_not_found(p_task_uuid);
  end if;

  return query
  with recursive family (level, path, task_uuid, parent_step_uuid, parent_step) as (
    select 0, '{}'::integer[], t.task_uuid, t.parent_step_uuid, null::text
      from tasker.tasks as t
     where t.task_uuid = p_task_uuid
    union all
    select f.level + 1, f.path || s.step_no || u.no::integer, u.task_uuid, s.workflow_step_uuid, s.name
      from family as f
     cross join lateral (
       select s.step_no, s.child_task_uuid, s.child_task_uuids, s.workflow_step_uuid, s.name
         from tasker.workflow_steps as s
        where s.task_uuid = f.task_uuid
          and (s.child_task_uuid is not null or s.child_task_uuids is not null)
       offset 0
     ) as s
     cross join unnest(coalesce(s.child_task_uuids, array[s.child_task_uuid])) with ordinality as u (task_uuid, no)
  )
  select
    f.level, f.task_uuid, tasker.task_uuid_of(f.parent_step_uuid), f.parent_step_uuid,
    coalesce(f.parent_step, (
      select s.name
        from tasker.workflow_steps as s
       where s.task_uuid = tasker.task_uuid_of(f.parent_step_uuid)
         and s.step_no = tasker.step_no_of(f.parent_step_uuid)
    )),
    t.namespace, t.name, t.version, t.state, t.total_steps, t.open_steps, t.suspended_steps, t.failed_steps,
    t.requested_at, t.completed_at
  from family as f
  left join lateral (
    select
      n.name as namespace, k.name, k.version, t.state, t.total_steps, t.open_steps, t.suspended_steps, t.failed_steps,
      t.requested_at, t.completed_at
      from tasker.tasks as t
      join tasker.named_tasks as k
        on k.named_task_uuid = t.named_task_uuid
      join tasker.task_namespaces as n
        on n.task_namespace_uuid = k.task_namespace_uuid
     where t.task_uuid = f.task_uuid
    offset 0
  ) as t on true
  where v_bound is null
     or t.namespace = any (v_bound)
  order by f.path
  limit coalesce(p_limit, 1000);
end;
$$;

comment on function tasker.get_task_tree is
$$Returns a task, the tasks that its steps started, the tasks that the steps of those tasks started, and so on: each task
followed by its tree, in the order of the steps. For a step, the tree has the task that the step started last. For a step
with a durable function, it has all tasks that the function started. A bound caller sees tasks of its namespaces only.

Returns at most p_limit rows; p_limit is at most 100,000, and null means 1,000. The cost is linear in the steps of these tasks. Raises TK404 if there is no such task, TK422 for a limit out of bounds, TK403 if the caller is bound to other namespaces.$$;

grant execute on function tasker.get_task_tree
  to tasker_submitter, tasker_worker, tasker_orchestrator, tasker_operator, tasker_reader;
-- <<<

-- >>> db/schema/functions/features/runs/private/admit_child_run.sql
create or replace function tasker.admit_child_run(p_template tasker.creation_templates, p_request tasker.task_requests)
  returns void
  language plpgsql
as $$
declare
  v_run    tasker.runs;
  v_places jsonb;
begin
  v_run.namespace := p_request.namespace;
  v_run.name := p_request.name;
  v_run.run_key := tasker.limit_key_of((p_template.runs ->> 'key')::jsonpath, p_request.contexts[1], '{}');
  v_places := tasker.lock_free_runs(v_run, p_template.runs, array[v_run.run_key], false);
  if (v_places #>> array[v_run.run_key, 'free'])::integer <= 0 then
    -- A step waits for a task of its own, so an existing task cannot replace it.
    perform tasker.raise_run_refused(p_request, p_template.runs, v_run.run_key, (v_places #>> array[v_run.run_key, 'task'])::uuid);
  end if;
end;
$$;

comment on function tasker.admit_child_run is
$$Raises TK409 if a template that skips or refuses further tasks has no free place for a task that a step starts. Does not wait for the key: raises TK409 if another transaction has locked it.$$;
-- <<<

-- >>> db/schema/functions/features/runs/private/admit_runs.sql
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
-- <<<

-- >>> db/schema/functions/features/runs/private/begin_runs.sql
create or replace function tasker.begin_runs(p_task_uuids uuid[], p_start_at timestamptz)
  returns void
  language plpgsql
as $$
declare
  v_now    timestamptz := tasker.clock();
  v_line   timestamptz := greatest(p_start_at, v_now);
  v_served uuid[]      := '{}';
  v_run    tasker.runs;
  v_place  integer     := 0;
begin
  if p_task_uuids = '{}' then
    return;
  end if;
  perform tasker.check_isolation();
  perform tasker.enter_runs(p_task_uuids, v_line);
  if v_line > v_now then
    perform tasker.note_runs(p_task_uuids, v_line);
    return;
  end if;

  -- Serve each key once. Leave the keys beyond 100 to later claims, so that a call does not use up all locks of the
  -- server.
  for v_run in
    select distinct on (r.run_key) r.*
      from tasker.runs as r
     where r.task_uuid = any (p_task_uuids)
     order by r.run_key, r.line_no
  loop
    v_place := v_place + 1;
    if v_place > 100 or not tasker.serve_runs(v_run, null) then
      v_served := v_served || v_run.task_uuid;
    end if;
  end loop;
  if v_served <> '{}' then
    perform tasker.note_runs(v_served, v_now);
  end if;
end;
$$;

comment on function tasker.begin_runs is
$$Puts new tasks into the lines of their keys, and starts the tasks that get a place. Waits for no other transaction. If another transaction has locked a key, a later claim starts the tasks of this key. Raises TK409 above READ COMMITTED. The caller has inserted the tasks, which have not started.$$;
-- <<<

-- >>> db/schema/functions/features/runs/private/count_runs.sql
create or replace function tasker.count_runs(p_run tasker.runs, p_state text)
  returns integer
  language plpgsql
  stable
as $$
begin
  return (
    select count(*)
      from tasker.runs as r
     where r.namespace = (p_run).namespace
       and r.name = (p_run).name
       and r.run_key = (p_run).run_key
       and r.state = p_state
  );
end;
$$;

comment on function tasker.count_runs is
$$Returns the number of tasks with the key of p_run that have this state (running or waiting).$$;
-- <<<

-- >>> db/schema/functions/features/runs/private/enter_runs.sql
create or replace function tasker.enter_runs(p_task_uuids uuid[], p_line_at timestamptz)
  returns void
  language plpgsql
as $$
begin
  insert into tasker.runs (task_uuid, named_task_uuid, namespace, name, run_key, rank, line_at)
  select
    t.task_uuid, p.named_task_uuid, p.namespace, p.name, tasker.limit_key_of((p.runs ->> 'key')::jsonpath, t.context, '{}'),
    case p.runs ->> 'order' when 'priority' then t.priority else 0 end, p_line_at
  from unnest(p_task_uuids) with ordinality as u (task_uuid, ord)
  join tasker.tasks as t
    on t.task_uuid = u.task_uuid
  join tasker.creation_plans as p
    on p.named_task_uuid = t.named_task_uuid
  order by u.ord
  on conflict (task_uuid) do update
     set state = 'waiting',
         rank = excluded.rank,
         line_at = excluded.line_at,
         run_at = null;
  -- The timer is far in the future, so that the kernel does not start the task. start_runs deletes the timer when the
  -- task gets a place.
  insert into tasker.timers (task_uuid, kind, due_at, namespace)
  select r.task_uuid, 'start_task', '2200-01-01 00:00:00Z', r.namespace
    from tasker.runs as r
   where r.task_uuid = any (p_task_uuids)
  on conflict (task_uuid, step_no, kind) do update
     set due_at = excluded.due_at;
end;
$$;

comment on function tasker.enter_runs is
$$Puts tasks that have not started into the lines of their keys, where they count from p_line_at on. The caller holds the tasks' locks, or has just inserted the tasks.$$;
-- <<<

-- >>> db/schema/functions/features/runs/private/fire_runs.sql
create or replace function tasker.fire_runs(p_task_uuids uuid[], p_processor uuid)
  returns void
  language plpgsql
as $$
declare
  v_uuid uuid;
  v_run  tasker.runs;
begin
  -- Delete the notes first, so that notes which the following calls write stay.
  delete from tasker.timers as m where m.task_uuid = any (p_task_uuids) and m.kind = 'serve_run';
  foreach v_uuid in array p_task_uuids loop
    select r.* into v_run from tasker.runs as r where r.task_uuid = v_uuid;
    if found and not tasker.serve_runs(v_run, p_processor) then
      perform tasker.note_runs(array[v_uuid], tasker.clock() + interval '100 milliseconds');
    elsif found and v_run.state = 'waiting' and v_run.line_at > tasker.clock() then
      perform tasker.note_runs(array[v_uuid], v_run.line_at);
    elsif found and v_run.state = 'ended' then
      delete from tasker.runs as r where r.task_uuid = v_uuid and r.state = 'ended';
    end if;
  end loop;
end;
$$;

comment on function tasker.fire_runs is
$$Fires the notes of these tasks: starts the next tasks of their keys (tasker.serve_runs), deletes the rows of tasks that have ended, and writes another note for tasks that enter the line later. If another transaction has locked a key or a task, it is tried again 100 ms later. The caller holds the tasks' locks and the notes.$$;
-- <<<

-- >>> db/schema/functions/features/runs/private/leave_runs.sql
create or replace function tasker.leave_runs(p_task_uuids uuid[])
  returns void
  language plpgsql
as $$
declare
  v_left uuid[];
begin
  -- A failed task of a sequence keeps its place and so blocks the sequence.
  with gone as (
    update tasker.runs as r
       set state = 'ended'
      from tasker.tasks as t, tasker.creation_plans as p
     where r.task_uuid = any (p_task_uuids)
       and t.task_uuid = r.task_uuid
       and p.named_task_uuid = t.named_task_uuid
       and not (r.state = 'running' and t.state = 'error' and p.runs -> 'sequence' = 'true')
    returning r.task_uuid
  )
  select array_agg(g.task_uuid) into v_left from gone as g;
  if v_left is not null then
    perform tasker.note_runs(v_left, tasker.clock());
  end if;
end;
$$;

comment on function tasker.leave_runs is
$$Frees the places of tasks that have ended, and writes notes that the next tasks of their keys may start. A failed task of a sequence keeps its place. The caller holds the tasks' locks.$$;
-- <<<

-- >>> db/schema/functions/features/runs/private/lock_free_runs.sql
create or replace function tasker.lock_free_runs(p_run tasker.runs, p_runs jsonb, p_keys text[], p_wait boolean)
  returns jsonb
  language plpgsql
as $$
declare
  v_keys text[] := array(select distinct k.key from unnest(p_keys) as k (key) order by k.key);
begin
  if cardinality(v_keys) > 1000 then
    raise exception using
      errcode = 'TK422',
      message = format('%s keys of runs in one call', cardinality(v_keys)),
      detail  = format('Template "%s/%s": %s.', p_run.namespace, p_run.name, p_runs ->> 'further'),
      hint    = 'Create tasks of at most 1,000 keys in a call, since each key is locked.';
  end if;
  foreach p_run.run_key in array v_keys loop
    if not tasker.lock_run_key(p_run.namespace, p_run.name, p_run.run_key, p_wait) then
      raise exception using
        errcode = 'TK409',
        message = format('another transaction has the runs of key "%s"', left(p_run.run_key, 100)),
        hint    = 'Try again.';
    end if;
  end loop;
  -- A new statement sees all rows that were committed before the locks were granted.
  return (
    select coalesce(jsonb_object_agg(k.key, jsonb_build_object('free', (p_runs ->> 'max')::integer - r.tasks, 'task', r.task_uuid)), '{}')
      from unnest(v_keys) as k (key)
     cross join lateral (
       select count(*) as tasks, (array_agg(r.task_uuid order by r.state, r.line_at desc, r.line_no desc))[1] as task_uuid
         from tasker.runs as r
        where r.namespace = p_run.namespace
          and r.name = p_run.name
          and r.run_key = k.key
          and r.state in ('running', 'waiting')
     ) as r
  );
end;
$$;

comment on function tasker.lock_free_runs is
$$Locks keys of a template's runs in their order. Returns an object that has for each key the number of its free places and the newest task that runs (or, if none runs, waits). Raises TK422 for more than 1,000 keys and, without p_wait, TK409 if another transaction holds one of the keys.$$;
-- <<<

-- >>> db/schema/functions/features/runs/private/lock_run_key.sql
create or replace function tasker.lock_run_key(p_namespace text, p_name text, p_key text, p_wait boolean)
  returns boolean
  language plpgsql
as $$
declare
  v_lock bigint := hashtextextended(jsonb_build_array('tasker.runs', p_namespace, p_name, p_key)::text, 0);
begin
  if p_wait then
    perform pg_advisory_xact_lock(v_lock);
    return true;
  end if;
  return pg_try_advisory_xact_lock(v_lock);
end;
$$;

comment on function tasker.lock_run_key is
$$Locks a key of a template's runs until the transaction ends. With p_wait, waits for the lock. Otherwise returns false if another transaction holds the key. Only creations that may be skipped or refused wait, because they hold no task that another transaction can see.$$;
-- <<<

-- >>> db/schema/functions/features/runs/private/note_runs.sql
create or replace function tasker.note_runs(p_task_uuids uuid[], p_due_at timestamptz)
  returns void
  language plpgsql
as $$
begin
  insert into tasker.timers (task_uuid, kind, due_at, namespace)
  select r.task_uuid, 'serve_run', p_due_at, r.namespace
    from tasker.runs as r
   where r.task_uuid = any (p_task_uuids)
  on conflict (task_uuid, step_no, kind) do update
     set due_at = excluded.due_at;
  perform tasker.notify_orchestrators();
end;
$$;

comment on function tasker.note_runs is
$$Writes notes that the keys of these tasks have to be served. tasker.fire_runs fires the notes, and starts the tasks that may run. The caller holds the tasks' locks, or has just inserted the tasks.$$;
-- <<<

-- >>> db/schema/functions/features/runs/private/raise_run_refused.sql
create or replace function tasker.raise_run_refused(p_request tasker.task_requests, p_runs jsonb, p_key text, p_task_uuid uuid)
  returns void
  language plpgsql
as $$
begin
  raise exception using
    errcode = 'TK409',
    message = format('template "%s/%s" refuses a further task of key "%s"', p_request.namespace, p_request.name, left(p_key, 100)),
    detail  = format('At most %s at once; task %s has the place.', p_runs ->> 'max', p_task_uuid),
    hint    = 'Try again when that task has ended. tasker.list_runs() shows who runs and waits.';
end;
$$;

comment on function tasker.raise_run_refused is
$$Raises TK409, because all places of a key are taken and the template refuses further tasks.$$;
-- <<<

-- >>> db/schema/functions/features/runs/private/recover_runs.sql
create or replace function tasker.recover_runs(p_limit integer)
  returns integer
  language plpgsql
  set search_path = pg_catalog, pg_temp
  set plan_cache_mode = force_generic_plan
  set enable_hashjoin = off
  set enable_mergejoin = off
  set enable_seqscan = off
  set jit = off
  set max_parallel_workers_per_gather = 0
as $$
declare
  v_gone  uuid[];
  v_heads uuid[];
begin
  -- Delete the places of tasks that no longer exist.
  with gone as (
    delete from tasker.runs as r
     where r.task_uuid in (
       select o.task_uuid
         from tasker.runs as o
        where not exists (select from tasker.tasks as t where t.task_uuid = o.task_uuid)
        limit p_limit
          for update skip locked
     )
    returning r.task_uuid
  )
  select coalesce(array_agg(g.task_uuid), '{}') into v_gone from gone as g;

  -- Write a note for the first task in each line, unless that task has a note already.
  v_heads := array(
    select distinct on (r.namespace, r.name, r.run_key) r.task_uuid
      from tasker.runs as r
     where r.state in ('waiting', 'ended')
       and r.line_at <= tasker.clock()
       and not exists (select from tasker.timers as m where m.task_uuid = r.task_uuid and m.kind = 'serve_run')
     order by r.namespace, r.name, r.run_key, r.state, r.rank desc, r.line_at, r.line_no
     limit p_limit
  );
  v_heads := tasker.lock_tasks(v_heads);
  if v_heads <> '{}' then
    perform tasker.note_runs(v_heads, tasker.clock());
  end if;
  return cardinality(v_gone);
end;
$$;

comment on function tasker.recover_runs is
$$Deletes the rows of failed tasks that blocked a sequence and that retention has dropped. Then writes a note for the first task in each line, so that it can get a place. Returns the number of deleted rows. Skips locked tasks.$$;
-- <<<

-- >>> db/schema/functions/features/runs/private/reenter_run.sql
create or replace function tasker.reenter_run(p_task_uuid uuid)
  returns void
  language plpgsql
as $$
begin
  -- A failed task of a sequence still has its place.
  if exists (select from tasker.runs as r where r.task_uuid = p_task_uuid and r.state = 'running') then
    return;
  end if;
  perform tasker.enter_runs(array[p_task_uuid], tasker.clock());
  perform tasker.note_runs(array[p_task_uuid], tasker.clock());
end;
$$;

comment on function tasker.reenter_run is
$$Puts a task that had ended and is open again at the end of its key's line, unless the task still has its place. The caller holds the task's lock.$$;
-- <<<

-- >>> db/schema/functions/features/runs/private/replace_runs.sql
create or replace function tasker.replace_runs(p_run tasker.runs, p_runs jsonb)
  returns boolean
  language plpgsql
as $$
declare
  v_running boolean := p_runs ->> 'further' = 'cancel_running';
  v_max     integer := (p_runs ->> 'max')::integer;
  v_free    integer := v_max - tasker.count_runs(p_run, 'running');
  v_line    uuid[]; -- waiting tasks, the newest first
  v_keep    integer;
  v_gone    uuid[];
  v_locked  uuid[];
begin
  v_line := array(
    select r.task_uuid
      from tasker.runs as r
     where r.namespace = p_run.namespace
       and r.name = p_run.name
       and r.run_key = p_run.run_key
       and r.state = 'waiting'
       and r.line_at <= tasker.clock()
     order by r.line_at desc, r.line_no desc
  );
  v_keep := least(case when v_running then v_max else greatest(v_free, 1) end, cardinality(v_line));
  v_gone := v_line[v_keep + 1 :];
  if v_running then
    v_gone := v_gone || array(
      select r.task_uuid
        from tasker.runs as r
       where r.namespace = p_run.namespace
         and r.name = p_run.name
         and r.run_key = p_run.run_key
         and r.state = 'running'
       order by r.run_at, r.line_no
       limit greatest(v_keep - v_free, 0)
    );
  end if;
  if v_gone = '{}' then
    return true;
  end if;

  v_locked := tasker.lock_tasks(v_gone);
  -- Cancel in the order of the UUIDs, because each cancellation also locks the task's steps.
  perform tasker.move_task(t.task, 'Cancel', 'cancelled', null, jsonb_build_object('reason', format('replaced by task %s', v_line[1])), null)
     from unnest(array(select u.task_uuid from unnest(v_locked) as u (task_uuid) order by u.task_uuid)) as u (task_uuid)
    cross join lateral (
      select t as task
        from tasker.tasks as t
       where t.task_uuid = u.task_uuid
         and not t.complete
         and not tasker.is_undone(t.undo)
      offset 0
    ) as t;
  return cardinality(v_locked) = cardinality(v_gone);
end;
$$;

comment on function tasker.replace_runs is
$$Cancels the tasks that the newest waiting tasks of a key replace: older waiting tasks and, with cancel_running, the tasks that have run longest. A task with steps to undo keeps its place until the undo has ended. Returns false if another transaction holds one of these tasks. The caller holds the key.$$;
-- <<<

-- >>> db/schema/functions/features/runs/private/serve_runs.sql
create or replace function tasker.serve_runs(p_run tasker.runs, p_processor uuid)
  returns boolean
  language plpgsql
as $$
declare
  v_runs    jsonb;
  v_free    integer;
  v_done    boolean := true;
  v_next    uuid[];
  v_locked  uuid[];
  v_started uuid[]  := '{}';
  v_uuid    uuid;
begin
  if not tasker.lock_run_key(p_run.namespace, p_run.name, p_run.run_key, false) then
    return false;
  end if;
  -- New statements see the line as it is under the lock. The template version of the newest waiting task decides.
  select p.runs
    into v_runs
    from tasker.runs as r
    join tasker.creation_plans as p
      on p.named_task_uuid = r.named_task_uuid
   where r.namespace = p_run.namespace
     and r.name = p_run.name
     and r.run_key = p_run.run_key
     and r.state = 'waiting'
     and r.line_at <= tasker.clock()
   order by r.line_at desc, r.line_no desc
   limit 1;
  if not found then
    return true;
  end if;
  if v_runs ->> 'further' in ('cancel_running', 'replace_waiting') then
    v_done := tasker.replace_runs(p_run, v_runs);
  end if;
  v_free := (v_runs ->> 'max')::integer - tasker.count_runs(p_run, 'running');
  if v_free <= 0 then
    return v_done;
  end if;

  v_next := array(
    select r.task_uuid
      from tasker.runs as r
     where r.namespace = p_run.namespace
       and r.name = p_run.name
       and r.run_key = p_run.run_key
       and r.state = 'waiting'
       and r.line_at <= tasker.clock()
     order by r.rank desc, r.line_at, r.line_no
     limit least(v_free, 100)
  );
  v_locked := tasker.lock_tasks(v_next);
  -- A task must not overtake an earlier task that another transaction holds.
  foreach v_uuid in array v_next loop
    exit when v_uuid <> all (v_locked);
    v_started := v_started || v_uuid;
  end loop;
  if v_started <> '{}' then
    perform tasker.start_runs(v_started, p_processor);
  end if;
  return v_done and cardinality(v_started) = cardinality(v_next) and cardinality(v_next) < 100;
end;
$$;

comment on function tasker.serve_runs is
$$Starts the next tasks of the key of p_run in the free places of the key, in the order that the template names. Before that, cancels the tasks that the newest request replaces. Locks the key, then the tasks, without waiting. Returns false if the call must be repeated, because another transaction holds the key or a task, or because more tasks may start.$$;
-- <<<

-- >>> db/schema/functions/features/runs/private/start_runs.sql
create or replace function tasker.start_runs(p_task_uuids uuid[], p_processor uuid)
  returns void
  language plpgsql
as $$
begin
  update tasker.runs as r
     set state = 'running',
         run_at = tasker.clock()
   where r.task_uuid = any (p_task_uuids)
     and r.state = 'waiting';
  delete from tasker.timers as m
   where m.task_uuid = any (p_task_uuids)
     and m.kind in ('start_task', 'serve_run');
  perform tasker.advance_tasks(p_task_uuids, p_processor);
end;
$$;

comment on function tasker.start_runs is
$$Gives waiting tasks a place of their key, and starts them. The caller holds the key and the locks of the tasks.$$;
-- <<<

-- >>> db/schema/functions/features/pauses/private/hold_moves.sql
create or replace function tasker.hold_moves(p_moves tasker.step_moves[])
  returns void
  language plpgsql
as $$
declare
  v_held uuid[] := array(
    select distinct h.task_uuid
      from unnest(p_moves) as m
      join tasker.timers as h
        on h.task_uuid = m.task_uuid
       and h.step_no = 0
       and h.kind = 'hold_task'
  );
begin
  -- If a paused task ends, its steps keep their mark. So a marked step may belong to a task that is no longer paused.
  if v_held = '{}' then
    return;
  end if;
  update tasker.step_queue as q
     set lane = 'paused'
    from unnest(p_moves) as m
   cross join lateral (
     select
       from tasker.workflow_steps as s
      where s.task_uuid = m.task_uuid
        and s.step_no = m.step_no
        and s.effects & 16384 <> 0
     offset 0
   ) as s
   where q.task_uuid = any (array[m.task_uuid])
     and q.step_no = m.step_no
     and q.task_uuid = any (v_held)
     and q.lane not in ('running', 'results');
  update tasker.timers as n
     set due_at = '2200-01-01 00:00:00Z'
    from unnest(p_moves) as m
   where n.task_uuid = any (array[m.task_uuid])
     and n.step_no = m.step_no
     and n.kind = 'start_child'
     and n.task_uuid = any (v_held);
end;
$$;

comment on function tasker.hold_moves is
$$Hides the just enqueued steps of paused tasks from claims, and postpones the start of tasks that steps of paused tasks start. The writer calls this function after it has written the queue rows, the waits and the limits.$$;
-- <<<

-- >>> db/schema/functions/features/pauses/private/hold_additions.sql
create or replace function tasker.hold_additions(p_task_uuid uuid, p_last integer)
  returns void
  language plpgsql
as $$
begin
  update tasker.workflow_steps as s
     set effects = s.effects | 16384
   where s.task_uuid = p_task_uuid
     and s.step_no > p_last
     and exists (select from tasker.timers as h where h.task_uuid = p_task_uuid and h.step_no = 0 and h.kind = 'hold_task');
end;
$$;

comment on function tasker.hold_additions is
$$Marks the steps that were added to a paused task, so that no worker gets these steps before the task is resumed. The caller holds the task's lock.$$;
-- <<<

-- >>> db/schema/functions/features/pauses/private/explain_hold.sql
create or replace function tasker.explain_hold(p_task_uuid uuid)
  returns text
  language plpgsql
  stable
as $$
begin
  return (
    select format(
        ' %s has paused its task at %s, and no step of the task starts%s.', coalesce(l.actor, l.role, l.login),
        to_char(l.logged_at at time zone 'UTC', 'YYYY-MM-DD HH24:MI:SS"Z"'), ': ' || rtrim(left(nullif(l.reason, ''), 200), '.')
      )
      from tasker.administration_log as l
     where tasker.task_is_held(p_task_uuid)
       and l.kind = 'tasks'
       and l.object = p_task_uuid::text
       and l.call = 'pause_task'
     order by l.entry_no desc
     limit 1
  );
end;
$$;

comment on function tasker.explain_hold is
$$Returns a sentence about the pause of a task: the caller that has paused the task, the time and the reason. Returns null if the task is not paused.$$;
-- <<<

-- >>> db/schema/functions/features/runs/private/change_run_start.sql
create or replace function tasker.change_run_start(p_task_uuid uuid, p_start_at timestamptz)
  returns boolean
  language plpgsql
as $$
begin
  update tasker.runs as r
     set line_at = p_start_at
   where r.task_uuid = p_task_uuid
     and r.state = 'waiting';
  if not found then
    return false;
  end if;
  -- The note is due at once, because another task may now be the newest task in line. tasker.fire_runs then writes a note
  -- for the later start.
  perform tasker.note_runs(array[p_task_uuid], tasker.clock());
  return true;
end;
$$;

comment on function tasker.change_run_start is
$$Changes the time from which on a waiting task counts in the line of its key. Returns false if the task waits in no line. The caller holds the task's lock.$$;
-- <<<

-- >>> db/schema/functions/features/runs/private/change_run_rank.sql
create or replace function tasker.change_run_rank(p_task_uuid uuid, p_by integer)
  returns void
  language plpgsql
as $$
begin
  update tasker.runs as r
     set rank = r.rank + p_by
    from tasker.creation_plans as p
   where r.task_uuid = p_task_uuid
     and r.state = 'waiting'
     and p.named_task_uuid = r.named_task_uuid
     and p.runs ->> 'order' = 'priority';
end;
$$;

comment on function tasker.change_run_rank is
$$Changes the rank of a waiting task in the line of its key by p_by, if the line is ordered by priority. The caller holds the task's lock.$$;
-- <<<

-- >>> db/schema/functions/features/runs/private/changed_run_key.sql
create or replace function tasker.changed_run_key(p_task tasker.tasks, p_context jsonb)
  returns text
  language plpgsql
  stable
as $$
begin
  return (
    select format('Its runs have the key "%s", not "%s".', left(k.was, 100), left(k.becomes, 100))
      from tasker.creation_plans as p
     cross join lateral (
       select
         tasker.limit_key_of((p.runs ->> 'key')::jsonpath, p_task.context, '{}') as was,
         tasker.limit_key_of((p.runs ->> 'key')::jsonpath, p_context, '{}') as becomes
     ) as k
     where p.named_task_uuid = p_task.named_task_uuid
       and p.runs is not null
       and k.was <> k.becomes
  );
end;
$$;

comment on function tasker.changed_run_key is
$$Returns a sentence if the runs of a task would have another key with this context, or null if the key would be the same.$$;
-- <<<

-- >>> db/schema/functions/features/runs/private/drop_run.sql
create or replace function tasker.drop_run(p_task_uuid uuid)
  returns boolean
  language plpgsql
as $$
begin
  update tasker.runs as r
     set state = 'ended'
   where r.task_uuid = p_task_uuid
     and r.state = 'running'
     and exists (select from tasker.tasks as t where t.task_uuid = p_task_uuid and t.complete);
  if not found then
    return false;
  end if;
  perform tasker.note_runs(array[p_task_uuid], tasker.clock());
  return true;
end;
$$;

comment on function tasker.drop_run is
$$Takes the place away from a failed task that blocks its sequence, and writes a note that the next task may start. Returns false if the task has no place. The caller holds the task's lock.$$;
-- <<<

-- >>> db/schema/rows/features/runs/run_details.sql
create or replace view tasker.run_details as
select
  '00000000-0000-0000-0000-000000000000'::uuid as task_uuid,
  ''::text as namespace,
  ''::text as name,
  ''::text as run_key,
  ''::text as state,
  null::text as held_by,
  null::integer as place,
  'pending'::tasker.task_state as task_state,
  0::integer as priority,
  '-infinity'::timestamptz as line_at,
  null::timestamptz as run_at
where false;

comment on view tasker.run_details is
  'Row type: a task of a template that bounds its runs by key. The task has one of the key''s places, or waits for a place.';
comment on column tasker.run_details.state is
  'running: the task has one of the key''s places. waiting: the task is in line for a place.';
comment on column tasker.run_details.held_by is
  'blocked: the task has a place, but it has failed or is blocked by failures, or the task waits for the place of such a task. run: the task waits until a running task ends. start: the task is to start at a later time.';
comment on column tasker.run_details.place is
  'The position of the task in the line, from 1. Null if the task is running.';
comment on column tasker.run_details.line_at is
  'The time when the task got in line, or will get in line.';
comment on column tasker.run_details.run_at is
  'The time when the task got its place. Null if the task is waiting.';
-- <<<

-- >>> db/schema/functions/features/runs/list_runs.sql
create or replace function tasker.list_runs(
  p_namespace  text,
  p_name       text     default null,
  p_run_key    text     default null,
  p_limit      integer  default 100
)
  returns setof tasker.run_details
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
begin
  p_limit := coalesce(p_limit, 100);
  perform tasker.check_bound_namespaces(array[p_namespace]);
  perform tasker.check_limit(p_limit, 10000);
  return query
  select
    d.task_uuid, d.namespace, d.name, d.run_key, d.state,
    case when d.state = 'running' then case when d.blocked then 'blocked' end
         when d.line_at > tasker.clock() then 'start'
         when bool_or(d.blocked) over (partition by d.name, d.run_key) then 'blocked'
         else 'run'
    end,
    case when d.state = 'waiting' then (row_number() over (partition by d.name, d.run_key, d.state order by d.rank desc, d.line_at, d.line_no))::integer end,
    d.task_state, d.priority, d.line_at, d.run_at
  from (
    select r.*, t.state as task_state, t.priority, r.state = 'running' and t.state in ('error', 'blocked_by_failures') as blocked
      from tasker.runs as r
      join tasker.tasks as t
        on t.task_uuid = r.task_uuid
     where r.namespace = p_namespace
       and r.name = coalesce(p_name, r.name)
       and r.run_key = case when p_run_key is null then r.run_key else tasker.limit_key_of('$', to_jsonb(p_run_key), null) end
       and r.state in ('running', 'waiting')
  ) as d
  order by d.name, d.run_key, d.state, d.rank desc, d.line_at, d.line_no
  limit p_limit;
end;
$$;

comment on function tasker.list_runs is
$$Returns the tasks of a namespace whose template limits the runs by key: the tasks that run in a place of their key, and the tasks that wait for a place, in the order of the line. With p_name, returns the tasks of one template, and with p_run_key the tasks of one key. Returns at most p_limit rows.

Reads all tasks that run or wait in these lines. Raises TK422 if p_limit is out of range, TK403 if the caller is bound to other namespaces.$$;

grant execute on function tasker.list_runs
  to tasker_submitter, tasker_worker, tasker_orchestrator, tasker_operator, tasker_reader;
-- <<<

-- >>> db/schema/functions/features/runs/skip_blocked_run.sql
create or replace function tasker.skip_blocked_run(p_task_uuid uuid, p_reason text, p_actor text default null)
  returns boolean
  language plpgsql
  security definer
  set search_path = pg_catalog, pg_temp
  set plan_cache_mode = force_generic_plan
  set enable_hashjoin = off
  set enable_mergejoin = off
  set enable_seqscan = off
  set jit = off
  set max_parallel_workers_per_gather = 0
  set lock_timeout = '5s'
as $$
declare
  v_task tasker.tasks;
  v_run  tasker.runs;
begin
  perform tasker.check_bound(p_task_uuid);
  perform tasker.check_isolation();
  perform tasker.administer(p_actor, p_reason);
  if btrim(coalesce(p_reason, '')) = '' then
    raise exception using
      errcode = 'TK422',
      message = 'the reason is missing',
      hint    = 'A sequence that goes on without a failed task needs a reason, which the log of administration keeps.';
  end if;
  v_task := tasker.lock_task(p_task_uuid);
  select r.* into v_run from tasker.runs as r where r.task_uuid = p_task_uuid and r.state <> 'ended';
  if not found and v_task.complete then
    return false;
  elsif v_run.state is distinct from 'running' or v_task.state not in ('error', 'blocked_by_failures') then
    raise exception using
      errcode = 'TK409',
      message = format('task %s holds up no sequence', p_task_uuid),
      detail  = format('It is %s, and %s.', v_task.state, coalesce(v_run.state, 'its template has no runs by key')),
      hint    = 'Skip a task that has failed or is blocked; tasker.list_runs() shows it as held by blocked.';
  end if;
  if not v_task.complete then
    perform tasker.move_task(
      v_task, 'GiveUp', 'error', null, jsonb_build_object('reason', left(p_reason, 900)), tasker.actor_name(p_actor)
    );
  end if;
  perform tasker.drop_run(p_task_uuid);
  perform tasker.note_administration(
    'runs', format('%s/%s/%s', v_run.namespace, v_run.name, p_task_uuid), array[v_run.namespace], 'update',
    jsonb_build_object('run', 'running', 'state', v_task.state), jsonb_build_object('run', 'skipped')
  );
  return true;
exception
  when lock_not_available then
    perform tasker.raise_task_locked(p_task_uuid);
end;
$$;

comment on function tasker.skip_blocked_run is
$$Lets the runs of a key continue without a task that has failed or is blocked. The task loses its place, and the next task in line starts. A blocked task is given up first, so that it ends as failed. If the task has steps to undo, they are undone first, and the task keeps its place until it is skipped again after the undo. A reset puts the task at the end of the line. Returns true if this call skipped the task, false if the task no longer has a place.

The log of administration records p_reason and p_actor (by default the caller's role). Locks the task, then its steps. Raises TK404 if there is no such task, TK422 without a reason, TK409 if the task runs, waits or has no key, or above READ COMMITTED, TK413 if the reason or the actor's name is too long, TK403 if the caller is bound to other namespaces, TK409 if another session keeps the task locked for 5 seconds.$$;

grant execute on function tasker.skip_blocked_run to tasker_orchestrator, tasker_operator;
-- <<<

insert into tasker.schema_builds (version, files) values ('20261121001206', 'functions/features/children/get_task_tree f3d43b81db4c8f95
functions/features/children/private/cancel_children 9d6669b7c8bdc56d
functions/features/children/private/check_creator f9938aa33f9b054d
functions/features/children/private/child_context 3f8604708d216b81
functions/features/children/private/child_end_moves f65b1372132ea616
functions/features/children/private/child_failure ce0225091a52e8d4
functions/features/children/private/explain_runs a1ab01caa87441c1
functions/features/children/private/fire_notes fbe9cd871144cb19
functions/features/children/private/later_start f6d49a3645bb61fc
functions/features/children/private/make_child 894d4bf8336029e0
functions/features/children/private/note_child_end 4a33b003e9b243d2
functions/features/children/private/postpone_notes 43078c21f33301b4
functions/features/children/private/replace_children 6564a8d45e34f138
functions/features/children/private/run_end 20bc362968b545bf
functions/features/children/private/run_end_moves 3425fa6f1df88404
functions/features/children/private/start_child 61c6f1f743a9d6be
functions/features/children/private/start_children ec897da5c4198fa9
functions/features/children/private/start_tasks 09d20bb922a11ac3
functions/features/children/private/starting_parent 65a5c5ed06d5f024
functions/features/children/private/task_result 21a4124d0a07df96
functions/features/children/private/tell_parents c125bc87e7b74831
functions/features/children/private/tree_is_full 937b20646cd164b4
functions/features/children/private/tree_problem 13fb0aaa140c0ee6
functions/features/pauses/private/explain_hold 3599258005252b46
functions/features/pauses/private/hold_additions 10846c61350d7de4
functions/features/pauses/private/hold_moves a49027aebd727c9a
functions/features/runs/list_runs bf547304917ee862
functions/features/runs/private/admit_child_run 1d59f7b49481dca9
functions/features/runs/private/admit_runs c8f3c14f33b32a2b
functions/features/runs/private/begin_runs d969231610fb09db
functions/features/runs/private/change_run_rank 47ea07d2e8fbdef5
functions/features/runs/private/change_run_start 2d3734977a739b91
functions/features/runs/private/changed_run_key b3d8e292d556c0ca
functions/features/runs/private/count_runs f822a0c2a9d68422
functions/features/runs/private/drop_run 86ef0f8ca6d0c41a
functions/features/runs/private/enter_runs ea11ad0f3d43bdfa
functions/features/runs/private/fire_runs 42ca33be47b06d4a
functions/features/runs/private/leave_runs 472efa6f781fe35b
functions/features/runs/private/lock_free_runs 7fbb4ef38856641b
functions/features/runs/private/lock_run_key 48279a5953e9f19e
functions/features/runs/private/note_runs c91a68d38eaa3366
functions/features/runs/private/raise_run_refused 718628c0667f7f21
functions/features/runs/private/recover_runs 250362768e3bf502
functions/features/runs/private/reenter_run 19ac5093c840a61b
functions/features/runs/private/replace_runs 1f6ac2ecb8714795
functions/features/runs/private/serve_runs 447d636296d983eb
functions/features/runs/private/start_runs c104b65feb14c14e
functions/features/runs/skip_blocked_run 3d818bb1cc3d07f5
functions/kernel/graph/private/child_value 6ba77f91d705884a
rows/features/children/task_tree_nodes eaeb4ab9fe6a5efb
rows/features/runs/run_details cb323593b301b973
');

reset role;

-- migrate:down
set local citus.enable_ddl_propagation = off; -- Citus would repeat this on its worker nodes
set local role tasker_owner;

delete from tasker.schema_builds where version = '20261121001206';

drop function tasker.skip_blocked_run;
drop function tasker.list_runs;
drop view tasker.run_details;
drop function tasker.drop_run;
drop function tasker.changed_run_key;
drop function tasker.change_run_rank;
drop function tasker.change_run_start;
drop function tasker.explain_hold;
drop function tasker.hold_additions;
drop function tasker.hold_moves;
drop function tasker.start_runs;
drop function tasker.serve_runs;
drop function tasker.replace_runs;
drop function tasker.reenter_run;
drop function tasker.recover_runs;
drop function tasker.raise_run_refused;
drop function tasker.note_runs;
drop function tasker.lock_run_key;
drop function tasker.lock_free_runs;
drop function tasker.leave_runs;
drop function tasker.fire_runs;
drop function tasker.enter_runs;
drop function tasker.count_runs;
drop function tasker.begin_runs;
drop function tasker.admit_runs;
drop function tasker.admit_child_run;
drop function tasker.get_task_tree;
drop view tasker.task_tree_nodes;
drop function tasker.fire_notes;
drop function tasker.postpone_notes;
drop function tasker.explain_runs;
drop function tasker.run_end_moves;
drop function tasker.run_end;
drop function tasker.start_tasks;
drop function tasker.starting_parent;
drop function tasker.replace_children;
drop function tasker.cancel_children;
drop function tasker.tell_parents;
drop function tasker.start_children;
drop function tasker.start_child;
drop function tasker.tree_problem;
drop function tasker.tree_is_full;
drop function tasker.later_start;
drop function tasker.child_end_moves;
drop function tasker.child_failure;
drop function tasker.task_result;
drop function tasker.make_child;
drop function tasker.note_child_end;
drop function tasker.check_creator;
drop function tasker.child_context;
drop function tasker.child_value;

reset role;
