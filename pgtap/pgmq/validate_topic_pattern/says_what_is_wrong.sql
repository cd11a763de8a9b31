begin;
select plan(11);

select ok(pgmq.validate_topic_pattern('a.*.b.#'), 'wildcards are accepted');
select throws_ok($$ select pgmq.validate_topic_pattern(null) $$, 'P0001', 'pattern cannot be NULL or empty', 'a null pattern is refused');
select throws_ok($$ select pgmq.validate_topic_pattern('a b') $$, 'P0001', 'pattern contains invalid characters. Only alphanumeric, dots, hyphens, underscores, *, and # are allowed. Got: a b', 'a blank is refused');
select throws_ok($$ select pgmq.validate_topic_pattern('.a') $$, 'P0001', 'pattern cannot start with a dot. Got: .a', 'a leading dot is refused');
select throws_ok($$ select pgmq.validate_topic_pattern('a.') $$, 'P0001', 'pattern cannot end with a dot. Got: a.', 'a trailing dot is refused');
select throws_ok($$ select pgmq.validate_topic_pattern('a..b') $$, 'P0001', 'pattern cannot contain consecutive dots. Got: a..b', 'two dots in a row are refused');
select throws_ok($$ select pgmq.validate_topic_pattern('a**') $$, 'P0001', 'pattern cannot contain consecutive stars (**). Use # for multi-segment matching. Got: a**', 'two stars in a row are refused');
select throws_ok($$ select pgmq.validate_topic_pattern('a##') $$, 'P0001', 'pattern cannot contain consecutive hashes (##). A single # already matches zero or more segments. Got: a##', 'two hashes in a row are refused');
select throws_ok($$ select pgmq.validate_topic_pattern('a*#') $$, 'P0001', 'pattern cannot contain adjacent wildcards (*# or #*). Separate wildcards with dots. Got: a*#', 'a star before a hash is refused');
select throws_ok($$ select pgmq.validate_topic_pattern('a#*') $$, 'P0001', 'pattern cannot contain adjacent wildcards (*# or #*). Separate wildcards with dots. Got: a#*', 'a hash before a star is refused');
select throws_ok($$ select pgmq.validate_topic_pattern(repeat('a', 256)) $$, 'P0001', 'pattern length cannot exceed 255 characters, got 256 characters', 'a pattern of 256 characters is refused');

select * from finish();
rollback;
