create table tasker.dead_events (
  subscription  text         not null,
  event_uuid    uuid         not null,
  event         jsonb        not null,
  failures      integer      not null,
  error         text         not null,
  died_at       timestamptz  not null,

  constraint dead_events_pkey
    primary key (subscription, event_uuid),
  constraint dead_events_subscription_fkey
    foreign key (subscription) references tasker.subscriptions (subscription) on delete cascade
);

create index dead_events_died_idx
  on tasker.dead_events (subscription, died_at);

comment on index tasker.dead_events_died_idx is
  'Serves the list of dead events, newest first, and the deletion of the oldest ones.';

comment on table tasker.dead_events is
  'Events that a target refused so often that the relay gave up delivering them. The setting dead_events is the number of such events that each subscription keeps.';
