create or replace function tasker.pgmq_kind()
  returns text
  language plpgsql
  stable
  security definer
  set search_path = pg_catalog, pg_temp
as $$
begin
  -- Query the catalog: to_regprocedure requires rights on the schema.
  return (
    select case
             when bool_or(p.proname = '_pgtasker_version') then 'own'
             when count(distinct p.proname) filter (
                    where p.proname in ('create', 'send', 'send_batch', 'read', 'delete', 'archive', 'set_vt')
                  ) < 7 then 'none'
             when exists (select from pg_extension as e where e.extname = 'pgmq') then 'extension'
             else 'foreign'
           end
      from pg_proc as p
      join pg_namespace as n on n.oid = p.pronamespace
     where n.nspname = 'pgmq'
  );
end;
$$;

comment on function tasker.pgmq_kind is
$$Returns the kind of schema pgmq: "own" (installed by pgtasker), "extension", "foreign" (the same functions, installed by another role without the extension) or "none".$$;

grant execute on function tasker.pgmq_kind
  to tasker_submitter, tasker_worker, tasker_orchestrator, tasker_operator, tasker_reader;
