begin;
select plan(2);

select tasker_test.take_turn();
select tasker.register_namespace('test');
create temporary table before as select * from tasker.check_integrity();

-- What administers writes a time, an interval and a number with its own settings.
set local timezone = 'Asia/Kolkata';
set local intervalstyle = 'iso_8601';
set local extra_float_digits = -15;
select tasker.create_token('night', sha256('night'), 'tasker_reader', '{test}');
update tasker.partition_config set retention = interval '400 days';

set local timezone = 'America/St_Johns';
set local intervalstyle = 'sql_standard';
set local datestyle = 'German';
set local extra_float_digits = 3;
set local bytea_output = 'escape';
set local quote_all_identifiers = on;
select is_empty(
  'select c.object, c.problem from tasker.check_integrity() as c except select b.object, b.problem from before as b',
  'a check with other settings finds nothing'
);
select isnt((select count(*) from tasker.administration_log as l where l.call = 'create_token'), 0::bigint, 'the change was noted');

select * from finish();
rollback;
