create or replace function tasker.handled_here()
  returns uuid[]
  language sql
  stable
begin atomic
  select array(select h.named_step_uuid from tasker.named_steps as h where starts_with(h.name, 'sql:') order by 1);
end;

comment on function tasker.handled_here is
$$Door: returns the handlers whose steps the database runs itself. The row of tasker.settings_now keeps these handlers for claims.$$;
