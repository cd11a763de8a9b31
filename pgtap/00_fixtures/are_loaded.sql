-- The first of all files. With plain pg_prove nothing has loaded what the tests share; without it each of them would fail.
select 'Bail out!  schema tasker_test does not exist: load pgtap/fixtures/*.sql first (CONTRIBUTING.md, "pgTAP without make")'
where to_regnamespace('tasker_test') is null;

begin;
select plan(1);
select has_schema('tasker_test');
select * from finish();
rollback;
