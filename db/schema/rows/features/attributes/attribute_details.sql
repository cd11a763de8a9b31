create or replace view tasker.attribute_details as
select
  ''::text as namespace,
  ''::text as name,
  ''::text as type,
  '{}'::text[] as templates
where false;

comment on view tasker.attribute_details is
  'Row type: an attribute that templates of a namespace declare.';
comment on column tasker.attribute_details.templates is
  'The names of the templates that declare the attribute, in any version.';
