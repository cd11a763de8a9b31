-- compat: a schema of views that carry the column names of tasker-core
-- Composed from db/schema: edit there, then compose again. Frozen by the first release tag.

-- migrate:up
set local citus.enable_ddl_propagation = off; -- Citus would repeat this on its worker nodes

-- >>> db/schema/compat/schema.sql
create schema tasker_compat authorization tasker_owner;

comment on schema tasker_compat is
  'The tables of schema tasker under the column names of tasker-core, for reading. docs/from-tasker-core.md maps the rest.';

revoke all on schema tasker_compat from public;
-- <<<

set local role tasker_owner;
insert into tasker.schema_builds (version, files) values ('20261121001900', 'compat/schema e347820e37962da7
');
reset role;

set local role tasker_owner;
select tasker.note_objects();
reset role;

-- migrate:down
set local citus.enable_ddl_propagation = off; -- Citus would repeat this on its worker nodes

set local role tasker_owner;
delete from tasker.schema_builds where version = '20261121001900';

reset role;

drop schema tasker_compat;

set local role tasker_owner;
select tasker.note_objects();
reset role;
