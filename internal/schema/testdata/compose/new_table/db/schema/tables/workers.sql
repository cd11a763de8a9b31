create table tasker.workers (
  name  text  not null,

  constraint workers_pkey
    primary key (name)
);

comment on table tasker.workers is
  'Who takes jobs.';
