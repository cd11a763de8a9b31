create or replace view tasker.map_arrays as
select
  null::integer as size,
  null::jsonb as elements,
  null::integer as last_no,
  null::text as problem
where false;

comment on view tasker.map_arrays is
  'Row type: the number of elements of a map''s array, and the next elements. If the elements are results of another map, last_no is the number of the last instance whose result was read. If there is no array, problem is the reason.';
