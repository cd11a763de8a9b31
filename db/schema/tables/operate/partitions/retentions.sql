create table tasker.retentions (
  namespace  text         not null,
  template   text         not null  default '',
  keep_for   interval     not null,
  set_at     timestamptz  not null  default tasker.clock(),
  set_by     text         not null,

  constraint retentions_pkey
    primary key (namespace, template),
  constraint retentions_namespace_fkey
    foreign key (namespace) references tasker.task_namespaces (name),
  constraint retentions_keep_for_check
    check (keep_for between interval '1 day' and interval '100 years')
);

comment on table tasker.retentions is
  'Namespaces and templates whose tasks are kept longer than their range. tasker.set_retention writes the rows.';
comment on column tasker.retentions.template is
  'The name of the template. The empty text means all templates of the namespace that have no row of their own.';
comment on column tasker.retentions.keep_for is
  'How long a task is kept after the end of its range.';
