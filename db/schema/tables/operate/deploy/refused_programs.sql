create table tasker.refused_programs (
  named_task_uuid   uuid         not null,
  types_digest      text         not null,
  differences       jsonb        not null,
  program           text,
  refused_by        text         not null,
  first_refused_at  timestamptz  not null  default tasker.clock(),
  last_refused_at   timestamptz  not null  default tasker.clock(),
  refusals          bigint       not null  default 1,

  constraint refused_programs_pkey
    primary key (named_task_uuid, types_digest),
  constraint refused_programs_named_task_uuid_fkey
    foreign key (named_task_uuid) references tasker.named_tasks (named_task_uuid),
  constraint refused_programs_refusals_check
    check (refusals > 0)
);

comment on table tasker.refused_programs is
  'Programs that were not registered, because their type of a result or of the context of a version differs from the type in earlier programs. At most ten programs are kept for each version.';
comment on column tasker.refused_programs.types_digest is
  'The digest of the types that the refused program named, as tasker.types_digest returns it.';
comment on column tasker.refused_programs.differences is
  'The types that differ, as tasker.type_differences returns them.';
comment on column tasker.refused_programs.program is
  'The application_name of the session. Null if the session had none.';
comment on column tasker.refused_programs.refused_by is
  'The role, the token or the person that tried to register the program.';
