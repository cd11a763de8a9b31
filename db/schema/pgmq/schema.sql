-- down: nothing

-- pgtasker's own pgmq is created in the schema tasker_pgmq. The last file of this section, settle.sql, decides whether the
-- database uses it. If so, settle.sql renames the schema to pgmq, the name that the bodies of the functions use. Otherwise it
-- drops the schema. The migrating user creates the schema, because tasker_owner may not create schemas.
reset role;
create schema tasker_pgmq authorization tasker_owner;
set local role tasker_owner;

comment on schema tasker_pgmq is
  'pgtasker''s own pgmq. It offers the API of the extension pgmq 1.11, except topics, groups, notifications of inserts and partitioned queues.';

revoke all on schema tasker_pgmq from public;
grant usage on schema tasker_pgmq to pg_monitor;
