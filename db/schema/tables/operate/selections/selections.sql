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
  'Sets of tasks, steps or dead-letter entries. The entries are fixed when the set is created, so that a mass action acts on exactly the entries that a person was shown.';
comment on column tasker.selections.filters is
  'The filters that found the entries. The empty object if a caller named the entries one by one.';
comment on column tasker.selections.words is
  'A description of the set in words, with the number of its entries.';
comment on column tasker.selections.more is
  'Whether more entries matched than a selection holds.';
comment on column tasker.selections.namespaces is
  'The namespaces of the entries. A caller that may work in all of these namespaces sees the selection.';
