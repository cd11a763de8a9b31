-- down: delete from tasker.settings where name = 'partition_lock_timeout_ms';
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
  ('partition_lock_timeout_ms', 'integer', '200', 10, 10000, 'How long retention may queue for the locks of the run tables, which blocks other sessions; at most four fifths of deadlock_timeout.')
) as d (name, kind, value, minimum, maximum, description);
