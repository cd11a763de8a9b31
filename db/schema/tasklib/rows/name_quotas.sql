create table tasklib.name_quotas (
  name   text     not null,
  quota  integer  not null,
  keyed  boolean  not null,
  rated  boolean  not null,

  constraint name_quotas_row_type_check
    check (false) no inherit
);

comment on table tasklib.name_quotas is
  'Row type: how many tasks of a name may be claimed now, whether its limit keys take turns, and whether they have a rate.';

revoke all on table tasklib.name_quotas from public;
