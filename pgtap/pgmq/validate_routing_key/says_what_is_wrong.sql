begin;
select plan(8);

select ok(pgmq.validate_routing_key('a_b-C.9'), 'letters, digits, hyphens, underscores, dots');
select throws_ok($$ select pgmq.validate_routing_key(null) $$, 'P0001', 'routing_key cannot be NULL or empty', 'null');
select throws_ok($$ select pgmq.validate_routing_key('') $$, 'P0001', 'routing_key cannot be NULL or empty', 'empty');
select throws_ok($$ select pgmq.validate_routing_key('a.*') $$, 'P0001', 'routing_key contains invalid characters. Only alphanumeric, dots, hyphens, and underscores are allowed. Got: a.*', 'a wildcard');
select throws_ok($$ select pgmq.validate_routing_key('.a') $$, 'P0001', 'routing_key cannot start with a dot. Got: .a', 'a dot before');
select throws_ok($$ select pgmq.validate_routing_key('a.') $$, 'P0001', 'routing_key cannot end with a dot. Got: a.', 'a dot after');
select throws_ok($$ select pgmq.validate_routing_key('a..b') $$, 'P0001', 'routing_key cannot contain consecutive dots. Got: a..b', 'two dots');
select throws_ok($$ select pgmq.validate_routing_key(repeat('a', 256)) $$, 'P0001', 'routing_key length cannot exceed 255 characters, got 256 characters', '256 characters');

select * from finish();
rollback;
