create schema tasklib authorization tasker_owner;

comment on schema tasklib is
  'A task queue in one table, for tasks that do not depend on each other. Call its functions, because its tables are not granted to any role.';

revoke all on schema tasklib from public;
grant usage on schema tasklib to tasklib_submitter, tasklib_worker, tasklib_operator, tasklib_reader;
