create table tasker.schema_builds (
  version  text  not null,
  files    text  not null,

  constraint schema_builds_pkey
    primary key (version)
);

comment on table tasker.schema_builds is
  'The files of db/schema from which each applied migration was composed. Migrations write this table themselves, whichever program applies them.';
comment on column tasker.schema_builds.files is
  'A line for each file: its name, and the first 16 digits of its SHA-256, or "dropped".';
