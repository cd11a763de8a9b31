-- down: nothing

-- Roles belong to the cluster. As in db/schema/roles.sql, create only the roles that do not exist, and keep them when the
-- schema is dropped.
do $$
declare
  v_role text;
begin
  perform pg_advisory_xact_lock(hashtextextended('tasker.roles', 0));

  foreach v_role in array array['tasklib_submitter', 'tasklib_worker', 'tasklib_operator', 'tasklib_reader'] loop
    if not exists (select from pg_catalog.pg_roles as r where r.rolname = v_role) then
      begin
        execute format('create role %I nologin noinherit', v_role);
      exception when duplicate_object or unique_violation then
        null;
      end;
    end if;
  end loop;
end;
$$;
