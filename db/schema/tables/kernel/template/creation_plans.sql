create table tasker.creation_plans (
  named_task_uuid    uuid               not null,
  namespace          text               not null,
  name               text               not null,
  version            text               not null,
  retired_at         timestamptz,
  created_at         timestamptz        not null,
  identity_strategy  text               not null,
  state              tasker.task_state  not null,
  complete           boolean            not null,
  has_maps           boolean            not null,
  total_steps        integer            not null,
  active_steps       integer            not null,
  suspended_steps    integer            not null,
  transition_count   integer            not null,
  root_effects       smallint           not null,
  path               tasker.task_path   not null,
  ready              jsonb,
  undo               jsonb,
  first_no           integer,
  first_handler      uuid,
  first_priority     integer,
  transport          text               not null,
  notify             text,
  paused             boolean            not null,
  on_failure         text               not null,
  input_schema       jsonb,
  runs               jsonb,

  constraint creation_plans_pkey
    primary key (named_task_uuid)
);

create index creation_plans_newest_idx
  on tasker.creation_plans (namespace, name, (retired_at is not null), created_at desc, named_task_uuid desc);

comment on index tasker.creation_plans_newest_idx is
  'Serves creation: the newest version of a template that is not retired is the first entry.';

comment on table tasker.creation_plans is
  'The facts of a template and its namespace that the creation of a task, a claim and a result read: one row for each version. Triggers of the tables behind these facts maintain the row. Never change the row by hand. The settings, bindings and ranges that a creation needs are in tasker.settings_now.';
comment on column tasker.creation_plans.state is
  'The state of a task that starts at once. The columns complete, active_steps, suspended_steps, transition_count and path describe the same task, and ready is the outcome in its log.';
comment on column tasker.creation_plans.undo is
  'The column undo of a new task: an empty object if a step has a compensation.';
comment on column tasker.creation_plans.first_no is
  'The number of the first step, if the template has only one first step and a handler runs it. first_handler is its handler and first_priority its priority. Null if there are several first steps, or the first step waits or is a map.';
comment on column tasker.creation_plans.notify is
  'The column notify of the namespace. Null means the setting notify.';
comment on column tasker.creation_plans.input_schema is
  'The schema that the contexts of new tasks must fit. Null if the contexts are not checked.';
comment on column tasker.creation_plans.runs is
  'The number of its tasks that may run at once for each key, and the effect of a further request, in normal form. Null if the runs are not bounded.';
