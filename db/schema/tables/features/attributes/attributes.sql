create table tasker.attributes (
  attribute_no  integer  not null  generated always as identity,
  namespace     text     not null,
  name          text     not null,
  type          text     not null,

  constraint attributes_pkey
    primary key (attribute_no),
  constraint attributes_name_key
    unique (namespace, name),
  constraint attributes_type_check
    check (type in ('text', 'number', 'time'))
);

comment on table tasker.attributes is
  'The attributes that templates of a namespace declare, one row for each name. All templates and versions of the namespace share the type of a name, so that one index serves a search over all of them. A row is never changed or deleted.';
