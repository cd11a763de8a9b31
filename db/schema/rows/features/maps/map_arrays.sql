create or replace view tasker.map_arrays as
select
  null::integer as size,
  null::jsonb as elements,
  null::integer as last_no,
  null::text as problem
where false;

comment on view tasker.map_arrays is
  'Row type: how many elements the array of a map has, the next of them, and the number of the last instance that they came from if they are results of another map, or the reason why there is none.';
