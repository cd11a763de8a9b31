begin;
select plan(3);

select throws_ok('select tasker.get_audit_by_time_range(null)', 'TK422', 'the beginning of the period is null', 'a null beginning is refused');
select throws_ok($$ select tasker.get_audit_by_time_range('2026-01-01', p_limit => 10001) $$, 'TK422', 'the limit is 10001; it must be between 1 and 10,000', 'a limit of 10,001 is refused');
select throws_ok($$ select tasker.get_audit_by_time_range('2026-01-01', p_offset => -1) $$, 'TK422', 'a page cannot begin at row -1', 'a negative offset is refused');

select * from finish();
rollback;
