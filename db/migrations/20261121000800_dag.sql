-- dag: the graph of a task
-- Composed from db/schema: edit there, then compose again. Frozen by the first release tag.

-- migrate:up
set local citus.enable_ddl_propagation = off; -- Citus would repeat this on its worker nodes
set local role tasker_owner;

-- >>> db/schema/functions/kernel/graph/detect_cycle.sql
create or replace function tasker.detect_cycle(p_from_step_uuid uuid, p_to_step_uuid uuid)
  returns boolean
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
  v_task     uuid := tasker.task_uuid_of(p_from_step_uuid);
  v_template uuid;
  v_added    boolean;
begin
  perform tasker.check_bound_steps(array[p_from_step_uuid, p_to_step_uuid]);
  if p_from_step_uuid is null or p_to_step_uuid is null or v_task <> tasker.task_uuid_of(p_to_step_uuid) then
    raise exception using
      errcode = 'TK422',
      message = format(
        'steps %s and %s belong to different tasks',
        coalesce(p_from_step_uuid::text, 'null'), coalesce(p_to_step_uuid::text, 'null')
      ),
      hint    = 'An edge joins two steps of the same task.';
  end if;

  select t.named_task_uuid, t.has_added_edges
    into v_template, v_added
    from tasker.tasks as t
   where t.task_uuid = v_task;

  -- Collect nodes, not paths. "union" removes nodes that were already reached, so each step is visited once.
  return exists (
    with recursive reached (step_no) as (
      select tasker.step_no_of(p_to_step_uuid)
      union
      select e.to_step_no
        from reached as r
       cross join lateral tasker.step_children(v_task, v_template, v_added, r.step_no) as e
    )
    select
      from reached as r
     where r.step_no = tasker.step_no_of(p_from_step_uuid)
  );
end;
$$;

comment on function tasker.detect_cycle is
$$Returns true if an edge between these two steps would close a cycle: if the first step can be reached from the second step, or both are the same step.

The cost is linear in the number of edges below the second step. Raises TK422 if the steps belong to different tasks, TK403 if the caller is bound to other namespaces.$$;

grant execute on function tasker.detect_cycle
  to tasker_submitter, tasker_worker, tasker_orchestrator, tasker_operator, tasker_reader;
-- <<<

-- >>> db/schema/functions/kernel/graph/private/condition_error.sql
create or replace function tasker.condition_error(p_condition text)
  returns text
  language plpgsql
  immutable
  set search_path = pg_catalog, pg_temp
as $$
declare
  c_strings constant text := E'"([^"\\\\]|\\\\.)*"';
  v_bare   text;
  v_depth  integer := 0;
  v_filter integer;
  v_place  integer;
  v_regex  text;
begin
  if length(p_condition) > 4000 then
    return 'It is longer than 4,000 characters.';
  end if;
  v_regex := tasker.regex_error(p_condition);
  if v_regex is not null then
    return v_regex;
  end if;
  -- Remove string literals, keys and names, so that text in them is not mistaken for syntax.
  if regexp_replace(p_condition, c_strings, '""', 'g') ~* '[0-9.]e[+-]?[0-9]{4}' then
    return 'It has a number of more than a thousand digits.';
  end if;
  v_bare := p_condition::jsonpath::text;
  if length(v_bare) > 8000 then
    return 'It is longer than 8,000 characters when its numbers are written out.';
  end if;
  v_bare := regexp_replace(v_bare, c_strings, '""', 'g');
  if v_bare like '%$""%' then
    return 'It names a variable; conditions have none.';
  elsif v_bare ~ '\.(datetime|date|time|time_tz|timestamp|timestamp_tz|decimal)\(' then
    return format('It uses %s(), which may fail for other results.', substring(v_bare from '\.(datetime|date|time|time_tz|timestamp|timestamp_tz|decimal)\('));
  elsif v_bare like '%.**%.**%' then
    return 'It uses .** twice, which may exhaust memory.';
  elsif v_bare ~ '\.\*\*(?!\{[0-9]+( to [0-9]+)?\})' then
    return 'It uses .** without a bound, such as .**{0 to 5}.';
  elsif v_bare ~ '\[[^]]*,' then
    return 'It lists subscripts, such as [0,1]. Each further list would multiply what is read.';
  elsif regexp_replace(v_bare, '\[(\*|(last|to|[0-9 +-])+)\]', '', 'g') like '%[%' then
    return 'It computes a subscript. A subscript is *, a number or last, such as [0], [last - 1] or [0 to 5].';
  elsif v_bare like '%.**%' and v_bare like '%.keyvalue(%' then
    return 'It uses .keyvalue() beside .**, which may exhaust memory.';
  elsif length(v_bare) - length(translate(v_bare, '$@', '')) > 40 then
    return 'It has more than 40 paths.';
  end if;

  -- Each path may be evaluated only once. Comparing two paths, or evaluating a path again for each element of a filter,
  -- takes quadratic time, and nested filters take more.
  if exists (
    select
      from regexp_matches(v_bare, '([^&|!(]*) (?:==|!=|<|>|<=|>=) ([^&|)]*)', 'g') as m (sides)
     -- A side that ends in a bracket is a method of a path, or is computed from a path.
     where m.sides[1] ~ '[$@)]'
       and m.sides[2] ~ '[$@]'
  ) then
    return 'It compares two paths; one side of a comparison must be a constant.';
  end if;
  for v_place in 1..coalesce(length(v_bare), 0) loop
    case substr(v_bare, v_place, 1)
      when '(' then
        v_depth := v_depth + 1;
      when ')' then
        v_depth := v_depth - 1;
        if v_depth = v_filter then
          v_filter := null;
        end if;
      when '?' then
        if v_filter is not null then
          return 'It has a filter within a filter.';
        end if;
        v_filter := v_depth;
      when '$' then
        if v_filter is not null then
          return 'A path in a filter begins with $; in a filter paths begin with @.';
        end if;
      else
        null;
    end case;
  end loop;
  return null;
exception when syntax_error or invalid_text_representation or invalid_regular_expression
  or datatype_mismatch or feature_not_supported or numeric_value_out_of_range or statement_too_complex
  or untranslatable_character or invalid_escape_sequence then
  return sqlerrm;
end;
$$;

comment on function tasker.condition_error is
$$Returns the reason why a text cannot be the condition of an edge, or null if the text can be a condition or is null.

The function refuses conditions that can raise an error when evaluated (variables, decimal(), methods of times, a second .**), because a condition must be true or false for any results that a worker sends. It also refuses conditions that may read the results more than once for each path: comparisons of two paths, filters in filters, the whole results in a filter, lists of subscripts and computed subscripts, .** without a bound or beside .keyvalue(), numbers of more than a thousand digits, regular expressions that are costly to compile (tasker.regex_error), and texts of more than 4,000 characters.$$;
-- <<<

-- >>> db/schema/functions/kernel/graph/private/parse_condition.sql
create or replace function tasker.parse_condition(p_condition text)
  returns jsonpath
  language plpgsql
  immutable
  set search_path = pg_catalog, pg_temp
as $$
begin
  if tasker.condition_error(p_condition) is not null then
    raise exception using
      errcode = 'TK422',
      message = format('the condition "%s" is not a jsonpath predicate', left(p_condition, 100)),
      detail  = tasker.condition_error(p_condition),
      hint    = 'For example: $.approved == true, or $.amount > 100.';
  end if;
  return p_condition::jsonpath;
end;
$$;

comment on function tasker.parse_condition is
$$Converts a text to jsonpath. Returns null for null. Raises TK422 if the text cannot be the condition of an edge.$$;
-- <<<

-- >>> db/schema/functions/kernel/graph/private/condition_errors.sql
create or replace function tasker.condition_errors(p_steps jsonb)
  returns jsonb
  language plpgsql
  immutable
as $$
begin
  return (
    select coalesce(jsonb_object_agg(c.condition, c.error), '{}')
      from (
        select x.condition, tasker.condition_error(x.condition) as error
          from (
            select distinct d.value ->> 'when' as condition
              from jsonb_array_elements(p_steps) as s (value)
             cross join jsonb_array_elements(nullif(s.value -> 'dependencies', 'null')) as d (value)
             where d.value ->> 'when' is not null
          ) as x
        offset 0
      ) as c
     where c.error is not null
  );
end;
$$;

comment on function tasker.condition_errors is
$$Returns the invalid conditions in an array of steps, each with the reason why it cannot be the condition of an edge.$$;
-- <<<

-- >>> db/schema/functions/kernel/create/private/lock_open_task.sql
create or replace function tasker.lock_open_task(p_task_uuid uuid)
  returns void
  language plpgsql
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_task tasker.tasks;
begin
  select t.*
    into v_task
    from tasker.tasks as t
   where t.task_uuid = p_task_uuid
     for no key update;

  if not found then
    perform tasker.raise_task_not_found(p_task_uuid);
  end if;
  if tasker.is_undone(v_task.undo) then
    raise exception using
      errcode = 'TK409',
      message = format('task %s is being undone', p_task_uuid),
      hint    = 'Its graph cannot be changed any more.';
  end if;
  if v_task.complete then
    raise exception using
      errcode = 'TK409',
      message = format('task %s has ended: it is %s', p_task_uuid, v_task.state),
      hint    = 'A failed task can be reset; one that is complete, cancelled or resolved cannot be changed.';
  end if;
end;
$$;

comment on function tasker.lock_open_task is
$$Locks a task for a change of its graph. Raises TK404 if it does not exist, TK409 if it has ended or is being undone.$$;
-- <<<

-- >>> db/schema/functions/kernel/create/add_step_edge.sql
create or replace function tasker.add_step_edge(
  p_from_step_uuid  uuid,
  p_to_step_uuid    uuid,
  p_name            text      default 'provides',
  p_condition       text      default null
)
  returns boolean
  language plpgsql
  security definer
  set search_path = pg_catalog, pg_temp
  set lock_timeout = '5s'
  set plan_cache_mode = force_generic_plan
  set enable_hashjoin = off
  set enable_mergejoin = off
  set enable_seqscan = off
  set jit = off
  set max_parallel_workers_per_gather = 0
as $$
declare
  v_task      uuid := tasker.task_uuid_of(p_from_step_uuid);
  v_condition jsonpath := tasker.parse_condition(p_condition);
  v_from      tasker.workflow_steps;
  v_to        tasker.workflow_steps;
begin
  perform tasker.check_bound(p_from_step_uuid);
  if length(p_name) not between 1 and 128 then
    raise exception using
      errcode = 'TK422',
      message = 'the name of an edge is empty or longer than 128 characters',
      hint    = 'The default is "provides".';
  end if;
  perform tasker.lock_open_task(v_task);
  if tasker.detect_cycle(p_from_step_uuid, p_to_step_uuid) then
    raise exception using
      errcode = 'TK409',
      message = format('an edge from step %s to step %s would close a cycle', p_from_step_uuid, p_to_step_uuid),
      hint    = 'The second step already leads to the first, or is the first.';
  end if;

  select s.* into v_from from tasker.workflow_steps as s
   where s.task_uuid = v_task and s.step_no = tasker.step_no_of(p_from_step_uuid);
  if not found then
    perform tasker.raise_step_not_found(p_from_step_uuid);
  end if;
  select s.* into v_to from tasker.workflow_steps as s
   where s.task_uuid = v_task and s.step_no = tasker.step_no_of(p_to_step_uuid)
     for no key update;
  if not found then
    perform tasker.raise_step_not_found(p_to_step_uuid);
  end if;
  if v_to.state <> 'pending' then
    raise exception using
      errcode = 'TK409',
      message = format('step %s is %s and cannot get another dependency', p_to_step_uuid, v_to.state),
      hint    = 'Edges can only be added to steps that are pending.';
  end if;

  if v_to.expansion is not null then
    raise exception using
      errcode = 'TK409',
      message = format('step %s is a map that has begun and cannot get another dependency', p_to_step_uuid),
      hint    = 'Add the edge before the map begins, or to a step after it.';
  end if;

  if exists (
    select
      from tasker.workflow_step_edges as e
     where e.task_uuid = v_task
       and e.from_step_no = v_from.step_no
       and e.to_step_no = v_to.step_no
  ) then
    return false;
  end if;
  insert into tasker.added_step_edges (task_uuid, from_step_no, to_step_no, name, condition)
  values (v_task, v_from.step_no, v_to.step_no, coalesce(p_name, 'provides'), v_condition);

  -- If the first step has already settled, it counts as settled at once.
  update tasker.workflow_steps as s
     set total_parents     = s.total_parents + 1,
         pending_parents   = s.pending_parents + (v_from.state not in ('complete', 'resolved_manually', 'cancelled'))::integer,
         satisfied_parents = s.satisfied_parents + (
           v_from.state in ('complete', 'resolved_manually') and tasker.condition_holds(v_condition, tasker.edge_result(
             v_condition, v_from.results, v_from.expansion, v_task, v_from.step_no
           ))
         )::integer
   where s.task_uuid = v_task
     and s.step_no = v_to.step_no;
  perform tasker.advance_later(v_task);
  return true;
exception
  when lock_not_available then
    perform tasker.raise_task_locked(p_from_step_uuid);
end;
$$;

comment on function tasker.add_step_edge is
$$Makes one step of a task depend on another. Returns true if the edge is new. Returns false if an edge between the two steps exists already, and that edge does not change.

p_condition is a jsonpath predicate on the first step's results. If it is null, any success satisfies the edge. If the first step has already settled, it counts at once. Locks the task, then the second step. Raises TK404 if the task or a step does not exist, TK409 if the edge would close a cycle, the second step is no longer pending or the task has ended, TK422 if the steps belong to different tasks or the condition is not a predicate, TK403 if the caller is bound to other namespaces, TK409 if another session keeps the task locked for 5 seconds.$$;

grant execute on function tasker.add_step_edge
  to tasker_submitter, tasker_worker, tasker_orchestrator, tasker_operator;
-- <<<

insert into tasker.schema_builds (version, files) values ('20261121000800', 'functions/kernel/create/add_step_edge 9ff449e1a66a8bb5
functions/kernel/create/private/lock_open_task 86a62590a2fb814d
functions/kernel/graph/detect_cycle 37f1bbbd87af2b5b
functions/kernel/graph/private/condition_error 59368fb143136401
functions/kernel/graph/private/condition_errors 16ea17c63c2e224f
functions/kernel/graph/private/parse_condition 55ee63b30b932c27
');

reset role;

-- migrate:down
set local citus.enable_ddl_propagation = off; -- Citus would repeat this on its worker nodes
set local role tasker_owner;

delete from tasker.schema_builds where version = '20261121000800';

drop function tasker.add_step_edge;
drop function tasker.lock_open_task;
drop function tasker.condition_errors;
drop function tasker.parse_condition;
drop function tasker.condition_error;
drop function tasker.detect_cycle;

reset role;
