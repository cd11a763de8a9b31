create table tasker.named_task_edges (
  named_task_uuid  uuid      not null,
  from_step_no     integer   not null,
  to_step_no       integer   not null,
  condition        jsonpath,
  outcome          text,

  constraint named_task_edges_pkey
    primary key (named_task_uuid, from_step_no, to_step_no),
  constraint named_task_edges_from_step_no_fkey
    foreign key (named_task_uuid, from_step_no)
    references tasker.named_tasks_named_steps (named_task_uuid, step_no),
  constraint named_task_edges_to_step_no_fkey
    foreign key (named_task_uuid, to_step_no)
    references tasker.named_tasks_named_steps (named_task_uuid, step_no),
  constraint named_task_edges_no_self_edge_check
    check (from_step_no <> to_step_no),
  constraint named_task_edges_outcome_check
    check (outcome is null or outcome in ('failed', 'ended') and condition is null)
);

create index named_task_edges_parents_idx
  on tasker.named_task_edges (named_task_uuid, to_step_no);

comment on index tasker.named_task_edges_parents_idx is
  'Serves the foreign key of to_step_no and queries from a step to its parents.';

comment on table tasker.named_task_edges is
  'The dependencies between the steps of a template.';
comment on column tasker.named_task_edges.condition is
  'The template''s "when": a predicate on the parent''s results. Null means that any success of the parent satisfies the edge.';
comment on column tasker.named_task_edges.outcome is
  'The template''s "on": failed waits for a failure of the parent for good, ended waits for a failure or a success. Null waits for a success.';
