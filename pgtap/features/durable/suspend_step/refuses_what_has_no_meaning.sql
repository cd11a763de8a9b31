begin;
select plan(19);

select tasker_test.freeze();
select tasker_test.begin_function();
select tasker_test.remember_rows();
create function pg_temp.refused(p_wait jsonb)
  returns text
  language plpgsql
as $$
begin
  return tasker_test.suspend(1, p_wait);
exception when sqlstate 'TK422' then
  return replace(sqlerrm, 'the wait of a function is malformed: ', '');
end;
$$;
select is(pg_temp.refused(null), 'it is not an object', 'a null wait is refused');
select is(pg_temp.refused('[]'), 'it is not an object', 'a list is refused');
select is(pg_temp.refused('{}'), 'await must be an object or a list', 'an empty object is refused');
select is(pg_temp.refused('{"await": []}'), 'await must have 1 to 100 alternatives', 'an empty list of alternatives is refused');
select is(pg_temp.refused('{"await": {"for": 1}, "on_timeout": "skip"}'), 'field "on_timeout" is unknown', 'a field that belongs to templates is refused');
select is(pg_temp.refused('{"await": {"for": "1 day"}}'), 'for is not a duration: 1 day', 'a malformed duration is refused');
select is(pg_temp.refused('{"await": {"for": "11y"}}'), 'for is not a duration: 11y', 'an unknown unit is refused');
select is(pg_temp.refused('{"await": {"for": 315360001}}'), 'for is not a duration: 315360001', 'a duration over ten years is refused');
select is(pg_temp.refused('{"await": {"until": "tomorrow"}}'), 'await.until "tomorrow" is neither a time nor a path', 'a malformed time is refused');
select is(pg_temp.refused('{"await": {"until": "$.at"}}'), 'until must be a time such as 2026-12-24T18:00:00Z', 'a path instead of a time is refused');
select is(pg_temp.refused('{"await": {"signal": "$diverged"}}'), '"$diverged" is no name of a signal', 'a reserved name is refused');
select is(pg_temp.refused('{"await": [1]}'), 'an alternative is not an object', 'an alternative that is a number is refused');
select is(pg_temp.refused('{"await": {"sinal": "a"}}'), 'field "sinal" of an alternative is unknown', 'a misspelt field is refused');
select is(pg_temp.refused('{"await": {"signal": "a", "for": 1}}'), 'await must have one of signal, event, for and until', 'an alternative with two kinds of wait is refused');
select is(pg_temp.refused('{"await": {"signal": "a", "when": "("}}'), 'await.when "(" is not a jsonpath predicate', 'a malformed condition is refused');
select is(pg_temp.refused('{"await": {"signal": "a"}, "timeout": {}}'), 'timeout is not a duration: {}', 'a malformed time-out is refused');
select throws_ok(
  $$ select tasker_test.suspend(2, '{"await": {"for": 60}}') $$,
  'TK422', format('position 2 is not the next one of step %s', tasker_test.the_step('work')), 'a position that leaves a gap is refused'
);
select throws_ok(
  $$ select tasker_test.suspend(1001, '{"await": {"for": 60}}') $$,
  'TK422', format('position 1001 is not the next one of step %s', tasker_test.the_step('work')), 'a position beyond the limit is refused'
);
select is_empty('select tasker_test.changed_tables()', 'no table is changed');

select * from finish();
rollback;
