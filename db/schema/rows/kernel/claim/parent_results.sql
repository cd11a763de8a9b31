create or replace view tasker.parent_results as
select
  0::integer as step_no,
  ''::text as name,
  null::jsonb as results,
  null::text as map
where false;

comment on view tasker.parent_results is
  'Row type: the result of one of a step''s parents.';

comment on column tasker.parent_results.map is
  'The parent that is a map, if this row is one element of the map. Null for any other parent.';
