create or replace function tasker.maps_ready(p_task_uuids uuid[], p_step_nos integer[])
  returns void
  language plpgsql
as $$
declare
  v_ok text; -- an assignment, unlike PERFORM, starts no executor
begin
  v_ok := tasker.note_maps(p_task_uuids, p_step_nos);
end;
$$;

comment on function tasker.maps_ready is
$$Door: these maps no longer wait for a parent, or may start more of their instances. Inserts timers.$$;
