create table tasker.turns (
  name  text  not null,

  constraint turns_pkey
    primary key (name)
);

comment on table tasker.turns is
  'What only one session may do at a time. A session locks the row to have its turn: unlike an advisory lock, which any role may take, this needs a right that only the owner has.';

revoke all on table tasker.turns from public;

insert into tasker.turns (name)
values ('maintenance'), ('partitions'), ('role_bindings');
