-- down: drop schema tasker_sql cascade;

-- The functions that tasker.bind_sql_role creates, one for each namespace. They belong to the bound roles, which may not even name them.
create schema tasker_sql authorization tasker_owner;

comment on schema tasker_sql is
  'pgtasker: calls the functions of steps that are SQL, as the role that is bound for their namespace.';

revoke all on schema tasker_sql from public;
