create or replace function tasker.note_objects()
  returns void
  language plpgsql
  set search_path = pg_catalog, pg_temp
as $$
begin
  delete from tasker.schema_objects as o;
  insert into tasker.schema_objects (object, definition, grants)
  select d.object, d.definition, d.grants from tasker.object_digests() as d;
end;
$$;

comment on function tasker.note_objects is
$$Writes the digests of all objects into tasker.schema_objects. Each migration calls this function at its end.$$;
