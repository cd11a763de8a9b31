create or replace function tasker.pgmq_table_is_trusted(p_table regclass)
  returns boolean
  language plpgsql
  stable
  set search_path = pg_catalog, pg_temp
as $$
begin
  -- Only the owner can add rules, policies, defaults and indexes. Other roles can be granted the right to add triggers.
  return exists (
    select
      from pg_class as c
     where c.oid = p_table
       and c.relkind in ('r', 'p')
       and tasker.pgmq_owner_is_trusted(c.relowner)
       and not exists (
         select
           from pg_trigger as t
           join pg_proc as p
             on p.oid = t.tgfoid
          where t.tgrelid = c.oid
            and not t.tgisinternal
            and not tasker.pgmq_owner_is_trusted(p.proowner)
       )
  );
end;
$$;

comment on function tasker.pgmq_table_is_trusted is
$$Returns true if a relation of schema pgmq is a table of a role that tasker.pgmq_owner_is_trusted trusts, without triggers of other roles.$$;
