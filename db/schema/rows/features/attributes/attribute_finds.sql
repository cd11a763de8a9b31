create or replace view tasker.attribute_finds as
select
  null::jsonb as places,
  null::boolean as cut
where false;

comment on view tasker.attribute_finds is
  'Row type: the tasks that a search by attributes found.';
comment on column tasker.attribute_finds.places is
  'An object: the place of each task in the order of the search, by UUID.';
comment on column tasker.attribute_finds.cut is
  'Whether the search ended at its bound, so that further tasks may match.';
