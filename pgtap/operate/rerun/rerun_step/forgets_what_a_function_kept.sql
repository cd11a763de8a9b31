begin;
select plan(9);

select tasker_test.freeze('2026-11-22 12:00:00+00');
select tasker_test.begin_function();
select tasker_test.keep(1, 'charge', '{"id": 1}');
select tasker_test.suspend(2, '{"await": {"signal": "approved"}}');
select tasker_test.signal('approved', '{"by": "ann"}');
select is(tasker_test.run_function(), 'charge {"id": 1}, $wait {"by": "signal", "name": "approved", "payload": {"by": "ann"}, "sent_at": "2026-11-22T12:00:00.000000Z"}', 'the function goes on with what it kept');
select tasker_test.finish('work');
select tasker_test.run('after');
select is(tasker_test.states(), 'complete: work=complete after=complete', 'the task is complete');

select ok(tasker.rerun_step(tasker_test.the_step('work'), 'wrong'), 'rerun_step returns true');
select is_empty($$ select * from tasker.get_kept_results(tasker_test.the_step('work')) $$, 'it has kept nothing');
select is(tasker_test.run_function(), 'nothing', 'it begins at its first call');
select is(tasker_test.keep(1, 'charge', '{"id": 2}'), 'kept', 'it keeps its results anew');
select tasker_test.suspend(2, '{"await": {"signal": "approved"}}');
select is(tasker_test.states(), 'waiting_for_dependencies: work=suspended after=pending', 'the signal that it took stays taken: it waits for another one');
select is_empty('select tasker_test.violations()', 'every invariant holds');
select is_empty('select * from tasker.check_integrity()', 'check_integrity finds nothing');

select * from finish();
rollback;
