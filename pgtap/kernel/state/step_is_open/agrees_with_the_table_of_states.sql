-- step_is_open and step_is_active replace a query of tasker.step_states where that would cost too much.
begin;
select plan(2);

select results_eq(
  'select s.state, tasker.step_is_open(s.state) from tasker.step_states as s order by s.state',
  'select s.state, (not s.terminal)::integer from tasker.step_states as s order by s.state',
  'a step is open if its state is not terminal'
);
select results_eq(
  'select s.state, tasker.step_is_active(s.state) from tasker.step_states as s order by s.state',
  'select s.state, s.in_processing_pipeline::integer from tasker.step_states as s order by s.state',
  'a step is active if its state is in the processing pipeline'
);

select * from finish();
rollback;
