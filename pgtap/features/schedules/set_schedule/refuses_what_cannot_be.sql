begin;
select plan(19);

select tasker_test.freeze_with_partitions('2026-03-01 12:00+00');
select tasker_test.hourly();

create function pg_temp.refused(p_arguments text, p_code text, p_message text, p_what text default null) returns text language sql as $$
  select throws_ok(format('select tasker.set_schedule(''test'', %s)', p_arguments), p_code, p_message, coalesce(p_what, p_arguments));
$$;
select pg_temp.refused($$ null, 'report', '* * * * *' $$, 'TK422', 'a schedule needs a name');
select pg_temp.refused($$ '', 'report', '* * * * *' $$, 'TK422', 'a schedule needs a name');
select pg_temp.refused($$ repeat('x', 201), 'report', '* * * * *' $$, 'TK413', 'the name of a schedule is longer than 200 characters', 'a long name');
select pg_temp.refused($$ 's', 'report' $$, 'TK422', 'schedule "test/s" has neither a cron expression nor an interval');
select pg_temp.refused($$ 's', 'report', '* * * * *', 60 $$, 'TK422', 'schedule "test/s" has both a cron expression and an interval');
select pg_temp.refused($$ 's', 'nothing', '* * * * *' $$, 'TK404', 'template "test/nothing" does not exist');
select pg_temp.refused($$ 's', null, '* * * * *' $$, 'TK404', null);
select pg_temp.refused($$ 's', 'report', '0 0 30 2 *' $$, 'TK422', '"0 0 30 2 *" never ticks after 2026-03-01 12:00:00+00', '30 February');
select pg_temp.refused($$ 's', 'report', '* * * *' $$, 'TK422', '"* * * *" is no cron expression: it does not have five fields');
select pg_temp.refused($$ 's', 'report', repeat('* ', 1000) $$, 'TK413', 'the cron expression is longer than 200 characters', 'a long expression');
select pg_temp.refused($$ 's', 'report', '* * * * *', p_timezone => 'Berlin' $$, 'TK422', '"Berlin" is no time zone');
select pg_temp.refused($$ 's', 'report', p_every_seconds => 0 $$, 'TK422', 'schedule "test/s" cannot be set like this');
select pg_temp.refused($$ 's', 'report', '* * * * *', p_jitter_seconds => 86401 $$, 'TK422', 'schedule "test/s" cannot be set like this');
select pg_temp.refused($$ 's', 'report', '* * * * *', p_catch_up => 'some' $$, 'TK422', 'schedule "test/s" cannot be set like this');
select pg_temp.refused($$ 's', 'report', '* * * * *', p_context => '[1]' $$, 'TK422', 'context of task "test/report" is not a JSON object');
select pg_temp.refused($$ 's', 'report', '* * * * *', p_priority => 1001 $$, 'TK422', 'priority 1001 is not between -1000 and 1000');
select pg_temp.refused($$ 's', 'report', '* * * * *', p_ends_at => '2026-03-01 11:00+00' $$, 'TK422', 'schedule "test/s" ends before it ticks');
select pg_temp.refused($$ 's', 'report', '* * * * *', p_starts_at => 'infinity' $$, 'TK422', 'the start of a schedule cannot be infinity');
select is((select count(*) from tasker.schedules), 1::bigint, 'refused calls leave no schedule behind');

select * from finish();
rollback;
