create or replace function tasker.raise_dlq_entry_not_found(p_dlq_entry_uuid uuid)
  returns void
  language plpgsql
  set search_path = pg_catalog, pg_temp
as $$
begin
  raise exception using
    errcode = 'TK404',
    message = format('dead-letter entry %s does not exist', coalesce(p_dlq_entry_uuid::text, 'null')),
    hint    = 'tasker.list_dlq_entries() lists the entries.';
end;
$$;

comment on function tasker.raise_dlq_entry_not_found is
$$Raises TK404 because there is no dead-letter entry with this UUID.$$;
