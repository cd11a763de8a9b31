-- down: delete from tasker.settings where name like 'queue\_notify\_%';
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
  ('queue_notify_global', 'boolean', 'true', null::numeric, null::numeric, 'Whether clients are notified of a queue''s messages on the channel pgmq_message_ready too, besides its namespace''s.'),
  ('queue_notify_throttle_ms', 'integer', '0', 0, 3600000, 'The least time between two notifications of a queue, in milliseconds; 0 notifies of every message.')
) as d (name, kind, value, minimum, maximum, description);
