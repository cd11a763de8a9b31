create or replace trigger added_step_edges_check_insert
  after insert on tasker.added_step_edges
  referencing new table as new_rows
  for each statement execute function tasker.check_step_edges();

create or replace trigger added_step_edges_check_update
  after update on tasker.added_step_edges
  referencing new table as new_rows
  for each statement execute function tasker.check_step_edges();

comment on trigger added_step_edges_check_insert on tasker.added_step_edges is
  'Replaces the foreign keys to workflow_steps.';
comment on trigger added_step_edges_check_update on tasker.added_step_edges is
  'Replaces the foreign keys to workflow_steps.';
