create or replace function tasker.constraint_problems()
  returns setof tasker.integrity_problems
  language plpgsql
  stable
as $$
begin
  return query
  with domains (table_name, column_name, type_name) as (
    values
      ('task_log', 'path', 'task_path'),
      ('step_log', 'path', 'step_path'),
      ('step_log', 'execution_time_ms', 'log_duration')
  )
  -- The row constraints of the table exist and are validated.
  select null::uuid, null::integer, null::integer, c.relname::text, format('lacks the constraint %s', g.table_name || '_row_check')
    from (
      values
        ('tasks', 'check_task_row(task_uuid, state, complete, total_steps, open_steps, active_steps, retrying_steps, '
           || 'suspended_steps, failed_steps, completed_at, headers, context)'),
        ('workflow_steps', 'check_step_row(state, join_mode, total_parents, pending_parents, satisfied_parents, claim_no, '
           || 'attempts, lost_count, backoff_request_seconds, next_retry_at, lease_until, processed_at)')
    ) as g (table_name, call)
   cross join unnest(tasker.relations_of(g.table_name)) as r (oid)
    join pg_class as c
      on c.oid = r.oid
   where not exists (
     select
       from pg_constraint as k
      where k.conrelid = c.oid
        and k.conname = g.table_name || '_row_check'
        -- It depends on the session's settings whether names are quoted.
        and replace(replace(pg_get_constraintdef(k.oid), '"', ''), 'tasker.', '') = format('CHECK (%s)', g.call)
        and k.convalidated
   )
  union all
  -- The columns of the table have their domains, and the domains have their checks, so that the number of a
  -- path has a meaning.
  select null, null, null, c.relname::text, format('lacks the check of the column %s by the domain %s', g.column_name, g.type_name)
    from domains as g
   cross join unnest(tasker.relations_of(g.table_name)) as r (oid)
    join pg_class as c
      on c.oid = r.oid
   where not exists (
     select
       from pg_attribute as a
       join pg_constraint as k
         on k.contypid = a.atttypid
      where a.attrelid = c.oid
        and a.attname = g.column_name
        and a.atttypid = format('tasker.%I', g.type_name)::regtype
        and k.conname = g.type_name || '_check'
   )
  union all
  select null, null, null, c.relname::text, format('has the rule %s, which is not part of pgtasker', r.rulename)
    from pg_rewrite as r
    join pg_class as c
      on c.oid = r.ev_class
   where c.relnamespace = 'tasker'::regnamespace
     and c.relkind in ('r', 'p');
end;
$$;

comment on function tasker.constraint_problems is
$$Finds guarded tables and partitions that lack a row constraint or the domain of a column, domains that lack their
check, and any rewrite rule, because pgtasker has no rules.$$;
