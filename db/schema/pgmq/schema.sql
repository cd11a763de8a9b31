-- down: nothing

-- This project's pgmq is built under another name. settle.sql, the last file of the section, decides
-- whether the database uses it: then the schema is renamed to pgmq, which is what the functions'
-- bodies say; else it goes again. tasker_owner may not create schemas, so the migrating user does.
reset role;
create schema tasker_pgmq authorization tasker_owner;
set local role tasker_owner;

comment on schema tasker_pgmq is
  'pgmq as pgtasker brings it: the API of the extension pgmq 1.11, without topics, groups, notifications of inserts and partitioned queues.';

revoke all on schema tasker_pgmq from public;
grant usage on schema tasker_pgmq to pg_monitor;
