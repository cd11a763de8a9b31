-- The detail of the refusal, as a user sees it.
begin;
select plan(2);

create function pg_temp.detail(p_from text, p_to text)
  returns text
  language plpgsql
as $$
declare
  v_detail text;
begin
  perform tasker.transition_task_state_atomic(tasker_test.the_task(), p_from, p_to);
exception when sqlstate 'TK409' then
  get stacked diagnostics v_detail = pg_exception_detail;
  return v_detail;
end;
$$;

select tasker_test.make_task();

select is(
  pg_temp.detail('enqueuing_steps', 'pending'),
  'Allowed transitions: steps_in_process by StepsEnqueued, error by EnqueueFailed, error by Timeout, cancelled by Cancel.',
  'the detail lists the transitions that leave the state'
);
select is(
  pg_temp.detail('cancelled', 'pending'), 'No transition leaves cancelled.',
  'the detail says that no transition leaves a final state'
);

select * from finish();
rollback;
