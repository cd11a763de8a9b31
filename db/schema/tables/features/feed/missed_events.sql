create table tasker.missed_events (
  subscription  text         not null,
  suffix        text         not null,
  dropped_at    timestamptz  not null,

  constraint missed_events_pkey
    primary key (subscription, suffix, dropped_at),
  constraint missed_events_subscription_fkey
    foreign key (subscription) references tasker.subscriptions (subscription) on delete cascade
);

comment on table tasker.missed_events is
  'Partitions that retention dropped before a subscription had read their last events.';
