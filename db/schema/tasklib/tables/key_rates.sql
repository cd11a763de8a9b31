create table tasklib.key_rates (
  name        text collate "C"  not null,
  limit_key   text collate "C"  not null,
  paid_until  timestamptz       not null,

  constraint key_rates_pkey
    primary key (name, limit_key),
  constraint key_rates_name_fkey
    foreign key (name) references tasklib.registered_tasks (name)
) with (fillfactor = 50);

create index key_rates_paid_until_idx
  on tasklib.key_rates (name, paid_until);

comment on index tasklib.key_rates_paid_until_idx is
  'Serves purge_expired: the keys whose rates are whole again; and claims after the clock was put back.';

comment on table tasklib.key_rates is
  'What tasks of a limit key have used of key_rate_limit. A key without a row has used nothing. Written only under the lock of the name''s row in tasklib.task_limits.';
comment on column tasklib.key_rates.paid_until is
  'When the rate of the key is whole again: each claim moves it on by the interval between two claims.';

revoke all on table tasklib.key_rates from public;
