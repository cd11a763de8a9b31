create or replace function tasker.gated_due_at(p_namespaces text[])
  returns timestamptz
  language plpgsql
  stable
as $$
begin
  return tasker.next_limited_at(p_namespaces);
end;
$$;

comment on function tasker.gated_due_at is
$$Door: returns the next time when tasker.take_gated may find a step, or null if no time is known.$$;
