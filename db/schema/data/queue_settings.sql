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
  ('queue_notify_global', 'boolean', 'true', null::numeric, null::numeric, 'Whether a message sent to a queue is announced on the channel pgmq_message_ready too, besides its namespace''s.'),
  ('queue_notify_throttle_ms', 'integer', '0', 0, 3600000, 'How long after announcing a message of a queue further ones are not announced, in milliseconds; 0 announces all.')
) as d (name, kind, value, minimum, maximum, description);
