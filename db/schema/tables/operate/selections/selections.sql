create table tasker.selections (
  selection_uuid  uuid         not null  default tasker.uuid_generate_v7(),
  kind            text         not null,
  filters         jsonb        not null,
  words           text         not null,
  entries         integer      not null,
  more            boolean      not null,
  namespaces      text[]       not null,
  created_at      timestamptz  not null  default tasker.clock(),
  created_by      text         not null,
  created_login   text         not null,

  constraint selections_pkey
    primary key (selection_uuid),
  constraint selections_kind_check
    check (kind in ('tasks', 'steps', 'dead_letters')),
  constraint selections_entries_check
    check (entries between 0 and 10000)
);

comment on table tasker.selections is
  'Sets of tasks, steps or dead letters. A set is fixed when it is made, so a mass action acts on exactly the entries that a person was shown.';
comment on column tasker.selections.filters is
  'The filters that found the entries. {} if the entries were named one by one.';
comment on column tasker.selections.words is
  'The set in words, with its count.';
comment on column tasker.selections.more is
  'Whether more entries matched than a selection holds.';
comment on column tasker.selections.namespaces is
  'The namespaces of the entries. A caller sees the selection if the caller may work in all of them.';
