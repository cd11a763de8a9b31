-- down: delete from tasker.administered_tables where name like 'tasklib.%';
insert into tasker.administered_tables (name, key_columns, left_out, seeded)
values
  ('tasklib.registered_tasks', '{name}', '{keyed,limited}', false),
  ('tasklib.schedules', '{schedule}', '{next_at,last_at,last_task_id,tick_count,failures,last_error,last_error_at,retry_at}', false),
  ('tasklib.settings', '{name}', '{kind,default_value,minimum,maximum,choices,description}', true);
