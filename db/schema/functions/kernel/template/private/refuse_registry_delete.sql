create or replace function tasker.refuse_registry_delete()
  returns trigger
  language plpgsql
  set search_path = pg_catalog, pg_temp
as $$
begin
  raise exception using
    errcode = 'TK409',
    message = format('rows of tasker.%s are never deleted', tg_table_name),
    detail  = 'Tasks refer to them without a foreign key.',
    hint    = 'Retire a template instead.';
end;
$$;

comment on function tasker.refuse_registry_delete is
$$Trigger function: refuses to delete rows that tasks and steps refer to. Raises TK409.$$;
