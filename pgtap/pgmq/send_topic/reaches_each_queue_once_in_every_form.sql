begin;
select plan(7);

select pgmq.create('tap_t1'), pgmq.create('tap_t2');
select pgmq.bind_topic('tap.*', 'tap_t1'), pgmq.bind_topic('tap.x', 'tap_t1'), pgmq.bind_topic('tap.#', 'tap_t2');
select is(pgmq.send_topic('tap.x', '1'), 2, 'a message is sent once to each matching queue');
select is(pgmq.send_topic('tap.x', '2', 60), 2, 'a message can be sent with a delay');
select is(pgmq.send_topic('tap.x', '3', '{"h": 3}'::jsonb, 0), 2, 'a message can be sent with headers and a delay');
select is(pgmq.send_topic('tap.x.y', '4'), 1, 'a message is sent only to a queue whose pattern matches');
select is(pgmq.send_topic('tapx', '5'), 0, 'a key without a matching pattern sends nothing');
select results_eq(
  $$ select q.message::text, q.headers ->> 'h', q.vt <= clock_timestamp() from pgmq.q_tap_t1 as q order by q.msg_id $$,
  $$ values ('1', null, true), ('2', null, false), ('3', '3', true) $$, 'the first queue has the messages that its patterns match'
);
select results_eq($$ select q.message::text from pgmq.q_tap_t2 as q order by q.msg_id $$, $$ values ('1'), ('2'), ('3'), ('4') $$, 'the second queue has the messages that its pattern matches');

select * from finish();
rollback;
