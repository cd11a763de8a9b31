begin;
select plan(3);

select results_eq(
  'select r.position from tasker.list_incident_rules() as r', 'select generate_series(1, count(*))::smallint from tasker.incident_rules', 'every rule is listed, in order'
);
select is_empty('select r.kind, r.rule from tasker.list_incident_rules() as r where coalesce(r.look_at, r.act_at) is null', 'every rule has a threshold');
select is_empty('select r.kind, r.rule from tasker.list_incident_rules() as r where r.act_at < r.look_at', 'a person must act now from a higher value than look today');

select * from finish();
rollback;
