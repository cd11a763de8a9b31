create schema tasker authorization tasker_owner;

comment on schema tasker is
  'A small schema.';
