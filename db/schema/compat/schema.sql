create schema tasker_compat authorization tasker_owner;

comment on schema tasker_compat is
  'The tables of schema tasker under the column names of tasker-core, for reading. docs/from-tasker-core.md maps the rest.';

revoke all on schema tasker_compat from public;
