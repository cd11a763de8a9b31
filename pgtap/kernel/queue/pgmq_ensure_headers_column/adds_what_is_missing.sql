begin;
select plan(8);

select tasker_test.take_turn();
select tasker.ensure_task_queue('tap_headers');
select ok(not tasker.pgmq_ensure_headers_column('tap_headers'), 'the call returns false when no column is missing');
alter table pgmq.q_tap_headers drop column headers;
select ok(tasker.pgmq_ensure_headers_column('tap_headers'), 'a missing column of the queue is added');
select col_type_is('pgmq'::name, 'q_tap_headers'::name, 'headers'::name, 'jsonb', 'the column has type jsonb');
alter table pgmq.q_tap_headers drop column headers;
alter table pgmq.a_tap_headers drop column headers;
select ok(tasker.pgmq_ensure_headers_column('tap_headers'), 'the columns of the queue and the archive are added');
select has_column('pgmq'::name, 'a_tap_headers'::name, 'headers'::name, 'the archive has the column');
select ok(not tasker.pgmq_ensure_headers_column('tap_headers'), 'a second call returns false');
select throws_ok($$ select tasker.pgmq_ensure_headers_column('tap_none') $$, 'TK404', 'queue "tap_none" does not exist', 'an unknown queue is refused');
select throws_ok($$ select tasker.pgmq_ensure_headers_column(null) $$, 'TK422', 'queue name is null', 'a null name is refused');

select * from finish();
rollback;
