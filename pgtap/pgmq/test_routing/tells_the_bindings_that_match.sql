begin;
select plan(6);

select pgmq.create('tap_topic');
select pgmq.bind_topic(p, 'tap_topic') from unnest(array['tap.*', 'tap.#', 'tap.*.z', 'tap.y*.z', '*.x', 'tap_x']) as p;
prepare routing as select t.pattern from pgmq.test_routing($1) as t where t.queue_name = 'tap_topic' order by t.pattern collate "C";
select results_eq($$ execute routing('tap.x') $$, $$ values ('*.x'), ('tap.#'), ('tap.*') $$, 'a star matches one segment');
select results_eq($$ execute routing('tap.yy.z') $$, $$ values ('tap.#'), ('tap.*.z'), ('tap.y*.z') $$, 'a star matches the rest of a segment');
select results_eq($$ execute routing('tap.x.y.z') $$, $$ values ('tap.#') $$, 'a hash matches any number of segments');
select is_empty($$ execute routing('tap') $$, 'a hash needs the dot before it');
select is_empty($$ execute routing('tapzx') $$, 'a dot matches only a dot');
select throws_ok($$ execute routing('tap.*') $$, 'P0001', 'routing_key contains invalid characters. Only alphanumeric, dots, hyphens, and underscores are allowed. Got: tap.*', 'a pattern is refused as a routing key');

select * from finish();
rollback;
