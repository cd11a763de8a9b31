begin;
select plan(1);

select results_eq(
  $$
  select m.from_state::text, m.to_state::text, array_agg(m.event order by m.position)
    from tasker.list_step_transitions() as m
   group by m.from_state, m.to_state
  having count(*) > 1
   order by m.from_state, m.to_state
  $$,
  $$
  values
    ('pending',     'complete',  array['CompleteManually', 'Complete']),
    ('pending',     'cancelled', array['Cancel', 'Skip']),
    ('in_progress', 'enqueued',  array['Release', 'LeaseExpired']),
    ('waiting_for_retry', 'pending', array['Retry', 'Rerun']),
    ('suspended',   'cancelled', array['Cancel', 'Skip']),
    ('error',       'pending',   array['Retry', 'Reset', 'Rerun']),
    ('error',       'cancelled', array['Cancel', 'Tolerate'])
  $$,
  'the usual event comes first where two events lead to the same state'
);

select * from finish();
rollback;
