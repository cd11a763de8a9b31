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

-- Compressing these lists would cost more than all other work of a read.
alter table tasker.feed_lists alter column finds set storage external;

comment on table tasker.feed_lists is
  'The events of a window that were found and are still to be read, up to a hundred in a row, so that a batch reads only the events that it returns. Rows exist while more events are due than one batch takes.';
comment on column tasker.feed_lists.list_no is
  'Numbers the rows of a subscription. The rows from the subscription''s list_no to below its list_end are still to be read.';
