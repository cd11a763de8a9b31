create table tasker.turns (
  name  text  not null,

  constraint turns_pkey
    primary key (name)
);

comment on table tasker.turns is
  'Duties that only one session may do at a time. A session locks the row to take its turn. Any role could take an advisory lock; locking this row needs a right that only the owner has.';

insert into tasker.turns (name)
values ('maintenance'), ('partitions'), ('role_bindings'), ('subscriptions');
