begin;
select plan(8);

select tasker_test.take_turn();
select tasker.ensure_task_queue('tap_headers');
select ok(not tasker.pgmq_ensure_headers_column('tap_headers'), 'nothing is missing');
alter table pgmq.q_tap_headers drop column headers;
select ok(tasker.pgmq_ensure_headers_column('tap_headers'), 'one is');
select col_type_is('pgmq'::name, 'q_tap_headers'::name, 'headers'::name, 'jsonb', 'it is there again');
alter table pgmq.q_tap_headers drop column headers;
alter table pgmq.a_tap_headers drop column headers;
select ok(tasker.pgmq_ensure_headers_column('tap_headers'), 'both are');
select has_column('pgmq'::name, 'a_tap_headers'::name, 'headers'::name, 'the archive has it');
select ok(not tasker.pgmq_ensure_headers_column('tap_headers'), 'nothing is missing then');
select throws_ok($$ select tasker.pgmq_ensure_headers_column('tap_none') $$, 'TK404', 'queue "tap_none" does not exist', 'a queue that does not exist');
select throws_ok($$ select tasker.pgmq_ensure_headers_column(null) $$, 'TK422', 'queue name is null', 'null');

select * from finish();
rollback;
