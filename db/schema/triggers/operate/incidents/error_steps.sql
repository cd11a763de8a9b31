create or replace trigger error_steps_count_insert
  after insert on tasker.error_steps
  referencing new table as new_rows
  for each statement execute function tasker.count_error_steps();

create or replace trigger error_steps_count_update
  after update on tasker.error_steps
  referencing old table as old_rows new table as new_rows
  for each statement execute function tasker.count_error_steps();

create or replace trigger error_steps_count_delete
  after delete on tasker.error_steps
  referencing old table as old_rows
  for each statement execute function tasker.count_error_steps();

comment on trigger error_steps_count_insert on tasker.error_steps is
  'Maintains the counts in tasker.error_stands.';
comment on trigger error_steps_count_update on tasker.error_steps is
  'Maintains the counts in tasker.error_stands.';
comment on trigger error_steps_count_delete on tasker.error_steps is
  'Maintains the counts in tasker.error_stands.';
