create or replace function tasker.guard_problems()
  returns setof tasker.integrity_problems
  language plpgsql
  stable
  set search_path = pg_catalog, pg_temp
as $$
begin
  -- Each log and each of its partitions has its row-level guard and its statement-level one, switched on.
  return query
  select null::uuid, null::integer, null::integer, c.relname::text,
         format('is not protected against %s', g.what)
    from pg_class as c
    join (values
      ('task_transition_log'), ('workflow_step_transition_log'), ('workflow_step_result_audit')
    ) as l (table_name)
      on c.relname = l.table_name
      or c.relname like replace(l.table_name, '_', '\_') || '\_p%'
   cross join (values ('update and delete', 1 + 2 + 8 + 16), ('truncate', 2 + 32)) as g (what, kind)
   where c.relnamespace = 'tasker'::regnamespace
     and c.relkind in ('r', 'p')
     and not exists (
       select
         from pg_trigger as t
        where t.tgrelid = c.oid
          and t.tgtype = g.kind
          and t.tgenabled in ('O', 'A')
          and t.tgfoid = 'tasker.refuse_log_change'::regproc
     );
end;
$$;

comment on function tasker.guard_problems() is
$$Logs, and partitions of them, whose append-only triggers are missing or switched off.$$;

revoke all on function tasker.guard_problems() from public;
