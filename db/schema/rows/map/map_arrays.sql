create table tasker.map_arrays (
  size      integer,
  elements  jsonb,
  last_no   integer,
  problem   text,

  constraint map_arrays_row_type_check
    check (false) no inherit
);

comment on table tasker.map_arrays is
  'Row type: how many elements the array of a map has, the next of them, and the number of the last instance that they came from if they are results of another map; or the reason why there is none.';

revoke all on table tasker.map_arrays from public;
