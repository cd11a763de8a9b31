-- down: delete from tasker.settings as s where s.name in ('stream_item_bytes', 'stream_items', 'stream_bytes');

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
  ('stream_item_bytes', 'integer', '16384', 256, 1048576, 'The largest item of a stream, and the largest value of a step, in bytes.'),
  ('stream_items', 'integer', '100000', 1000, 100000000, 'The most items that one stream of a step keeps.'),
  ('stream_bytes', 'integer', '16777216', 1048576, 1073741824, 'The most that one stream of a step keeps, in bytes.')
) as d (name, kind, value, minimum, maximum, description);
