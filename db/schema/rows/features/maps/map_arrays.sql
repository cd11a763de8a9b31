create or replace view tasker.map_arrays as
select
  null::integer as size,
  null::jsonb as elements,
  null::integer as last_no,
  null::text as problem
where false;

comment on view tasker.map_arrays is
  'Row type: how many elements the array of a map has, and the next elements. If the elements are results of another map, the number of the last instance that they came from. If there is no array, the reason.';
