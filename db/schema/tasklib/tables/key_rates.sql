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
  'Serves purge_expired, which finds the keys whose rates are whole again. Serves claims after the clock was put back.';

comment on table tasklib.key_rates is
  'How much of key_rate_limit the tasks of a limit key have used. A key without a row has used nothing. A claim writes the row under the lock of the name''s row in tasklib.task_limits. The function tasklib.purge_expired deletes rows whose rate is whole again.';
comment on column tasklib.key_rates.paid_until is
  'The time when the rate of the key is whole again. Each claimed task moves this time on by key_rate_period_seconds / key_rate_limit.';
