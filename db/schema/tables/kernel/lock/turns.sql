create table tasker.turns (
  name  text  not null,

  constraint turns_pkey
    primary key (name)
);

comment on table tasker.turns is
  'Duties that only one session may do at a time. A session takes its turn by locking the row. An advisory lock would not be safe, because any role could take it. Only the owner has the right to lock this row.';

insert into tasker.turns (name)
values ('maintenance'), ('partitions'), ('role_bindings'), ('subscriptions');
