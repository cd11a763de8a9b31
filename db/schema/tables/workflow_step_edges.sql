create table tasker.workflow_step_edges (
  task_uuid     uuid      not null,
  from_step_no  integer   not null,
  to_step_no    integer   not null,
  name          text      not null  default 'provides',
  condition     jsonpath,

  constraint workflow_step_edges_pkey
    primary key (task_uuid, from_step_no, to_step_no),
  constraint workflow_step_edges_no_self_edge_check
    check (from_step_no <> to_step_no)
) partition by range (task_uuid);

create index workflow_step_edges_parents_idx
  on tasker.workflow_step_edges (task_uuid, to_step_no, from_step_no);

comment on index tasker.workflow_step_edges_parents_idx is
  'Serves the look from a step to its parents: their results at a claim, readiness.';

comment on table tasker.workflow_step_edges is
  'The dependencies between the steps of a task. Both ends are steps of the same task: by the key, and by a trigger that stands for the foreign keys. A cycle is refused by the functions that insert.';
comment on column tasker.workflow_step_edges.condition is
  'The template''s "when": a predicate on the parent''s results; null is satisfied by any success.';

revoke all on table tasker.workflow_step_edges from public;
