create or replace view tasker.access_map_details as
select
  ''::text as claim,
  ''::text as value,
  ''::text as role_name,
  '{}'::text[] as namespaces,
  '-infinity'::timestamptz as created_at,
  ''::text as updated_by
where false;

comment on view tasker.access_map_details is
  'Row type: which claim of a person who signs in gives which role in which namespaces.';
comment on column tasker.access_map_details.namespaces is
  'The namespaces that the access covers. "*" alone means all namespaces. An empty array means no namespace.';
