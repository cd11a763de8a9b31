-- schema: roles and the schema itself, owned by tasker_owner
-- Composed from db/schema: edit there, then compose again. Frozen by the first release tag.

-- migrate:up
set local citus.enable_ddl_propagation = off; -- Citus would repeat this on its worker nodes

-- >>> db/schema/roles.sql
-- down: nothing

-- Roles belong to the cluster, not to the database. This file creates absent roles, and dropping the schema
-- keeps them. An advisory lock is local to one database, so two databases that are migrated at the same time
-- can still meet here. The second migration finds the role and continues.
do $$
declare
  v_role text;
begin
  perform pg_advisory_xact_lock(hashtextextended('tasker.roles', 0));

  foreach v_role in array array[
    'tasker_owner', 'tasker_submitter', 'tasker_worker',
    'tasker_orchestrator', 'tasker_operator', 'tasker_reader', 'tasker_server'
  ] loop
    if not exists (select from pg_catalog.pg_roles as r where r.rolname = v_role) then
      begin
        execute format('create role %I nologin noinherit', v_role);
      exception when duplicate_object or unique_violation then
        null;
      end;
    end if;
  end loop;

  -- The migrating user creates everything as tasker_owner and so must be able to become it. Since PostgreSQL
  -- 16, creating a role no longer implies this right.
  if not pg_has_role(
    current_user, 'tasker_owner',
    case when current_setting('server_version_num')::int >= 160000 then 'SET' else 'MEMBER' end
  ) then
    execute format('grant tasker_owner to %I', current_user);
  end if;
end;
$$;
-- <<<

-- >>> db/schema/tasker.sql
create schema tasker authorization tasker_owner;

comment on schema tasker is
  'pgtasker: durable multi-step workflows. Call its functions; its tables are not granted to any role.';

revoke all on schema tasker from public;
grant usage on schema tasker
  to tasker_submitter, tasker_worker, tasker_orchestrator, tasker_operator, tasker_reader, tasker_server;
-- <<<

-- >>> db/schema/tasker_sql.sql
-- down: drop schema tasker_sql cascade;

-- The functions that tasker.bind_sql_role creates, one for each namespace. They belong to the bound roles, which may not even name them.
create schema tasker_sql authorization tasker_owner;

comment on schema tasker_sql is
  'pgtasker: calls the functions of steps that are SQL, as the role that is bound for their namespace.';

revoke all on schema tasker_sql from public;
-- <<<

-- migrate:down
set local citus.enable_ddl_propagation = off; -- Citus would repeat this on its worker nodes

drop schema tasker_sql cascade;
drop schema tasker;
