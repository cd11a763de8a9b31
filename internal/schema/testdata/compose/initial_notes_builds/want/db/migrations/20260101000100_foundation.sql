-- foundation: the owner and the schema
-- Composed from db/schema: edit there, then compose again. Frozen by the first release tag.

-- migrate:up
set local citus.enable_ddl_propagation = off; -- Citus would repeat this on its worker nodes

-- >>> db/schema/roles.sql
-- Roles belong to the cluster and are kept.
-- down: nothing
do $$
begin
  create role tasker_owner nologin noinherit;
exception when duplicate_object or unique_violation then
  null;
end;
$$;

do $$
begin
  create role tasker_operator nologin noinherit;
exception when duplicate_object or unique_violation then
  null;
end;
$$;
-- <<<

-- >>> db/schema/tasker.sql
create schema tasker authorization tasker_owner;

comment on schema tasker is
  'A small schema.';
-- <<<

-- migrate:down
set local citus.enable_ddl_propagation = off; -- Citus would repeat this on its worker nodes

drop schema tasker;
