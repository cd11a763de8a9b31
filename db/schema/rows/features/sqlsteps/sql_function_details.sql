create or replace view tasker.sql_function_details as
select
  ''::text as namespace,
  null::text as function,
  null::text as role,
  0::bigint as templates,
  null::text as problem
where false;

comment on view tasker.sql_function_details is
  'Row type: a function that steps of a namespace name, and the role that it runs as.';
comment on column tasker.sql_function_details.function is
  'The name of the function. Null if the namespace has a bound role but its templates name no function.';
comment on column tasker.sql_function_details.templates is
  'The number of template versions that name the function and are not retired.';
comment on column tasker.sql_function_details.problem is
  'The reason why the function''s steps cannot run. Null if no obstacle is known.';
