begin;
select plan(3);

select tasker_test.freeze('2026-11-21 10:00:00Z');
select tasker.register_namespace('mine');
select tasker.register_namespace('theirs');
select tasker.pause_namespace('mine', 'ann');
select tasker.pause_namespace('theirs', 'ann');
select tasker_test.judge();
create role incident_reader;
grant tasker_operator to incident_reader;
select tasker.bind_role('incident_reader', '{mine}');
select results_eq('select i.incident from tasker.list_incidents() as i', $$ values ('paused:mine'), ('paused:theirs') $$, 'a caller that is not bound sees all');
set local role incident_reader;
select results_eq('select i.incident from tasker.list_incidents() as i', $$ values ('paused:mine') $$, 'a bound caller sees the incidents of its namespaces');
select throws_ok($$ select tasker.acknowledge_incident('paused:theirs') $$, 'TK404', 'no open incident is called "paused:theirs"', 'it cannot acknowledge those of others');
reset role;

select * from finish();
rollback;
