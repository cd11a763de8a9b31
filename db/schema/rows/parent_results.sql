create table tasker.parent_results (
  step_no    integer  not null,
  name       text     not null,
  results    jsonb,
  map        text,

  constraint parent_results_row_type_check
    check (false) no inherit
);

comment on table tasker.parent_results is
  'Row type: the result of one of a step''s parents.';

comment on column tasker.parent_results.map is
  'The parent that is a map, of which this row is one element; null for any other parent.';

revoke all on table tasker.parent_results from public;
