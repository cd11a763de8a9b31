create or replace view tasker.attribute_finds as
select
  null::jsonb as places,
  null::boolean as cut
where false;

comment on view tasker.attribute_finds is
  'Row type: the tasks that a search by attributes found.';
comment on column tasker.attribute_finds.places is
  'An object whose keys are UUIDs of tasks. Each value is the place of the task in the order of the search.';
comment on column tasker.attribute_finds.cut is
  'Whether the search stopped because it had read as many rows as it may. Further tasks may then match.';
