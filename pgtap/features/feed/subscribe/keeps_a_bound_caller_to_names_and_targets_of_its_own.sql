begin;
select plan(18);

select tasker_test.freeze();
select tasker.register_namespace('shop');
select tasker.register_namespace('bank');
create role tap_shop login in role tasker_operator, tasker_orchestrator;
create role tap_reader login in role tasker_reader;
select tasker.bind_role('tap_shop', '{shop}');
select tasker.subscribe('bank_books', '{"namespaces": ["bank"]}');
select tasker.subscribe('everything', '{}', '{"webhook": {"url": "https://hooks.example/T0/secret?key=1"}}');
select tasker.subscribe('given', '{"namespaces": ["shop"]}');
create function pg_temp.refused(p_target text, p_message text, p_what text) returns text language sql as $$
  select throws_ok(format($q$ select tasker.subscribe('shop_feed', '{}', %L) $q$, p_target), 'TK403', p_message, p_what);
$$;

set session authorization tap_shop;
select throws_ok(
  $$ select tasker.subscribe('bank_books') $$, 'TK403', 'a caller that is bound to namespaces may not use the name "bank_books"', 'a foreign name is refused'
);
select throws_ok(
  $$ select tasker.subscribe('bank_nothing') $$, 'TK403', 'a caller that is bound to namespaces may not use the name "bank_nothing"', 'a free one gets the same answer'
);
select throws_ok(
  $$ select tasker.unsubscribe('everything') $$, 'TK403', 'a caller that is bound to namespaces may not use the name "everything"', 'to drop a foreign one is refused'
);
select throws_ok(
  $$ select tasker.unsubscribe('nothing') $$, 'TK403', 'a caller that is bound to namespaces may not use the name "nothing"', 'and one that does not exist, in the same words'
);
select throws_ok(
  $$ select tasker.list_dead_events('nothing') $$, 'TK403', 'a caller that is bound to namespaces may not use the name "nothing"', 'dead events of what does not exist, too'
);
select throws_ok($$ select tasker.list_dead_events('shop_nothing') $$, 'TK404', 'subscription "shop_nothing" does not exist', 'a name of its own does not exist');
select is(tasker.unsubscribe('shop_nothing'), false, 'and is not there to be dropped');
select is(tasker.unsubscribe('given'), true, 'a subscription of its namespaces is its own, whatever its name');

select pg_temp.refused('{"rabbitmq": {"queue": "steps-bank"}}', 'events may not be sent to queue "steps-bank" of RabbitMQ', 'the queue of another''s steps is refused');
select pg_temp.refused('{"rabbitmq": {"queue": "events-bank-1"}}', 'events may not be sent to queue "events-bank-1" of RabbitMQ', 'and one of another namespace');
select pg_temp.refused('{"rabbitmq": {"queue": "payroll"}}', 'events may not be sent to queue "payroll" of RabbitMQ', 'and one of no namespace');
select pg_temp.refused('{"rabbitmq": {"queue": "events-shop-1_dead"}}', 'events may not be sent to queue "events-shop-1_dead" of RabbitMQ', 'and one of dead letters');
select is(
  (select s.target from tasker.subscribe('shop_feed', '{}', '{"rabbitmq": {"queue": "events-shop-1"}}') as s),
  '{"rabbitmq": {"queue": "events-shop-1"}}'::jsonb, 'a queue that is named after its namespace is accepted'
);
select is(
  (select s.target from tasker.subscribe('shop_feed', '{}', '{"webhook": {"url": "https://hooks.example/a", "own_secret": false}}') as s),
  '{"webhook": {"url": "https://hooks.example/a", "own_secret": true}}'::jsonb, 'its webhooks are signed only with a secret of their own'
);
reset session authorization;

select throws_ok(
  $$ select tasker.subscribe('more', '{}', '{"rabbitmq": {"queue": "steps-bank-high"}}') $$,
  'TK403', 'events may not be sent to queue "steps-bank-high" of RabbitMQ', 'queues of steps get no events from an unbound caller, either'
);
select is(
  (select s.target from tasker.subscribe('more', '{}', '{"rabbitmq": {"queue": "payroll"}}') as s),
  '{"rabbitmq": {"queue": "payroll"}}'::jsonb, 'other queues are an unbound caller''s choice'
);
select is(
  (select s.target #>> '{webhook,url}' from tasker.list_subscriptions('everything') as s), 'https://hooks.example/T0/secret?key=1', 'an operator sees the URL'
);
set session authorization tap_reader;
select is(
  (select s.target #>> '{webhook,url}' from tasker.list_subscriptions('everything') as s), 'https://hooks.example/…', 'a reader sees its host'
);

select * from finish();
rollback;
