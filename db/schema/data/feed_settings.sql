-- down: delete from tasker.settings as s where s.name in ('max_subscriptions', 'dead_events');

insert into tasker.settings (name, kind, value, default_value, minimum, maximum, description)
select
  d.name,
  d.kind,
  d.value,
  d.value,
  d.minimum,
  d.maximum,
  d.description
from (values
  ('max_subscriptions', 'integer', '100', 0, 10000, 'How many subscriptions to the feed there may be.'),
  ('dead_events', 'integer', '1000', 1, 100000, 'How many events that could not be delivered one subscription keeps.')
) as d (name, kind, value, minimum, maximum, description);
