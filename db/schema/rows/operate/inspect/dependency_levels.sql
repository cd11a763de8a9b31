create or replace view tasker.dependency_levels as
select
  '00000000-0000-0000-0000-000000000000'::uuid as workflow_step_uuid,
  0::integer as dependency_level
where false;

comment on view tasker.dependency_levels is
  'Row type: a step and its level in its task''s graph.';
comment on column tasker.dependency_levels.dependency_level is
  'The length of the longest path from a step without parents, which is on level 0. Steps of one level do not depend on one another.';
