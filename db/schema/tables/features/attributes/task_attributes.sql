create table tasker.task_attributes (
  task_uuid     uuid         not null,
  attribute_no  integer      not null,
  step_no       integer      not null,
  text_value    text         collate "C",
  number_value  numeric,
  time_value    timestamptz,
  problem       text,
  changed_at    timestamptz  not null,

  constraint task_attributes_pkey
    primary key (task_uuid, attribute_no),
  constraint task_attributes_value_check
    check (num_nonnulls(text_value, number_value, time_value) <= 1)
) partition by range (task_uuid);

create index task_attributes_text_idx
  on tasker.task_attributes (attribute_no, text_value, task_uuid)
  where text_value is not null;

create index task_attributes_number_idx
  on tasker.task_attributes (attribute_no, number_value, task_uuid)
  where number_value is not null;

create index task_attributes_time_idx
  on tasker.task_attributes (attribute_no, time_value, task_uuid)
  where time_value is not null;

comment on index tasker.task_attributes_text_idx is
  'Serves the search for tasks by an attribute of type text, and the order of a list by it. The index has only the rows of this type.';
comment on index tasker.task_attributes_number_idx is
  'Serves the search for tasks by an attribute of type number, and the order of a list by it.';
comment on index tasker.task_attributes_time_idx is
  'Serves the search for tasks by an attribute of type time, and the order of a list by it.';

comment on table tasker.task_attributes is
  'The attributes of tasks whose templates declare attributes, written by the transaction that creates the task or completes the step, under the task''s lock.';
comment on column tasker.task_attributes.step_no is
  'The number of the step whose result contains the value. 0 if the value is from the context.';
comment on column tasker.task_attributes.problem is
  'The reason why the value at the path does not have the type of the attribute. Null if it has that type. A JSON null leaves a row without a value and without a problem.';
comment on column tasker.task_attributes.changed_at is
  'The time when the value was last written, even if it did not change.';
