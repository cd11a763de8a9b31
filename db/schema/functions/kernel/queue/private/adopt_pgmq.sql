create or replace function tasker.adopt_pgmq(p_queues text[] default null)
  returns integer
  language plpgsql
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_grant   text;
  v_grants  text[] := '{"grant usage, create on schema pgmq to tasker_owner","grant execute on all functions in schema pgmq to tasker_owner"}';
  v_refused integer := 0;
begin
  if p_queues is null then
    v_grants := v_grants || array[
      'grant all on all tables in schema pgmq to tasker_owner',
      'grant all on all sequences in schema pgmq to tasker_owner',
      'alter default privileges in schema pgmq grant all on tables to tasker_owner',
      'alter default privileges in schema pgmq grant all on sequences to tasker_owner'
    ];
  else
    perform tasker.check_queue_name(u.name) from unnest(p_queues) as u (name);
    -- Grant rights on the tables that pgmq keeps for all queues. For each queue, grant rights on its messages, its
    -- archive and the sequence of its message ids.
    v_grants := v_grants || array(
      select format(
          'grant all on %s %I.%I to tasker_owner', case c.relkind when 'S' then 'sequence' else 'table' end, 'pgmq', c.relname
        )
        from pg_class as c
        left join pg_depend as d
          on d.classid = 'pg_class'::regclass
         and d.objid = c.oid
         and d.deptype in ('a', 'i')
         and c.relkind = 'S'
        left join pg_class as t
          on t.oid = d.refobjid
       where c.relnamespace = 'pgmq'::regnamespace
         and c.relkind in ('r', 'p', 'S')
         and (
           coalesce(t.relname, c.relname) !~ '^[qa]_'
           or substr(coalesce(t.relname, c.relname), 3) = any (array(select lower(u.name) from unnest(p_queues) as u (name)))
         )
       order by c.relname
    );
  end if;
  foreach v_grant in array v_grants loop
    begin
      execute v_grant;
    exception when insufficient_privilege then
      v_refused := v_refused + 1;
      raise notice using
        message = format('not allowed: %s', v_grant),
        hint    = 'The owner of schema pgmq must call tasker.adopt_pgmq().';
    end;
  end loop;
  return v_refused;
end;
$$;

comment on function tasker.adopt_pgmq is
$$Grants tasker_owner, and thus the queue functions of schema tasker, the use of the caller's pgmq: the schema, its functions, and the queues of these names. Null means the existing queues and the queues that the caller creates later. Orchestrators and operators can then use these queues through the queue functions. So name the queues if the schema also has queues of other programs. Returns the number of grants that the caller was not allowed to make. A notice names each of these grants.

Idempotent. The owner of schema pgmq or of its queues calls this function, and needs the execute privilege on it.$$;
