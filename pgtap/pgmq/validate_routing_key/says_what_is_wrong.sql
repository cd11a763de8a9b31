begin;
select plan(8);

select ok(pgmq.validate_routing_key('a_b-C.9'), 'letters, digits, hyphens, underscores and dots are accepted');
select throws_ok($$ select pgmq.validate_routing_key(null) $$, 'P0001', 'routing_key cannot be NULL or empty', 'a null key is refused');
select throws_ok($$ select pgmq.validate_routing_key('') $$, 'P0001', 'routing_key cannot be NULL or empty', 'an empty key is refused');
select throws_ok($$ select pgmq.validate_routing_key('a.*') $$, 'P0001', 'routing_key contains invalid characters. Only alphanumeric, dots, hyphens, and underscores are allowed. Got: a.*', 'a wildcard is refused');
select throws_ok($$ select pgmq.validate_routing_key('.a') $$, 'P0001', 'routing_key cannot start with a dot. Got: .a', 'a leading dot is refused');
select throws_ok($$ select pgmq.validate_routing_key('a.') $$, 'P0001', 'routing_key cannot end with a dot. Got: a.', 'a trailing dot is refused');
select throws_ok($$ select pgmq.validate_routing_key('a..b') $$, 'P0001', 'routing_key cannot contain consecutive dots. Got: a..b', 'two dots in a row are refused');
select throws_ok($$ select pgmq.validate_routing_key(repeat('a', 256)) $$, 'P0001', 'routing_key length cannot exceed 255 characters, got 256 characters', 'a key of 256 characters is refused');

select * from finish();
rollback;
