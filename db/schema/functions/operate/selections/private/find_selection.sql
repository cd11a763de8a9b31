create or replace function tasker.find_selection(p_selection_uuid uuid)
  returns tasker.selections
  language plpgsql
  stable
  set search_path = pg_catalog, pg_temp
as $$
declare
  v_bound     text[] := tasker.bound_namespaces();
  v_selection tasker.selections;
begin
  select s.*
    into v_selection
    from tasker.selections as s
   where s.selection_uuid = p_selection_uuid
     and (v_bound is null or s.namespaces <@ v_bound);
  if not found then
    raise exception using
      errcode = 'TK404',
      message = format('there is no selection %s', coalesce(p_selection_uuid::text, 'null')),
      hint    = 'tasker.create_selection() makes one. It is kept for a day; with a mass action, until 30 days after that has ended.';
  end if;
  return v_selection;
end;
$$;

comment on function tasker.find_selection is
$$Returns a selection that the caller may see. Raises TK404 if there is no such selection.$$;
