create or replace function tasker.constraint_problems()
  returns setof tasker.integrity_problems
  language plpgsql
  stable
as $$
begin
  return query
  with constraints (table_name, name) as (
    values
      ('tasks', 'tasks_row_check'),
      ('workflow_steps', 'workflow_steps_row_check'),
      ('task_transition_log', 'task_transition_log_row_check'),
      ('workflow_step_transition_log', 'workflow_step_transition_log_row_check')
  )
  -- Its row constraints exist and are validated.
  select null::uuid, null::integer, null::integer, c.relname::text, format('lacks the constraint %s', g.name)
    from constraints as g
   cross join unnest(tasker.relations_of(g.table_name)) as r (oid)
    join pg_class as c
      on c.oid = r.oid
   where not exists (
     select
       from pg_constraint as k
       join pg_depend as d
         on d.classid = 'pg_constraint'::regclass
        and d.objid = k.oid
        and d.refclassid = 'pg_proc'::regclass
      where k.conrelid = c.oid
        and k.conname = g.name
        and k.convalidated
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
$$Finds guarded tables and partitions that lack a row constraint, and rules, which pgtasker does not have.$$;
