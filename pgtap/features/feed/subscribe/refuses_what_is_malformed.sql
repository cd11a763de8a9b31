begin;
select plan(25);

select tasker_test.freeze();
select throws_like(format('select tasker.subscribe(%L)', n.name), 'a subscription cannot be named %', 'this name is refused: ' || coalesce(n.name, 'null'))
  from (values ('A'), (''), (null), ('a b'), ('1a'), (repeat('a', 49)), ('a''; drop table tasker.tasks')) as n (name);
select throws_ok(format('select tasker.subscribe(''a'', %L)', f.filter), 'TK422', 'the filter of a subscription is malformed', 'this filter is refused: ' || f.filter)
  from (values
    ('[]'), ('"x"'), ('{"x": []}'), ('{"namespaces": "a"}'), ('{"events": []}'), ('{"events": [1]}'), ('{"events": [""]}'), ('{"kinds": ["tasks"]}')
  ) as f (filter);
select throws_ok(format('select tasker.subscribe(''a'', ''{}'', %L)', t.target), 'TK422', 'the target of a subscription is malformed', 'this target is refused: ' || t.target)
  from (values
    ('[]'), ('{}'), ('{"webhook": {}}'), ('{"webhook": {"url": "ftp://x"}}'), ('{"webhook": {"url": "https://a:b@c"}}'),
    ('{"pgmq": {"queue": ""}}'), ('{"pgmq": {"queue": "a"}, "webhook": {"url": "https://x"}}'), ('{"rabbitmq": {"queue": "a", "url": "x"}}'), ('{"kafka": {"queue": "a"}}')
  ) as t (target);
select throws_like($$ select tasker.subscribe('a', p_since => now() + interval '1 day') $$, 'events cannot be replayed from % on', 'a start in the future is refused');

select * from finish();
rollback;
