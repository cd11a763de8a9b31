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
  'Serves purge_expired, which finds the limit keys that may use their whole rate again. Also serves claims, which find times that are too late because the clock was put back.';

comment on table tasklib.key_rates is
  'How much of key_rate_limit the tasks of a limit key have used. A limit key without a row has used none of it. A claim writes the row while it holds the lock of the name''s row in tasklib.task_limits. The function tasklib.purge_expired deletes rows whose time paid_until has passed.';
comment on column tasklib.key_rates.paid_until is
  'The time from which the limit key may use its whole rate again. Each claimed task makes this time later by key_rate_period_seconds / key_rate_limit seconds.';
