begin;
select plan(11);

select ok(pgmq.validate_topic_pattern('a.*.b.#'), 'wildcards');
select throws_ok($$ select pgmq.validate_topic_pattern(null) $$, 'P0001', 'pattern cannot be NULL or empty', 'null');
select throws_ok($$ select pgmq.validate_topic_pattern('a b') $$, 'P0001', 'pattern contains invalid characters. Only alphanumeric, dots, hyphens, underscores, *, and # are allowed. Got: a b', 'a blank');
select throws_ok($$ select pgmq.validate_topic_pattern('.a') $$, 'P0001', 'pattern cannot start with a dot. Got: .a', 'a dot before');
select throws_ok($$ select pgmq.validate_topic_pattern('a.') $$, 'P0001', 'pattern cannot end with a dot. Got: a.', 'a dot after');
select throws_ok($$ select pgmq.validate_topic_pattern('a..b') $$, 'P0001', 'pattern cannot contain consecutive dots. Got: a..b', 'two dots');
select throws_ok($$ select pgmq.validate_topic_pattern('a**') $$, 'P0001', 'pattern cannot contain consecutive stars (**). Use # for multi-segment matching. Got: a**', 'two stars');
select throws_ok($$ select pgmq.validate_topic_pattern('a##') $$, 'P0001', 'pattern cannot contain consecutive hashes (##). A single # already matches zero or more segments. Got: a##', 'two hashes');
select throws_ok($$ select pgmq.validate_topic_pattern('a*#') $$, 'P0001', 'pattern cannot contain adjacent wildcards (*# or #*). Separate wildcards with dots. Got: a*#', 'a star and a hash');
select throws_ok($$ select pgmq.validate_topic_pattern('a#*') $$, 'P0001', 'pattern cannot contain adjacent wildcards (*# or #*). Separate wildcards with dots. Got: a#*', 'a hash and a star');
select throws_ok($$ select pgmq.validate_topic_pattern(repeat('a', 256)) $$, 'P0001', 'pattern length cannot exceed 255 characters, got 256 characters', '256 characters');

select * from finish();
rollback;
