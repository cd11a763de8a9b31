-- tasklib: tasklib, the one-table task queue: its roles and its schema
-- Composed from db/schema: edit there, then compose again. Frozen by the first release tag.

-- migrate:up
set local citus.enable_ddl_propagation = off; -- Citus would repeat this on its worker nodes

-- >>> db/schema/tasklib/roles.sql
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
-- <<<

-- >>> db/schema/tasklib/schema.sql
create schema tasklib authorization tasker_owner;

comment on schema tasklib is
  'A task queue in one table, for tasks that do not depend on each other. Call its functions, because its tables are not granted to any role.';

revoke all on schema tasklib from public;
grant usage on schema tasklib to tasklib_submitter, tasklib_worker, tasklib_operator, tasklib_reader;
-- <<<

set local role tasker_owner;
insert into tasker.schema_builds (version, files) values ('20261121002000', 'tasklib/roles 43f084b93b603e85
tasklib/schema dc2e33b06e210cfa
');
reset role;

set local role tasker_owner;
select tasker.note_objects();
reset role;

-- migrate:down
set local citus.enable_ddl_propagation = off; -- Citus would repeat this on its worker nodes

set local role tasker_owner;
delete from tasker.schema_builds where version = '20261121002000';

reset role;

drop schema tasklib;

set local role tasker_owner;
select tasker.note_objects();
reset role;
