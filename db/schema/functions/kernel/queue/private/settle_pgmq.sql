create or replace function tasker.settle_pgmq()
  returns text
  language plpgsql
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_role text := current_setting('role');
begin
  -- The migrating user, not tasker_owner, creates schemas and extensions.
  perform set_config('role', 'none', true);

  if tasker.pgmq_kind() = 'none' and coalesce(current_setting('tasker.pgmq', true), '') <> 'own' and exists (
    select
      from pg_available_extensions as x
     where x.name = 'pgmq'
       and string_to_array(substring(x.default_version from '^[0-9]+[.][0-9]+'), '.')::integer[] >= '{1,4}'
  ) then
    begin
      create extension pgmq;
    exception when others then
      raise notice using
        message = 'extension pgmq is available but was not created: pgtasker installs its own pgmq',
        detail  = sqlerrm,
        hint    = 'Move to the extension later with tasker.move_pgmq_to_extension(); see docs/queues.md.';
    end;
  end if;

  case tasker.pgmq_kind()
    when 'none' then
      if exists (select from pg_namespace as n where n.nspname = 'pgmq') then
        raise exception using
          errcode = 'TK409',
          message = 'schema "pgmq" exists but does not contain pgmq',
          detail  = 'It lacks some of the functions create, send, send_batch, read, delete, archive and set_vt.',
          hint    = 'Rename it or drop it, then migrate again.';
      end if;
      alter schema tasker_pgmq rename to pgmq;
    else
      if tasker.pgmq_kind() <> 'own' then
        perform tasker.adopt_pgmq();
      end if;
      perform tasker.drop_schema_quietly('tasker_pgmq');
  end case;

  perform set_config('role', v_role, true);
  return tasker.pgmq_kind();
end;
$$;

comment on function tasker.settle_pgmq is
$$Decides which pgmq the database uses, at the end of the migration that created schema tasker_pgmq. The first choice is an existing pgmq. The second choice is the extension, if it can be created. The last choice is pgtasker's own pgmq, by renaming tasker_pgmq to pgmq. Returns the kind, as tasker.pgmq_kind() does.

The command "alter database … set tasker.pgmq = 'own'" before migrating prevents the creation of the extension. Raises TK409 if schema pgmq contains something else.$$;
