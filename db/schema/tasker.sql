create schema tasker authorization tasker_owner;

comment on schema tasker is
  'pgtasker: durable multi-step workflows. Call its functions; its tables are not granted to any role.';

revoke all on schema tasker from public;
grant usage on schema tasker
  to tasker_submitter, tasker_worker, tasker_orchestrator, tasker_operator, tasker_reader, tasker_server;
