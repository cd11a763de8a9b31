begin;
select plan(4);

select throws_ok($$ select pgmq.send_topic('tap.x', null) $$, 'P0001', 'msg cannot be NULL', 'a null message is refused');
select throws_ok($$ select pgmq.send_topic('tap.x', '1', -1) $$, 'P0001', 'delay cannot be negative, got: -1', 'a negative delay is refused');
select throws_ok($$ select pgmq.send_topic(null, '1') $$, 'P0001', 'routing_key cannot be NULL or empty', 'a null key is refused');
select throws_ok($$ select pgmq.send_topic('tap x', '1') $$, 'P0001', 'routing_key contains invalid characters. Only alphanumeric, dots, hyphens, and underscores are allowed. Got: tap x', 'an invalid key is refused');

select * from finish();
rollback;
