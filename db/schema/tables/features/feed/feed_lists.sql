create table tasker.feed_lists (
  subscription  text                 not null,
  list_no       bigint               not null,
  last_key      tasker.feed_keys     not null,
  finds         tasker.feed_finds[]  not null,

  constraint feed_lists_pkey
    primary key (subscription, list_no),
  constraint feed_lists_subscription_fkey
    foreign key (subscription) references tasker.subscriptions (subscription) on delete cascade
);

-- The compression of these lists would cost more than all other work of a read.
alter table tasker.feed_lists alter column finds set storage external;

comment on table tasker.feed_lists is
  'The events of a window that were found but not read yet. A row has at most a hundred events. A batch thus reads only the events that it returns. Rows exist while more events are due than one batch takes.';
comment on column tasker.feed_lists.list_no is
  'The number of the row within its subscription. Rows from the subscription''s list_no up to, but without, its list_end are still to be read.';
