create or replace trigger named_task_edges_check_insert
  after insert on tasker.named_task_edges
  referencing new table as changed_rows
  for each statement execute function tasker.refuse_graph_change();

create or replace trigger named_task_edges_check_update
  after update on tasker.named_task_edges
  referencing old table as changed_rows
  for each statement execute function tasker.refuse_graph_change();

create or replace trigger named_task_edges_check_delete
  after delete on tasker.named_task_edges
  referencing old table as changed_rows
  for each statement execute function tasker.refuse_graph_change();

create or replace trigger named_task_edges_no_truncate
  before truncate on tasker.named_task_edges
  for each statement execute function tasker.refuse_registry_delete();

comment on trigger named_task_edges_check_insert on tasker.named_task_edges is
  'Refuses to change the graph of a template that a task uses.';
comment on trigger named_task_edges_check_update on tasker.named_task_edges is
  'Refuses to change the graph of a template that a task uses.';
comment on trigger named_task_edges_check_delete on tasker.named_task_edges is
  'Refuses to change the graph of a template that a task uses.';
comment on trigger named_task_edges_no_truncate on tasker.named_task_edges is
  'Refuses to truncate the table, because tasks refer to the edges of their template without a foreign key.';
