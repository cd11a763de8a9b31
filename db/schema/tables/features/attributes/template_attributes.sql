create table tasker.template_attributes (
  named_task_uuid  uuid      not null,
  step_no          integer   not null,
  attribute_no     integer   not null,
  path             jsonpath  not null,

  constraint template_attributes_pkey
    primary key (named_task_uuid, step_no, attribute_no)
);

comment on table tasker.template_attributes is
  'The sources of the attributes of a version of a template: the context, and the results of steps. Written with the version.';
comment on column tasker.template_attributes.step_no is
  'The number of the step whose result contains the value. 0 if the value is from the context.';
