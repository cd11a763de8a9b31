create table tasker.added_step_edges (
  task_uuid     uuid      not null,
  from_step_no  integer   not null,
  to_step_no    integer   not null,
  name          text      not null  default 'provides',
  condition     jsonpath,

  constraint added_step_edges_pkey
    primary key (task_uuid, from_step_no, to_step_no),
  constraint added_step_edges_no_self_edge_check
    check (from_step_no <> to_step_no)
) partition by range (task_uuid);

create index added_step_edges_parents_idx
  on tasker.added_step_edges (task_uuid, to_step_no, from_step_no);

comment on index tasker.added_step_edges_parents_idx is
  'Serves queries from a step to its parents: their results at a claim, readiness.';

comment on table tasker.added_step_edges is
  'The dependencies that were added to a running task. The view tasker.workflow_step_edges also has the dependencies of the task''s template. Both ends of a dependency are steps of the same task, which the key and a trigger ensure in place of foreign keys. The inserting functions refuse cycles.';
comment on column tasker.added_step_edges.condition is
  'A predicate on the parent''s results. Null means that any success of the parent satisfies the edge.';
