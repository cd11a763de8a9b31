create table tasker.notes (
  job_id  bigint  not null,
  note    text    not null,

  constraint notes_pkey
    primary key (job_id, note)
);

comment on table tasker.notes is
  'What people write about jobs.';
