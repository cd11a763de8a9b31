begin;
select plan(2);

select tasker_test.freeze();
select setseed(0.5);
select tasker.set_setting('backoff_base', '100');
select tasker.set_setting('max_backoff_seconds', '1000');
select tasker_test.register('one', 'a');
select count(*) from tasker.create_tasks('test', 'one', array(select jsonb_build_object('n', n) from generate_series(1, 200) as n));
create temporary table waits as
  select extract(epoch from a.next_retry_at - tasker.clock()) as seconds
    from (select array_agg(c.step_uuid) as steps, array_agg(c.claim_no) as claim_nos, array_agg('no'::text) as errors from tasker_test.claim(200) as c) as x
   cross join lateral tasker.fail_steps(x.steps, x.claim_nos, x.errors) as a;
select results_eq(
  'select count(*), min(w.seconds) between 160 and 166, max(w.seconds) between 194 and 200 from waits as w', $$ values (200::bigint, true, true) $$,
  'the jitter spreads the wait over a fifth of it'
);
select set_eq('select m.due_at from tasker.timers as m', 'select s.next_retry_at from tasker.workflow_steps as s', 'the timers are due at the same times');

select * from finish();
rollback;
