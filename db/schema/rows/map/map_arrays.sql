create table tasker.map_arrays (
  elements  jsonb,
  problem   text,

  constraint map_arrays_row_type_check
    check (false) no inherit
);

comment on table tasker.map_arrays is
  'Row type: the array that a map runs over, or the reason why it has none.';

revoke all on table tasker.map_arrays from public;
