-- down: delete from tasker.settings as s where s.name in ('schedule_seconds', 'schedule_ticks', 'missed_tick_seconds');

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
  ('schedule_seconds', 'integer', '60', 1, 86400, 'How often maintenance checks the next runs of schedules against the clock.'),
  ('schedule_ticks', 'integer', '1000', 1, 100000, 'How many entries the history of one schedule keeps.'),
  ('missed_tick_seconds', 'integer', '60', 1, 86400, 'How late a tick of a schedule may be before it counts as missed.')
) as d (name, kind, value, minimum, maximum, description);
