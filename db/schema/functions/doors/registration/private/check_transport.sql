create or replace function tasker.check_transport(p_namespace text)
  returns void
  language plpgsql
as $$
begin
  perform tasker.check_sql_transport(p_namespace);
end;
$$;

comment on function tasker.check_transport is
$$Door: a namespace has been registered, perhaps with another transport. Raises an error if a feature of the namespace does not work with this transport.$$;
