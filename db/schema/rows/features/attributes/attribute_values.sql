create or replace view tasker.attribute_values as
select
  '00000000-0000-0000-0000-000000000000'::uuid as task_uuid,
  ''::text as name,
  ''::text as type,
  null::jsonb as value,
  null::text as problem,
  null::text as step,
  '-infinity'::timestamptz as changed_at
where false;

comment on view tasker.attribute_values is
  'Row type: an attribute of a task.';
comment on column tasker.attribute_values.value is
  'The value of the attribute. A time is given as text. Null if the value at the path does not have the type of the attribute.';
comment on column tasker.attribute_values.problem is
  'The reason why the value at the path does not have the type of the attribute. Null if it has that type.';
comment on column tasker.attribute_values.step is
  'The step whose result contains the value. Null if the value is from the context.';
